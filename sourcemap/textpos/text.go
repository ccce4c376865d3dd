// Package textpos tells where in a text something is: it converts between byte
// offsets and lines with columns. It is the only place that knows how lines and
// columns are counted.
//
// Lines and columns count from 0. Lines end at LF, CR, CRLF, U+2028 and U+2029,
// and columns are UTF-16 code units, as in JavaScript, source maps and engines. A
// byte that is not UTF-8 counts as one unit, because it becomes one U+FFFD.
package textpos

import (
	"bytes"
	"encoding/binary"
	"iter"
	"unicode/utf8"
)

// Text is a text with an index of its lines.
//
// A line may be a whole bundle, so nothing is ever counted from its beginning:
// non-ASCII text leaves marks, and a column is counted from the mark before it.
type Text struct {
	src        []byte
	separators bool    // U+2028 and U+2029 end lines
	starts     Offsets // of each line's first byte
	marks      Offsets // each of a non-ASCII character
	// How many more bytes than UTF-16 units the line has up to the end of each
	// mark's stretch.
	excess []int32
	unseen int // the UTF-16 units of a byte order mark that is no part of the text
}

// markStretch is how far a mark reaches: the characters that begin within this
// many bytes of it are counted on demand, and the text between the last of them
// and the next mark is ASCII.
const markStretch = 64

// Of indexes a text, which must not change afterwards.
func Of(src []byte) *Text { return index(src, true) }

// OfHTML indexes a page. Its lines end at LF, CR and CRLF only, and a byte order mark is no part of it.
func OfHTML(src []byte) *Text { return index(src, false).Decoded() }

// Decoded is the text as browsers and loaders of modules read it: they take a byte order mark
// off, so that it has no column.
func (t *Text) Decoded() *Text {
	decoded := *t
	if bytes.HasPrefix(t.src, mark) {
		decoded.unseen = 1
	}
	return &decoded
}

var mark = []byte("\ufeff")

func index(src []byte, separators bool) *Text {
	t := &Text{src: src, separators: separators, starts: append(make([]int32, 0, len(src)/64+1), 0)}
	excess, covered := 0, 0 // of the current line; up to where the last mark reaches
	begin := func(offset int) {
		t.starts = append(t.starts, int32(offset))
		excess, covered = 0, offset
	}
	lf, cr, wide := nextByte(src, 0, '\n'), nextByte(src, 0, '\r'), nextWide(src, 0)
	for {
		switch at := min(lf, cr, wide); {
		case at == len(src):
			return t
		case at == lf:
			begin(lf + 1)
			lf = nextByte(src, lf+1, '\n')
		case at == cr:
			if cr+1 != lf || lf == len(src) { // else the line feed ends the line
				begin(cr + 1)
			}
			cr = nextByte(src, cr+1, '\r')
		default:
			if wide >= covered {
				t.marks = append(t.marks, int32(wide))
				t.excess = append(t.excess, 0)
				covered = wide + markStretch
			}
			size, units := character(src[wide:])
			excess += size - units
			t.excess[len(t.excess)-1] = int32(excess)
			if separators && isLineSeparator(src[wide:]) {
				begin(wide + size)
			}
			wide = nextWide(src, wide+size)
		}
	}
}

// nextByte finds a byte at or after an offset, or the end.
func nextByte(src []byte, from int, c byte) int {
	if i := bytes.IndexByte(src[from:], c); i >= 0 {
		return from + i
	}
	return len(src)
}

