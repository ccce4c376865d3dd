package builddir

import (
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// inlineScript is a script of a page with what Transform made of it.
type inlineScript struct {
	element *htmlscan.Script
	result  *transform.Result
}

// describe reports on the page's inline scripts and makes their one function
// table, in positions of the new page, where engines find inline scripts. It is
// nil for a page without any.
func (p *pageFile) describe(text []byte, list bool) *functable.Table {
	if len(p.inline) == 0 {
		return nil
	}
	whole := functable.Function{Kind: functable.Script, Parent: -1, Start: functable.Position{Line: 1, Column: 1}, Definition: functable.Position{Line: 1, Column: 1}}
	whole.End = newCursor(text).to(len(text))
	table := &functable.Table{File: p.path, Functions: []functable.Function{whole}}
	was, is, by := newCursor(p.src), newCursor(text), shift{edits: p.edits}
	for _, s := range p.inline {
		s.moveToPage(was.to(s.element.ContentStart))
		base := is.to(by.of(s.element.ContentStart))
		first := int32(len(table.Functions)) - 1 // the script's own entry is left out
		for i := range s.result.Table.Functions {
			f := &s.result.Table.Functions[i]
			f.Start, f.End, f.Definition = move(f.Start, base), move(f.End, base), move(f.Definition, base)
			if i == 0 {
				table.Functions[0].Statements += f.Statements
				continue
			}
			if f.Parent > 0 {
				f.Parent += first
			}
			table.Functions = append(table.Functions, *f)
		}
		p.done.fill(s.result, list)
	}
	return table
}

// moveToPage gives what is said about an inline script positions of the page,
// given its own.
func (s *inlineScript) moveToPage(base functable.Position) {
	for i := range s.result.Warnings {
		w := &s.result.Warnings[i]
		if w.Line > 0 {
			at := move(functable.Position{Line: int32(w.Line), Column: int32(w.Column)}, base)
			w.Line, w.Column = int(at.Line), int(at.Column)
		}
	}
	for i := range s.result.Reasons {
		s.result.Reasons[i].At = move(s.result.Reasons[i].At, base)
	}
}

// shift tells, for growing offsets of a page, where they stand behind the edits
// before them.
type shift struct {
	edits []pageEdit // those that are left, in order
	by    int
}

func (s *shift) of(offset int) int {
	for len(s.edits) > 0 {
		e := &s.edits[0]
		if e.end > offset || e.start == offset && e.start != e.end {
			break
		}
		s.by += len(e.text) - (e.end - e.start)
		s.edits = s.edits[1:]
	}
	return offset + s.by
}

// move takes a position in a text to one in the text around it.
func move(at, base functable.Position) functable.Position {
	if at.Line == 1 {
		at.Column += base.Column - 1
	}
	at.Line += base.Line - 1
	return at
}

// cursor finds the positions of growing offsets of a text. It counts lines as
// HTML does: LF, CRLF and CR end one.
type cursor struct {
	text     []byte
	at       int
	position functable.Position
}

func newCursor(text []byte) *cursor {
	return &cursor{text: text, position: functable.Position{Line: 1, Column: 1}}
}

func (c *cursor) to(offset int) functable.Position {
	for c.at < offset {
		r, size := utf8.DecodeRune(c.text[c.at:])
		c.at += size
		switch {
		case r == '\n' || r == '\r' && (c.at == len(c.text) || c.text[c.at] != '\n'):
			c.position.Line, c.position.Column = c.position.Line+1, 1
		case r > 0xffff:
			c.position.Column += 2
		default:
			c.position.Column++
		}
	}
	return c.position
}
