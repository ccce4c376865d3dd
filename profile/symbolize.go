package profile

import (
	"sort"
	"unicode/utf16"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// Script is what is known of one deployed file. Either may be nil.
type Script struct {
	Table *functable.Table // of the deployed text
	Map   *sourcemap.Map   // from the deployed text to the sources
}

// Symbolize replaces what the engine said about the frames of known files (by file
// name) with what the file's function table and source map say.
//
// The function is the one whose range holds the frame's position. It is called
// by its original name, else its static one, else what it is assigned to, else
// ""; it is defined where the table or the map puts its definition, in the file
// as the map names it. Without either it stays where it is deployed. It is
// Checked when it carries checks or is a script's top level.
//
// The frame's position is mapped too; a position the map does not know, or puts
// into another file than the function's, becomes unknown.
//
// Bundlers wrap modules in functions that are in no source. Code that belongs
// directly to such a function, or to the bundle's own top level, is the top
// level (TopLevel) of the source its position maps to.
//
// A frame without a position, or without its column, is in the function that is
// defined where the engine said; its position stays unknown.
//
// With a map alone, functions keep their names, except those that the map names
// at their declaration: `function a(` by the segment of a.
//
// A function is HoldsOthers if it contains a function without a name or checks,
// usually an argument of a call, such as the arrow of list.map(x => x + 1), whose
// time counts here. A function that is assigned to something may have any caller.
//
// Frames of other files, pseudo-functions and native code do not change, nor do
// frames of which neither a position nor a definition is known.
func Symbolize(p *Profile, scripts map[string]Script) *Profile {
	var b Builder
	b.like(p)
	c := newCopier(p, &b)
	symbols := NewSymbolizer(func(file string) (Script, bool) {
		script, ok := scripts[file]
		return script, ok
	})
	c.frame = func(f FrameID) FrameID {
		t := &p.Frames
		function, at := symbols.Frame(p.Function(t.Function[f]), functable.Position{Line: t.Line[f], Column: t.Column[f]})
		return b.Frame(b.Function(function), at.Line, at.Column)
	}
	for i := range p.Len() {
		s := p.Sample(i)
		s.Stack = c.stack(s.Stack)
		b.Sample(s)
	}
	return b.Profile()
}

// Symbolizer does to one frame what Symbolize does to the frames of a profile. It asks for
// each script once.
type Symbolizer struct {
	scripts func(file string) (Script, bool)
	known   map[string]*symbols
}

// symbols are the map and table of a script, and which of its functions are HoldsOthers.
type symbols struct {
	Script
	holds []bool
}

// NewSymbolizer makes a Symbolizer that gets its scripts from a function.
func NewSymbolizer(scripts func(file string) (Script, bool)) *Symbolizer {
	return &Symbolizer{scripts, make(map[string]*symbols)}
}

// script returns nil for a file of which nothing is known.
func (s *Symbolizer) script(file string) *symbols {
	known, asked := s.known[file]
	if !asked {
		if script, ok := s.scripts(file); ok {
			known = &symbols{script, holding(script.Table)}
		}
		s.known[file] = known
	}
	return known
}

// Frame returns the original function and position of a frame, of which the engine has
// said the function and the position.
func (s *Symbolizer) Frame(was Function, at functable.Position) (Function, functable.Position) {
	in, within := at, at // the function, and in it
	if was.Line > 0 && (at.Line == 0 || at.Column == 0) {
		in, within = functable.Position{Line: was.Line, Column: max(1, was.Column)}, functable.Position{}
	}
	if was.Flags&(Pseudo|NativeCode) != 0 || in.Line == 0 {
		return was, at
	}
	script := s.script(was.File)
	if script == nil {
		return was, at
	}
	in.Column = max(1, in.Column)
	function, place := script.symbolize(was, in, within)
	if len(script.holds) > 0 && function.Flags&(Checked|TopLevel) == Checked && script.holds[script.function(was, in, within)] {
		function.Flags |= HoldsOthers
	}
	return function, place
}

// function returns the index in the table of the function at position in of the deployed
// text. If at, the position that runs, is unknown, in is where the function begins.
func (s *Script) function(was Function, in, at functable.Position) int {
	if at.IsZero() {
		return s.Table.Beginning(in, was.Name != "")
	}
	return s.Table.Find(in)
}

// symbolize says which function a position of the deployed text is in, and where
// in its source another one is, which may be unknown.
func (s *Script) symbolize(was Function, in, at functable.Position) (Function, functable.Position) {
	here := in
	if !at.IsZero() {
		at.Column = max(1, at.Column)
		here = at
	}
	place, placed := s.original(here)
	if s.Table == nil || len(s.Table.Functions) == 0 {
		return s.byMapAlone(was, at, place, placed)
	}
	entry := &s.Table.Functions[s.function(was, in, at)]
	f, defined := s.named(entry, was.File)
	switch {
	case defined:
	case placed:
		f.Name, f.File, f.Line, f.Column = "", place.Source, 1, 1
		f.Flags |= TopLevel | Checked
	default:
		where := entry.Definition
		if where.IsZero() {
			where = entry.Start
		}
		f.Line, f.Column = where.Line, where.Column
		return f, at // nothing is known of the sources here: all stays deployed
	}
	if at.IsZero() || !placed || place.Source != f.File {
		return f, functable.Position{}
	}
	return f, place.Position
}

// holding says which functions of a table contain a function without a name or
// checks. The caller of one at a script's top level is unknown.
func holding(table *functable.Table) []bool {
	if table == nil {
		return nil
	}
	holds := make([]bool, len(table.Functions))
	for i := range table.Functions {
		f := &table.Functions[i]
		if f.Parent >= 0 && f.Sites == 0 && f.Name == "" && f.Inferred == "" && (f.Kind == functable.Arrow || f.Kind == functable.Expression) {
			holds[f.Parent] = table.Functions[f.Parent].Kind != functable.Script
		}
	}
	return holds
}

// named is what profiles call a function of the table, and whether it is in the
// sources. A script's top level is not: it may belong to many sources.
func (s *Script) named(entry *functable.Function, file string) (Function, bool) {
	f := Function{Name: entry.Name, File: file, Flags: flagsOf(entry)}
	if f.Name == "" {
		f.Name = entry.Inferred
	}
	definition, defined := s.definition(entry)
	if entry.Kind == functable.Script || !defined {
		return f, false
	}
	if definition.Name != "" {
		f.Name = definition.Name
	}
	f.File, f.Line, f.Column = definition.Source, definition.Line, definition.Column
	return f, true
}

// Functions are the functions of the table that are in the sources, as
// Symbolize names them: those that a profile of the script can tell apart are Checked.
func (s *Script) Functions() []Function {
	if s.Table == nil {
		return nil
	}
	var list []Function
	for i := range s.Table.Functions {
		if f, defined := s.named(&s.Table.Functions[i], s.Table.File); defined {
			list = append(list, f)
		}
	}
	return list
}

// byMapAlone keeps the function the engine named, and maps what it can.
func (s *Script) byMapAlone(was Function, at functable.Position, place functable.Original, placed bool) (Function, functable.Position) {
	if !placed {
		return was, at
	}
	f := was
	f.File, f.Line, f.Column = place.Source, 0, 0
	if was.Line > 0 {
		if d, ok := s.original(functable.Position{Line: was.Line, Column: max(1, was.Column)}); ok && d.Source == place.Source {
			f.Line, f.Column = d.Line, d.Column
		}
		f.Name = s.declaredName(was)
	}
	if at.IsZero() {
		return f, at
	}
	return f, place.Position
}

// declaredName is what the map calls the name that ends where the function's
// parameters begin; without such a segment, the name stays.
func (s *Script) declaredName(was Function) string {
	if was.Name == "" || was.Column == 0 {
		return was.Name
	}
	width := int32(len(utf16.Encode([]rune(was.Name))))
	line := s.Map.Line(int(was.Line) - 1)
	i := sort.Search(len(line), func(i int) bool { return line[i].Column >= was.Column-1-width })
	if i < len(line) && line[i].Column == was.Column-1-width && line[i].Name >= 0 {
		return s.Map.Names[line[i].Name]
	}
	return was.Name
}

// definition is where a function was defined in the sources, and its name there.
func (s *Script) definition(entry *functable.Function) (functable.Original, bool) {
	if entry.Original != nil {
		return *entry.Original, true
	}
	where := entry.Definition
	if where.IsZero() {
		where = entry.Start
	}
	o, ok := s.original(where)
	o.Name = "" // of whatever is there, not of the function
	return o, ok
}

// original maps a position of the deployed text, counting from 1, to one of the
// sources, counting from 1.
func (s *Script) original(at functable.Position) (functable.Original, bool) {
	if s.Map == nil {
		return functable.Original{}, false
	}
	o, ok := s.Map.Find(int(at.Line)-1, int(at.Column)-1)
	if !ok {
		return functable.Original{}, false
	}
	return functable.Original{Source: o.Source, Name: o.Name,
		Position: functable.Position{Line: plusOne(o.Line), Column: plusOne(o.Column)}}, true
}

// plusOne stays within int32: a hostile map may speak of line 2³¹−1.
func plusOne(i int) int32 { return int32(min(i, 1<<31-2)) + 1 }

func flagsOf(entry *functable.Function) Flags {
	var flags Flags
	if entry.Sites != 0 || entry.Kind == functable.Script {
		flags |= Checked
	}
	if entry.Kind == functable.Script {
		flags |= TopLevel
	}
	if entry.FilledFirst {
		flags |= FilledFirst
	}
	if entry.Ignored {
		flags |= Ignored
	}
	return flags
}
