package transform

import (
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/edit"
)

// positions turns byte offsets of a source into lines and UTF-16 columns, of
// the source itself or of the result of an edit.
type positions struct {
	lines
	edits    []edit.Insertion
	offsets  []int32 // in the source, of the insertions
	inserted []int32 // bytes inserted by the first n of them
}

func newPositions(src []byte) *positions {
	return &positions{lines: newLines(src), inserted: []int32{0}}
}

// setEdits says what was inserted, in the order edit.Buffer.Apply gives.
func (p *positions) setEdits(edits []edit.Insertion) {
	p.edits = edits
	p.offsets, p.inserted = make([]int32, len(edits)), make([]int32, len(edits)+1)
	for i := range edits {
		p.offsets[i] = int32(edits[i].Offset)
		p.inserted[i+1] = p.inserted[i] + int32(len(edits[i].Text))
	}
}

// source gives the position of an offset in the source.
func (p *positions) source(offset int) functable.Position {
	c := cursor{positions: p}
	return c.source(offset)
}

// before counts the insertions that stand strictly before an offset, found fast
// from a guess that is near.
func (p *positions) before(guess, offset int) int { return upTo(p.offsets, guess, offset-1) }

// A cursor looks up positions and remembers where it was: who asks in about the
// order of the text finds the next place beside the last one.
type cursor struct {
	*positions
	line, mark, edit int // what the last look-up found
	// The line whose insertions were counted last, from 1, and how many stand
	// before it.
	counted, beforeLine int
}

// source gives the position of an offset in the source.
func (c *cursor) source(offset int) functable.Position {
	c.line = c.lines.line(c.line, offset)
	c.mark = c.marksUpTo(c.mark, offset)
	return functable.Position{Line: int32(c.line) + 1, Column: int32(c.column(c.line, c.mark, offset)) + 1}
}

// result gives the position in the result of a source offset, behind the
// first `behind` insertions (which are ASCII and hold no line breaks).
func (c *cursor) result(offset, behind int) functable.Position {
	at := c.source(offset)
	if c.counted != c.line+1 {
		c.counted, c.beforeLine = c.line+1, c.positions.before(c.edit, int(c.starts[c.line]))
	}
	at.Column += c.inserted[behind] - c.inserted[c.beforeLine]
	return at
}

// before counts the insertions that stand strictly before an offset.
func (c *cursor) before(offset int) int {
	c.edit = c.positions.before(c.edit, offset)
	return c.edit
}

// excerptLength is how much of a line an excerpt shows, in bytes.
const excerptLength = 160

// excerpt gives the line an offset stands in, or a stretch of it.
func (p *positions) excerpt(offset int) string {
	line := p.line(0, offset)
	end := len(p.src)
	if line+1 < len(p.starts) {
		end = int(p.starts[line+1])
	}
	start := max(int(p.starts[line]), offset-excerptLength/2)
	end = min(end, start+excerptLength)
	for end > start && (p.src[end-1] == '\n' || p.src[end-1] == '\r') {
		end--
	}
	return string(p.src[start:end])
}
