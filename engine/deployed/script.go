// Package deployed knows a program as an engine runs it, one instrumented
// script, and the way back from it to the sources: of positions, of errors that
// the program did not catch, and of recordings made in another process.
package deployed

import (
	"fmt"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
)

// Script is the script as it runs, with what leads back to the sources.
type Script struct {
	File  string // the name the engine knows it by
	Code  []byte
	Table *functable.Table
	// Coverage is how much of it the checks can tell apart.
	Coverage profile.Coverage

	to   *sourcemap.Map
	text *textpos.Text // of Code
}

// New describes a script that is instrumented already. The table may be nil for
// one without checks, and the map (JSON) for one that leads nowhere.
func New(file string, code []byte, table *functable.Table, sourceMap []byte) (*Script, error) {
	if table == nil {
		table = &functable.Table{File: file, Functions: []functable.Function{{Kind: functable.Script, Parent: -1}}}
	}
	s := &Script{File: file, Code: code, Table: table, text: textpos.Of(code)}
	if sourceMap != nil {
		var err error
		if s.to, err = sourcemap.Parse(sourceMap); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Web instruments a bundle for Node or a browser, as the settings say; in mode
// Clean it stays as it is. A module imports its bindings from the module checks.
// The warnings are the transform's.
func Web(file string, b *bundle.Bundle, goal transform.Goal, checks string, settings engine.Settings) (*Script, []string, error) {
	if settings.Mode == engine.Clean {
		s, err := New(file, b.Code, nil, b.SourceMap)
		return s, nil, err
	}
	result, err := transform.Transform(b.Code, transform.Options{
		File:   file,
		Target: transform.Web,
		Goal:   goal,
		Selection: transform.Selection{
			Preset:        settings.Preset,
			MinStatements: settings.MinStatements,
			Checks:        settings.Checks,
		},
		SourceMap:    b.SourceMap,
		ChecksModule: checks,
	})
	if err != nil {
		return nil, nil, err
	}
	var warnings []string
	for _, w := range result.Warnings {
		warnings = append(warnings, w.String())
	}
	s, err := New(file, result.Code, result.Table, result.Map)
	if err == nil {
		s.Coverage = profile.Coverage{
			Functions: int64(result.Stats.Functions), CheckedFunctions: int64(result.Stats.CheckedFunctions),
			Statements: int64(result.Stats.Statements), CheckedStatements: int64(result.Stats.CheckedStatements),
		}
	}
	return s, warnings, err
}

// Place is a position in a source.
type Place struct {
	Function string // "" at a script's top level
	File     string
	Line     int // 1-based
	Column   int // 1-based, UTF-16 units
	text     string
	offset   int // of the column in text, in bytes
}

// String is the place as stacks show it: "f (app.ts:3:9)".
func (p Place) String() string {
	if p.Function == "" {
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
	return fmt.Sprintf("%s (%s:%d:%d)", p.Function, p.File, p.Line, p.Column)
}

// PlaceOfByte is Place for a column that counts bytes.
func (s *Script) PlaceOfByte(line, column int) Place {
	text := s.text.Line(line - 1)
	return s.Place(line, 1+textpos.Units(text[:min(max(column-1, 0), len(text))]))
}

// Place follows a position of the script (1-based line and UTF-16 column) to
// the sources. Positions the map does not know stay those of the script.
func (s *Script) Place(line, column int) Place {
	p := Place{File: s.File, Line: line, Column: column}
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

// show keeps the line of a place, both from 0.
func (p *Place) show(text *textpos.Text, line, column int) {
	p.text = string(text.Line(line))
	p.offset = textpos.Bytes([]byte(p.text), column)
}

// functionName is what a stack shows: nothing for a script's top level, nor for
// the functions that bundlers wrap modules in, which are in no source.
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

// InSources leaves out the places that only bundling put there.
func (s *Script) InSources(places []Place) []Place {
	var kept []Place
	for _, p := range places {
		if p.File != s.File {
			kept = append(kept, p)
		}
	}
	return kept
}

// Glue reports whether a function is in no source, but was put around them by
// the bundler.
func (s *Script) Glue(f profile.Function) bool { return f.File == s.File }

// Symbols are what profile.Symbolize needs.
func (s *Script) Symbols() profile.Script { return profile.Script{Table: s.Table, Map: s.to} }
