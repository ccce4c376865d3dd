package jsonstream

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"math/bits"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Ints calls entry for each whole number of an array. It must not read.
func (r *Reader) Ints(entry func(v int64) error) error {
	return r.numbers(entry, func(text []byte) error {
		v, err := r.int(text)
		if err != nil {
			return err
		}
		return entry(v)
	})
}

// Floats calls entry for each number of an array. It must not read.
func (r *Reader) Floats(entry func(v float64) error) error {
	return r.numbers(func(v int64) error { return entry(float64(v)) }, func(text []byte) error {
		v, err := r.float(text)
		if err != nil {
			return err
		}
		return entry(v)
	})
}

// numbers calls short for each number of an array that is whole and has few digits,
// as nearly all have, and long with the text of each other. Most of a large file is
// numbers, so they are taken from the source by hand: the decoder sees an empty array.
func (r *Reader) numbers(short func(v int64) error, long func(text []byte) error) error {
	null, err := r.begin('[', "an array")
	if err != nil || null {
		return err
	}
	if n := len(r.dec.UnreadBuffer()); n > 0 {
		return r.Errorf("%d bytes were read ahead", n) // the decoder is not what source takes it for
	}
	list := numbers{Reader: r, short: short, long: long, index: -1}
	r.list = &list
	for kept := 0; !list.ended; { // bytes that must be read again, with more after them
		text, err := r.source.more(kept)
		switch {
		case err == io.EOF:
			return r.located(io.ErrUnexpectedEOF)
		case err == bufio.ErrBufferFull:
			list.index++
			return r.Errorf("a number of more than %d bytes", kept)
		case err != nil:
			return r.located(err)
		}
		n, err := list.scan(text)
		if err != nil {
			return err
		}
		r.source.pass(n)
		list.at, kept = 0, len(text)-n
	}
	r.list = nil
	if _, err = r.dec.ReadToken(); err != nil {
		return r.located(err)
	}
	return nil
}

// numbers is an array of numbers that is being read.
type numbers struct {
	*Reader
	short func(v int64) error
	long  func(text []byte) error

	index int  // of the number that is read, or was last
	whole bool // it was read: a comma or the end follows
	ended bool
	at    int // in the text that is there
}

// scan reads as far as a text is complete: to its end, to a number whose end is not
// there, or to the bracket that ends the array.
func (l *numbers) scan(text []byte) (n int, err error) {
	i := 0
	for i < len(text) && !l.ended {
		switch c := text[i]; {
		case isBlank(c):
			i++
		case c == ']' && (l.whole || l.index < 0):
			l.ended = true
		case l.whole:
			if l.at = i; c != ',' {
				return i, l.Errorf("invalid character %q after a number (expecting ',' or ']')", c)
			}
			l.whole = false
			i++
		default:
			l.index++
			l.at = i
			n, err := l.number(text[i:])
			switch {
			case err != nil:
				return i, err
			case n == 0: // to be read again, when there is more
				l.index--
				return i, nil
			}
			l.whole = true
			i += n
		}
	}
	return i, nil
}

// number reads the number that a text begins with, and returns its length; 0 where
// the text ends before the number may.
func (l *numbers) number(text []byte) (n int, err error) {
	if v, n := leading(text); n > 0 && n < len(text) && isEnd(text[n]) {
		return n, l.short(v)
	}
	switch c := text[0]; {
	case c == '-' || c >= '0' && c <= '9':
		n = len(text) - len(bytes.TrimLeft(text, "+-.0123456789Ee"))
		switch {
		case n == len(text):
			return 0, nil
		case !json.Valid(text[:n]):
			return 0, l.Errorf("%.40q is not a number", text[:n])
		}
		return n, l.long(text[:n])
	case bytes.HasPrefix(text, null):
		return len(null), l.short(0)
	case bytes.HasPrefix(null, text):
		return 0, nil
	case bytes.IndexByte([]byte(`"{[tf`), c) >= 0:
		return 0, l.Errorf("%s where a number should be", jsontext.Kind(c))
	default:
		return 0, l.Errorf("invalid character %q where a number should be", c)
	}
}

var null = []byte("null")

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// isEnd reports whether a number in an array may end before a byte.
func isEnd(c byte) bool { return c == ',' || c == ']' || isBlank(c) }

// leading is the whole number of up to 15 digits that a text begins with, and its
// length; 0 where there is none, or another digit follows.
func leading(text []byte) (v int64, n int) {
	if v, n = leadingFew(text); n > 0 {
		return v, n
	}
	first := 0
	if text[0] == '-' {
		first = 1
	}
	for n = first; n < len(text); n++ {
		digit := text[n] - '0'
		if digit > 9 {
			break
		}
		v = v*10 + int64(digit)
	}
	switch digits := n - first; {
	case digits == 0, digits > 15, digits > 1 && text[first] == '0':
		return 0, 0
	}
	if first > 0 {
		v = -v
	}
	return v, n
}

// leadingFew is the same of up to seven digits that something follows, all of them
// at once: the bytes of one word.
func leadingFew(text []byte) (v int64, n int) {
	const each = 0x0101010101010101
	if len(text) < 8 || text[0] == '0' {
		return 0, 0
	}
	digits := binary.LittleEndian.Uint64(text) ^ '0'*each
	others := (digits | (digits + (0x80-10)*each)) & (0x80 * each) // above the first of them may be wrong ones
	if n = bits.TrailingZeros64(others) / 8; n == 0 || n == 8 {
		return 0, 0
	}
	digits <<= 64 - 8*n                                        // zeros before the first, nothing after the last
	twos := (digits*10 + digits>>8) & 0x00ff00ff00ff00ff       // 0 to 99 in 16 bits
	fours := (twos * (1 + 100<<16) >> 16) & 0x0000ffff0000ffff // 0 to 9999 in 32 bits
	return int64(fours * (1 + 10000<<32) >> 32), n
}

// number is the text of a number, nil for null; it holds until the next call.
func (r *Reader) number() ([]byte, error) {
	text, err := r.dec.ReadValue()
	if err != nil {
		return nil, r.located(err)
	}
	switch c := text[0]; {
	case c == '-' || c >= '0' && c <= '9':
		return text, nil
	case c == 'n':
		return nil, nil
	}
	return nil, r.Errorf("%s where a number should be", text.Kind())
}

// Float reads a number. It is never NaN nor infinite.
func (r *Reader) Float() (float64, error) {
	text, err := r.number()
	if err != nil || text == nil {
		return 0, err
	}
	return r.float(text)
}

func (r *Reader) float(text []byte) (float64, error) {
	if v, n := leading(text); n == len(text) {
		return float64(v), nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, r.Errorf("%.40s is out of range", text)
	}
	return v, nil
}

// Int reads a whole number, 1.0 and 1e3 included.
func (r *Reader) Int() (int64, error) {
	text, err := r.number()
	if err != nil || text == nil {
		return 0, err
	}
	return r.int(text)
}

func (r *Reader) int(text []byte) (int64, error) {
	if v, n := leading(text); n == len(text) {
		return v, nil
	}
	if v, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return v, nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.Abs(v) >= 1<<63 {
		return 0, r.Errorf("%.40s is out of range", text)
	}
	if v != math.Trunc(v) {
		return 0, r.Errorf("%.40s where a whole number should be", text)
	}
	return int64(v), nil
}
