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
	whole.End = positionOf(text, len(text))
	table := &functable.Table{File: p.path, Functions: []functable.Function{whole}}
	for _, s := range p.inline {
		p.moveToPage(&s)
		base := positionOf(text, p.moved(s.element.ContentStart))
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

// moveToPage gives what is said about an inline script positions of the page.
func (p *pageFile) moveToPage(s *inlineScript) {
	base := positionOf(p.src, s.element.ContentStart)
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

// moved is where an offset of the page stands behind the edits before it.
func (p *pageFile) moved(offset int) int {
	by := 0
	for _, e := range p.edits {
		if e.end <= offset && (e.start < offset || e.start == e.end) {
			by += len(e.text) - (e.end - e.start)
		}
	}
	return offset + by
}

// move takes a position in a text to one in the text around it.
func move(at, base functable.Position) functable.Position {
	if at.Line == 1 {
		at.Column += base.Column - 1
	}
	at.Line += base.Line - 1
	return at
}

// positionOf counts lines as HTML does: LF, CRLF and CR end one.
func positionOf(text []byte, offset int) functable.Position {
	line, start := 1, 0
	for i := 0; i < offset; i++ {
		if c := text[i]; c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			line, start = line+1, i+1
		}
	}
	column := 1
	for b := text[start:offset]; len(b) > 0; {
		r, size := utf8.DecodeRune(b)
		if column++; r > 0xffff {
			column++
		}
		b = b[size:]
	}
	return functable.Position{Line: int32(line), Column: int32(column)}
}
