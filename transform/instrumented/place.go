package instrumented

import (
	"fmt"
	"slices"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// Place is a position in a source.
type Place struct {
	Function string // "" at a script's top level
	File     string
	Line     int    // 1-based
	Column   int    // 1-based, UTF-16 units
	Text     string // the line, "" if it is not known
	Offset   int    // of the column in Text, in bytes
}

// String formats the place as stacks show it: "f (app.ts:3:9)".
func (p Place) String() string {
	if p.Function == "" {
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
	return fmt.Sprintf("%s (%s:%d:%d)", p.Function, p.File, p.Line, p.Column)
}

// Place follows a position of the script (1-based line and UTF-16 column) to
// the sources. A position that the map does not know stays as it is.
func (s *Script) Place(line, column int) Place {
	p := Place{File: s.File(), Line: line, Column: column}
	if line < 1 || line > s.text.Lines() {
		return p
	}
	p.show(s.text, line-1, column-1)
	i := s.Table.Find(functable.Position{Line: int32(line), Column: int32(column)})
	p.Function = functionName(&s.Table.Functions[i])
	if s.to == nil {
		return p
	}
	if found, ok := s.to.Find(line-1, max(column-1, 0)); ok {
		p.File, p.Line, p.Column = found.Source, found.Line+1, found.Column+1
		content, _ := s.to.Content(found.Source)
		p.show(textpos.Of([]byte(content)), found.Line, found.Column)
	}
	return p
}

// show sets the line's text; line and column are 0-based.
func (p *Place) show(t *textpos.Text, line, column int) {
	p.Text = string(t.Line(line))
	p.Offset = textpos.Bytes([]byte(p.Text), column)
}

// Column turns a column of the script that counts bytes, as goja's do, into one that
// counts UTF-16 units. Both are 1-based, as the line is.
func (s *Script) Column(line, column int) int {
	if line < 1 || column < 1 || line > s.text.Lines() {
		return column
	}
	text := s.text.Line(line - 1)
	within := min(column-1, len(text))
	return column - within + textpos.Units(text[:within])
}

// functionName is the name that a stack shows: none for a script's top level, nor
// for the functions in which bundlers wrap modules and which are in no source.
func functionName(f *functable.Function) string {
	switch {
	case f.Kind == functable.Script || f.Original == nil:
		return ""
	case f.Original.Name != "":
		return f.Original.Name
	case f.Inferred != "":
		return f.Inferred
	}
	return profile.DisplayAnonymous
}

// InSources drops the places that exist only because of bundling.
func (s *Script) InSources(places []Place) []Place {
	return slices.DeleteFunc(places, func(p Place) bool { return p.File == s.File() })
}
