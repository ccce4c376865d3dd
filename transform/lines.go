package transform

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// lines knows where the lines of a source begin and how many UTF-16 units
// stand before any byte of a line. Lines end at LF, CR, CRLF, U+2028 and U+2029,
// as JavaScript, source maps and engines count them.
//
// A line may be a whole bundle, so nothing is ever counted from its beginning:
// non-ASCII text leaves marks, and a column is counted from the mark before it.
type lines struct {
	src    []byte
	starts []int32 // offset of each line's first byte
	marks  []int32 // offsets, each of a character beyond ASCII
	// By how much the line has more bytes than UTF-16 units before each mark.
	excess []int32
}

// markStretch is how far a mark reaches: the characters that begin in so many
// bytes from it are counted when someone asks, and the text between the last of
// them and the next mark is ASCII.
const markStretch = 64

func newLines(src []byte) lines {
	l := lines{src: src, starts: append(make([]int32, 0, len(src)/64+1), 0)}
	excess, covered := 0, 0 // of the current line; the last mark covers up to there
	begin := func(offset int) {
		l.starts = append(l.starts, int32(offset))
		excess, covered = 0, offset
	}
	lf, cr, wide := nextByte(src, 0, '\n'), nextByte(src, 0, '\r'), nextWide(src, 0)
	for {
		switch at := min(lf, cr, wide); {
		case at == len(src):
			return l
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
				l.marks = append(l.marks, int32(wide))
				l.excess = append(l.excess, int32(excess))
				covered = wide + markStretch
			}
			size, units := character(src[wide:])
			excess += size - units
			if isLineSeparator(src[wide:]) {
				begin(wide + size)
			}
			wide = nextWide(src, wide+size)
		}
	}
}

// nextByte finds a byte at or behind an offset, or the end.
func nextByte(src []byte, from int, c byte) int {
	if i := bytes.IndexByte(src[from:], c); i >= 0 {
		return from + i
	}
	return len(src)
}

// nextWide finds a byte beyond ASCII at or behind an offset, or the end.
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

// character gives the bytes and the UTF-16 units of the first character. A byte
// that is not UTF-8 counts as one, since it becomes one U+FFFD.
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

// line gives the index of the line an offset stands in, found fast from a guess
// that is near.
func (l *lines) line(guess, offset int) int { return upTo(l.starts, guess+1, offset) - 1 }

// marksUpTo counts the marks up to an offset, likewise.
func (l *lines) marksUpTo(guess, offset int) int { return upTo(l.marks, guess, offset) }

// column counts the UTF-16 units before an offset on its line; marks is how
// many marks there are up to it.
func (l *lines) column(line, marks, offset int) int {
	start := int(l.starts[line])
	if marks == 0 || int(l.marks[marks-1]) < start {
		return offset - start
	}
	at, excess := int(l.marks[marks-1]), int(l.excess[marks-1])
	for end := min(offset, at+markStretch); at < end; {
		if l.src[at] < utf8.RuneSelf {
			at++
			continue
		}
		size, units := character(l.src[at:])
		if at += size; at <= offset { // else its bytes before the offset count as they are
			excess += size - units
		}
	}
	return offset - start - excess
}

// upTo counts the offsets of an ascending list that are not above a limit. It
// looks in growing steps away from a guess.
func upTo(offsets []int32, guess, limit int) int {
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