// nextWide finds a non-ASCII byte at or after an offset, or the end.
func nextWide(src []byte, from int) int {
	const high = 0x8080808080808080
	i := from
	for ; i+32 <= len(src); i += 32 {
		b := src[i : i+32 : i+32]
		if (binary.LittleEndian.Uint64(b)|binary.LittleEndian.Uint64(b[8:])|
			binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:]))&high != 0 {
			break
		}
	}
	for i < len(src) && src[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// character returns the bytes and the UTF-16 units of the first character.
func character(b []byte) (size, units int) {
	r, size := utf8.DecodeRune(b)
	if r > 0xffff {
		return size, 2
	}
	return size, 1
}

// isLineSeparator reports whether b starts with U+2028 or U+2029.
func isLineSeparator(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xe2 && b[1] == 0x80 && (b[2] == 0xa8 || b[2] == 0xa9)
}

// Bytes returns the text itself.
func (t *Text) Bytes() []byte { return t.src }

// Lines counts the lines; an empty text has one.
func (t *Text) Lines() int { return len(t.starts) }

// Line returns a line without its line break, or nil if there is no such line.
func (t *Text) Line(line int) []byte {
	if line < 0 || line >= len(t.starts) {
		return nil
	}
	end := len(t.src)
	if line+1 < len(t.starts) {
		end = int(t.starts[line+1])
	}
	text := t.src[t.starts[line]:end]
	if n := len(text); t.separators && n >= 3 && isLineSeparator(text[n-3:]) {
		return text[:n-3]
	}
	return bytes.TrimRight(text, "\r\n")
}

// LineStart returns the offset of a line's first byte.
func (t *Text) LineStart(line int) int { return int(t.starts[line]) }

// Position returns the line and column of an offset.
func (t *Text) Position(offset int) (line, column int) {
	c := Cursor{Text: t}
	return c.Position(offset)
}

// Cursor finds positions from the one it found last, which is fast if offsets
// are asked for in roughly ascending order.
type Cursor struct {
	*Text
	line, mark int // of the last position found; mark is how many marks precede it
}

// Position returns the line and column of an offset.
func (c *Cursor) Position(offset int) (line, column int) {
	c.line = c.starts.UpTo(c.line+1, offset) - 1
	c.mark = c.marks.UpTo(c.mark, offset)
	column = c.column(c.line, c.mark, offset)
	if c.line == 0 && column > 0 {
		column -= c.unseen
	}
	return c.line, column
}

// column counts the UTF-16 units before an offset on its line; marks is how
// many marks there are up to it.
func (t *Text) column(line, marks, offset int) int {
	start := int(t.starts[line])
	if marks == 0 || int(t.marks[marks-1]) < start {
		return offset - start
	}
	at, excess := int(t.marks[marks-1]), 0
	if offset >= at+markStretch+utf8.UTFMax {
		return offset - start - int(t.excess[marks-1])
	}
	if marks > 1 && int(t.marks[marks-2]) >= start {
		excess = int(t.excess[marks-2])
	}
	for end := min(offset, at+markStretch); at < end; {
		if t.src[at] < utf8.RuneSelf {
			at++
			continue
		}
		size, units := character(t.src[at:])
		if at += size; at <= offset { // else its bytes before the offset count as they are
			excess += size - units
		}
	}
	return offset - start - excess
}

// Offsets is an ascending list of offsets.
type Offsets []int32

// UpTo counts the offsets that are not above a limit. It searches in growing
// steps away from a guess of that count.
func (offsets Offsets) UpTo(guess, limit int) int {
	low, high := 0, len(offsets) // all before low are within the limit, none from high on
	guess = min(guess, high)
	if guess < high && int(offsets[guess]) <= limit {
		low = guess + 1
		for step := 0; low+step < high; step = 2*step + 1 {
			if int(offsets[low+step]) > limit {
				high = low + step
				break
			}
			low += step + 1
		}
	} else {
		high = guess
		for step := 1; high-step >= 0; step *= 2 {
			if int(offsets[high-step]) <= limit {
				low = high - step + 1
				break
			}
			high -= step
		}
	}
	for low < high {
		if middle := int(uint(low+high) / 2); int(offsets[middle]) <= limit {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// Units counts the UTF-16 units of a text.
func Units(text []byte) int {
	n := 0
	for len(text) > 0 {
		size, units := character(text)
		text, n = text[size:], n+units
	}
	return n
}

// Bytes returns the length of the characters at the beginning of a line that
// begin before a column.
func Bytes(line []byte, column int) int {
	at := 0
	for n := 0; n < column && at < len(line); {
		size, units := character(line[at:])
		at, n = at+size, n+units
	}
	return at
}

// Position is a line and a column.
type Position struct{ Line, Column int32 }

// Characters yields the characters of a text with their positions. Line breaks are
// characters of the line that they end.
func Characters(src []byte) iter.Seq2[Position, rune] {
	return func(yield func(Position, rune) bool) {
		var at Position
		for i := 0; i < len(src); i++ {
			r := rune(src[i])
			if r >= utf8.RuneSelf {
				var size int
				r, size = utf8.DecodeRune(src[i:])
				i += size - 1
			}
			if !yield(at, r) {
				return
			}
			switch {
			case r == '\n', r == '\r' && (i+1 == len(src) || src[i+1] != '\n'), r == '\u2028', r == '\u2029':
				at = Position{Line: at.Line + 1}
				continue
			case r > 0xffff:
				at.Column++
			}
			at.Column++
		}
	}
}

// Characters yields the characters of the text, without a byte order mark that does not count as text.
func (t *Text) Characters() iter.Seq2[Position, rune] {
	return Characters(t.src[t.unseen*len(mark):])
}

// CutLastLine splits a text into its last line and what is before that, without
// the line break between them. It treats CR and LF as a line break each.
func CutLastLine(text []byte) (before, line []byte) {
	for i := len(text); i > 0; i-- {
		switch c := text[i-1]; {
		case c == '\n' || c == '\r':
			return text[:i-1], text[i:]
		case c|1 == 0xa9 && i > 2 && isLineSeparator(text[i-3:]):
			return text[:i-3], text[i:]
		}
	}
	return nil, text
}
