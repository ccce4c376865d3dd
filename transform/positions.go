package transform

import (
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform/internal/edit"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// positions converts byte offsets of a source into lines and UTF-16 columns,
// either of the source itself or of the result of an edit.
type positions struct {
	*textpos.Text
	edits    []edit.Insertion
	offsets  textpos.Offsets // of the insertions, in the source
	inserted []int32         // bytes inserted by the first n of them
}

func newPositions(src []byte) *positions {
	return &positions{Text: textpos.Of(src), inserted: []int32{0}}
}

// isDecoded reports whether engines get a source without its byte order mark. Node leaves that
// in CommonJS, and hosts of goja in all sources.
func (o *Options) isDecoded(goal jsscan.Goal) bool {
	return o.Target == Web && (goal == jsscan.AsModule || goal == jsscan.AsScript && o.Require == "")
}

// setEdits records what was inserted, in the order that edit.Buffer.Apply returns.
func (p *positions) setEdits(edits []edit.Insertion) {
	p.edits = edits
	p.offsets, p.inserted = make([]int32, len(edits)), make([]int32, len(edits)+1)
	for i := range edits {
		p.offsets[i] = int32(edits[i].Offset)
		p.inserted[i+1] = p.inserted[i] + int32(len(edits[i].Text))
	}
}

// source returns the position of an offset in the source.
func (p *positions) source(offset int) functable.Position {
	return oneBased(p.Position(offset))
}

func oneBased(line, column int) functable.Position {
	return functable.Position{Line: int32(line) + 1, Column: int32(column) + 1}
}

// before counts the insertions strictly before an offset; a guess that is near
// makes it fast.
func (p *positions) before(guess, offset int) int { return p.offsets.UpTo(guess, offset-1) }

// A cursor looks up positions and remembers the last one, so that look-ups in
// roughly the order of the text are fast.
type cursor struct {
	*positions
	text textpos.Cursor
	edit int // how many insertions the last look-up found
	// The line whose insertions were counted last, from 1, and how many precede it.
	counted, beforeLine int
}

func (p *positions) cursor() cursor {
	return cursor{positions: p, text: textpos.Cursor{Text: p.Text}}
}

// place returns the position of an offset in the source as source maps count.
func (c *cursor) place(offset int) sourcemap.Place {
	line, column := c.text.Position(offset)
	return sourcemap.Place{Line: int32(line), Column: int32(column)}
}

// result returns the position in the result of a source offset, after the first
// n insertions (which are ASCII and hold no line breaks).
func (c *cursor) result(offset, n int) functable.Position {
	line, column := c.text.Position(offset)
	if c.counted != line+1 {
		c.counted, c.beforeLine = line+1, c.positions.before(c.edit, c.LineStart(line))
	}
	return oneBased(line, column+int(c.inserted[n]-c.inserted[c.beforeLine]))
}

// before counts the insertions strictly before an offset.
func (c *cursor) before(offset int) int {
	c.edit = c.positions.before(c.edit, offset)
	return c.edit
}

// excerptLength is how much of a line an excerpt shows, in bytes.
const excerptLength = 160

// excerpt returns the line of an offset, or the part of it around the offset.
func (p *positions) excerpt(offset int) string {
	number, _ := p.Position(offset)
	line, start := p.Line(number), p.LineStart(number)
	from := min(max(0, offset-start-excerptLength/2), len(line))
	return string(line[from:min(len(line), from+excerptLength)])
}
