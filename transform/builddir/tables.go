package builddir

import (
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// inlineScript is a script of a page with what Transform made of it.
type inlineScript struct {
	element *htmlscan.Script
	result  *transform.Result
}

// describe reports on the page's inline scripts and makes one function table for them,
// in positions of the new page, which is how engines report inline scripts. It returns
// nil for a page without any.
func (p *pageFile) describe(text []byte, list bool) *functable.Table {
	if len(p.inline) == 0 {
		return nil
	}
	whole := functable.Function{Kind: functable.Script, Parent: -1, Start: functable.Position{Line: 1, Column: 1}, Definition: functable.Position{Line: 1, Column: 1}}
	table := &functable.Table{File: p.path, Functions: []functable.Function{whole}}
	was, is := textpos.Cursor{Text: textpos.OfHTML(p.src)}, textpos.Cursor{Text: textpos.OfHTML(text)}
	by := shift{edits: p.edits}
	for _, s := range p.inline {
		s.moveToPage(positionOf(&was, s.element.ContentStart))
		base := positionOf(&is, by.of(s.element.ContentStart))
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
	table.Functions[0].End = positionOf(&is, len(text))
	return table
}

// moveToPage converts the positions in warnings and reasons of an inline script to
// positions of the page; base is the script's own.
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

// shift maps ascending offsets of a page to offsets after its edits.
type shift struct {
	edits []pageEdit // the remaining ones, in order
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

// positionOf returns the position of an offset as function tables count it.
func positionOf(c *textpos.Cursor, offset int) functable.Position {
	line, column := c.Position(offset)
	return functable.Position{Line: int32(line) + 1, Column: int32(column) + 1}
}
