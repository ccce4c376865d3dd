package transform

import (
	"slices"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/edit"
)

// positions turns byte offsets of a source into lines and UTF-16 columns, of
// the source itself or of the result of an edit. Lines end at LF, CR, CRLF,
// U+2028 and U+2029, as JavaScript, source maps and engines count them.
type positions struct {
	src   []byte
	lines []int  // offset of each line's first byte
	ascii []bool // the line has no byte above 0x7f
	edits []edit.Insertion
	total int // bytes inserted in all
	// The last column that was counted: a later one on its line goes on from
	// it, so that a long line is walked once.
	lastLine, lastOffset, lastColumn int
}

func newPositions(src []byte) *positions {
	p := &positions{src: src, lines: []int{0}, lastLine: -1}
	ascii := true
	for i := 0; i < len(src); i++ {
		next := 0
		switch c := src[i]; {
		case c == '\n':
			next = i + 1
		case c == '\r':
			next = i + 1
			if next < len(src) && src[next] == '\n' {
				next++
			}
		case c >= utf8.RuneSelf:
			if ascii = false; isLineSeparator(src[i:]) {
				next = i + 3
			}
		}
		if next > 0 {
			p.lines = append(p.lines, next)
			p.ascii = append(p.ascii, ascii)
			ascii = true
			i = next - 1
		}
	}
	p.ascii = append(p.ascii, ascii)
	return p
}

// isLineSeparator reports whether b starts with U+2028 or U+2029.
func isLineSeparator(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xe2 && b[1] == 0x80 && (b[2] == 0xa8 || b[2] == 0xa9)
}

// setEdits says what was inserted, in the order edit.Buffer.Apply gives.
func (p *positions) setEdits(edits []edit.Insertion) {
	p.edits = edits
	for i := range edits {
		p.total += len(edits[i].Text)
	}
}

// line gives the index of the line an offset stands in.
func (p *positions) line(offset int) int {
	i, found := slices.BinarySearch(p.lines, offset)
	if !found {
		i--
	}
	return i
}

// source gives the position of an offset in the source.
func (p *positions) source(offset int) functable.Position {
	line := p.line(offset)
	return functable.Position{Line: int32(line) + 1, Column: int32(p.column(line, offset)) + 1}
}

// column counts the UTF-16 units before an offset on its line.
func (p *positions) column(line, offset int) int {
	start := p.lines[line]
	if p.ascii[line] {
		return offset - start
	}
	column := 0
	if p.lastLine == line && p.lastOffset <= offset {
		start, column = p.lastOffset, p.lastColumn
	}
	column += utf16Len(p.src[start:offset])
	p.lastLine, p.lastOffset, p.lastColumn = line, offset, column
	return column
}

func utf16Len(b []byte) int {
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if n++; r > 0xffff {
			n++
		}
		b = b[size:]
	}
	return n
}

// result gives the position in the result of a source offset, behind the
// first `behind` insertions (which are ASCII and hold no line breaks).
func (p *positions) result(offset, behind int) functable.Position {
	at := p.source(offset)
	at.Column += int32(p.inserted(behind) - p.inserted(p.before(p.lines[at.Line-1])))
	return at
}

// inserted counts the bytes of the first n insertions.
func (p *positions) inserted(n int) int {
	if n == len(p.edits) {
		return p.total
	}
	return p.edits[n].Output - p.edits[n].Offset
}

// before counts the insertions that stand strictly before an offset.
func (p *positions) before(offset int) int {
	i, _ := slices.BinarySearchFunc(p.edits, offset, func(e edit.Insertion, o int) int { return e.Offset - o })
	return i
}

// excerptLength is how much of a line an excerpt shows, in bytes.
const excerptLength = 160

// excerpt gives the line an offset stands in, or a stretch of it.
func (p *positions) excerpt(offset int) string {
	line := p.line(offset)
	end := len(p.src)
	if line+1 < len(p.lines) {
		end = p.lines[line+1]
	}
	start := max(p.lines[line], offset-excerptLength/2)
	end = min(end, start+excerptLength)
	for end > start && (p.src[end-1] == '\n' || p.src[end-1] == '\r') {
		end--
	}
	return string(p.src[start:end])
}
