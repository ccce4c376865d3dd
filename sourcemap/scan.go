package sourcemap

import (
	"bytes"
	"math"
)

// span is a stretch of JSON: data[start:end].
type span struct{ start, end int }

// scanner walks over JSON without building anything. It is strict about structure,
// numbers and literals; it skips strings at the speed of memory, without noticing
// faults inside them. Each method reports whether it understood the input; if not, the
// position is meaningless.
type scanner struct {
	data []byte
	at   int
}

// scanDepth bounds the nesting that a scanner follows.
const scanDepth = 64

func (s *scanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

// space skips white space and returns the byte after it, 0 at the end.
func (s *scanner) space() byte {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// accept takes the byte c, preceded by space.
func (s *scanner) accept(c byte) bool {
	if s.space() != c {
		return false
	}
	s.at++
	return true
}

// text takes a string and returns what is between its quotes.
func (s *scanner) text() (span, bool) {
	if s.space() != '"' {
		return span{}, false
	}
	start := s.at + 1
	for from := start; ; {
		n := bytes.IndexByte(s.data[from:], '"')
		if n < 0 {
			return span{}, false
		}
		end := from + n
		backslashes := end
		for backslashes > from && s.data[backslashes-1] == '\\' {
			backslashes--
		}
		if (end-backslashes)%2 == 0 {
			s.at = end + 1
			return span{start, end}, true
		}
		from = end + 1
	}
}

// null takes the literal if it is next.
func (s *scanner) null() bool { return s.space() == 'n' && s.literal("null") }

func (s *scanner) literal(word string) bool {
	if !bytes.HasPrefix(s.data[s.at:], []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}

// number takes any number.
func (s *scanner) number() (span, bool) {
	s.space()
	start := s.at
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.digits() {
		return span{}, false
	}
	if s.peek() == '.' {
		if s.at++; !s.digits() {
			return span{}, false
		}
	}
	if s.peek()|0x20 == 'e' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if !s.digits() {
			return span{}, false
		}
	}
	return span{start, s.at}, true
}

func (s *scanner) digits() bool {
	start := s.at
	for '0' <= s.peek() && s.peek() <= '9' {
		s.at++
	}
	return s.at > start
}

// count takes a number that is written as a count: digits only, at most 31 bits.
func (s *scanner) count() (int, bool) {
	n, ok := s.number()
	if !ok || n.end-n.start > 10 {
		return 0, false
	}
	v := 0
	for _, c := range s.data[n.start:n.end] {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = 10*v + int(c-'0')
	}
	return v, v <= math.MaxInt32
}

// array takes an array whose elements element takes, and counts them.
func (s *scanner) array(element func() bool) (n int, ok bool) {
	if !s.accept('[') {
		return 0, false
	}
	if s.accept(']') {
		return 0, true
	}
	for {
		if !element() {
			return n, false
		}
		n++
		if s.accept(']') {
			return n, true
		}
		if !s.accept(',') {
			return n, false
		}
	}
}

// object takes an object whose values member takes.
func (s *scanner) object(member func(key []byte) bool) bool {
	if !s.accept('{') {
		return false
	}
	if s.accept('}') {
		return true
	}
	for {
		key, ok := s.text()
		if !ok || !s.accept(':') || !member(s.data[key.start:key.end]) {
			return false
		}
		if s.accept('}') {
			return true
		}
		if !s.accept(',') {
			return false
		}
	}
}

// value takes anything.
func (s *scanner) value(depth int) bool {
	if depth > scanDepth {
		return false
	}
	switch s.space() {
	case '{':
		return s.object(func([]byte) bool { return s.value(depth + 1) })
	case '[':
		_, ok := s.array(func() bool { return s.value(depth + 1) })
		return ok
	case '"':
		_, ok := s.text()
		return ok
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	_, ok := s.number()
	return ok
}
