package k6

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// positions lead from the code with checks to what k6 shows, and back.
//
// k6's engine looks a position up in a source map by its line and the number of its byte
// in the line, counted from 1, and shows the line and column that the map says, or those
// of the nearest place before. It does so with the maps of bundlers, too, although their
// columns count from 0 and in UTF-16 units. So in the engine's map everything that comes
// after an insertion moves by the insertion's bytes, and the engine finds what it finds
// without. Inserted text is found where the text after it is: the text before may be the
// end of another function, as in function f() { function g() {}CHECK }.
type positions struct {
	engine []byte // the map, in JSON
	back   func(function, file string, line, column int) (int, int)
}

// stretch is an insertion by its place in the text without any: a line, and a byte in
// it, both from 0.
type stretch struct{ line, at, length int }

func newPositions(r source, made *instrumented.Script) (*positions, error) {
	stretches := stretchesOf(textpos.Of(r.code), made.Insertions)
	if r.ownMap == nil {
		return &positions{identity(r, stretches), (&moved{made, r.prefix, stretches}).back}, nil
	}
	own, err := sourcemap.Parse(r.ownMap)
	if err != nil {
		return nil, err
	}
	shifted := own.Shift(shifts(stretches))
	engine, err := shifted.Encode()
	if err != nil {
		return nil, err
	}
	return &positions{engine, newLookup(shifted, made).back}, nil
}

// identity leads to the code as k6 compiles it without the extension: with a head on the first
// line of CommonJS. Where there is a map, k6 puts that head on a line of its own.
func identity(r source, stretches []stretch) []byte {
	if r.prefix > 0 {
		r.code = append([]byte(wrapHead), r.code...)
		stretches = slices.Clone(stretches)
		for i := range stretches {
			if stretches[i].line == 0 {
				stretches[i].at += r.prefix
			}
		}
	}
	text := textpos.Of(r.code)
	all := places(text)
	for _, s := range stretches {
		all = append(all, sourcemap.Place{Line: int32(s.line), Column: int32(s.at + 1)})
	}
	insertions := append([]sourcemap.Insertion{{Column: int32(r.prefix), Width: -int32(r.prefix)}}, shifts(stretches)...)
	return sourcemap.Identity("", r.name, text, insertions, all)
}

// shifts are insertions by the columns that the engine looks up. Text that begins at byte at has
// column at+1, and stays in front of the insertion.
func shifts(stretches []stretch) []sourcemap.Insertion {
	all := make([]sourcemap.Insertion, len(stretches))
	for i, s := range stretches {
		all[i] = sourcemap.Insertion{Line: int32(s.line), Column: int32(s.at + 2), Width: int32(s.length)}
	}
	return all
}

// stretchesOf are insertions by their places in the text without any.
func stretchesOf(text *textpos.Text, insertions []transform.Insertion) []stretch {
	var all []stretch
	line, before := 0, 0
	for _, i := range insertions {
		offset := i.Offset - before
		for line+1 < text.Lines() && text.LineStart(line+1) <= offset {
			line++
		}
		all = append(all, stretch{line, offset - text.LineStart(line), i.Length})
		before += i.Length
	}
	return all
}

// places are where the engine may find something to report: everything but space and the
// insides of words.
func places(text *textpos.Text) []sourcemap.Place {
	var all []sourcemap.Place
	for line := range text.Lines() {
		inWord := false
		for at, c := range text.Line(line) {
			was := inWord
			inWord = c == '_' || c == '$' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
			if c > ' ' && !(was && inWord) {
				all = append(all, sourcemap.Place{Line: int32(line), Column: int32(at + 1)})
			}
		}
	}
	return all
}

// shown is the map by which profiles name functions and positions: from the code, into
// which some text has been inserted, to the sources.
func (r source) shown(inserted []transform.Insertion) ([]byte, error) {
	text := textpos.Of(r.code)
	own := r.ownMap
	if own == nil {
		var all []sourcemap.Place
		for at := range textpos.Characters(r.code) {
			all = append(all, sourcemap.Place(at))
		}
		own = sourcemap.Identity("", display(r.name), text, nil, all)
	}
	m, err := sourcemap.Parse(own)
	if err != nil {
		return nil, err
	}
	for i, s := range m.Sources {
		m.Sources[i] = display(s)
	}
	var insertions []sourcemap.Insertion
	for _, s := range stretchesOf(text, inserted) {
		column := textpos.Units(text.Line(s.line)[:s.at])
		insertions = append(insertions, sourcemap.Insertion{Line: int32(s.line), Column: int32(column), Width: int32(s.length)})
	}
	return m.Shift(insertions).Encode()
}

// moved leads back into a text that has no map of its own.
type moved struct {
	made      *instrumented.Script
	prefix    int       // bytes of the head on the first line
	stretches []stretch // in order
}

// back finds the place of the code: one that is in a function of that name, if text was
// inserted there.
func (m *moved) back(function, _ string, line, column int) (int, int) {
	if line == 1 {
		column -= m.prefix
	}
	at := max(column, 1) - 1
	first, _ := slices.BinarySearchFunc(m.stretches, line-1, func(s stretch, line int) int { return s.line - line })
	before := 0
	var places []functable.Position
	for _, s := range m.stretches[first:] {
		if s.line != line-1 || s.at > at {
			break
		}
		if s.at == at {
			places = append(places, placeOf(m.made, line, at+before+1))
		}
		before += s.length
	}
	own := placeOf(m.made, line, at+before+1)
	p := inFunction(m.made.Table, function, append(places, own))
	if m.made.Table.Find(p) == m.made.Table.Find(own) {
		p = own
	}
	return int(p.Line), int(p.Column)
}

// placeOf turns a column in bytes into one in UTF-16 units.
func placeOf(made *instrumented.Script, line, column int) functable.Position {
	return functable.Position{Line: int32(line), Column: int32(made.Column(line, column))}
}

// inFunction is the first place that is in a function of a name, else the first.
func inFunction(t *functable.Table, name string, places []functable.Position) functable.Position {
	for _, p := range places {
		if t.Functions[t.Find(p)].Name == name {
			return p
		}
	}
	return places[0]
}

// lookup inverts a map of a bundler. Several places of the code may come from one.
type lookup struct {
	made   *instrumented.Script
	text   *textpos.Text                  // of its code
	starts map[functable.Position][]found // by what the engine says
}

// found is a stretch of the code that a map leads to one place.
type found struct {
	source   string
	from, to functable.Position // in the code, lines from 1, bytes from 1
}

func newLookup(m *sourcemap.Map, made *instrumented.Script) *lookup {
	l := &lookup{made: made, text: textpos.Of(made.Code), starts: map[functable.Position][]found{}}
	for line := range m.Lines() {
		segments := m.Line(line)
		for i, s := range segments {
			if s.Source < 0 {
				continue
			}
			end := functable.Position{Line: int32(line + 2), Column: 1}
			if i+1 < len(segments) {
				end = functable.Position{Line: int32(line + 1), Column: segments[i+1].Column}
			}
			key := functable.Position{Line: s.SourceLine + 1, Column: s.SourceColumn}
			l.starts[key] = append(l.starts[key], found{m.Source(int(s.Source)), functable.Position{Line: int32(line + 1), Column: max(s.Column, 1)}, end})
		}
	}
	return l
}

// back finds the place of the code: one that is in a function of that name, if there are
// several. The check that takes a sample is in inserted text, for which the map has
// only the place of the surrounding text.
func (l *lookup) back(function, file string, line, column int) (int, int) {
	candidates := l.starts[functable.Position{Line: int32(line), Column: int32(column)}]
	var places []functable.Position
	for _, f := range candidates {
		if !strings.HasSuffix(file, strings.TrimLeft(path.Clean(f.source), "./")) && len(candidates) > 1 {
			continue
		}
		places = append(places, l.within(f)...)
	}
	if len(places) == 0 {
		return 1, 1
	}
	p := inFunction(l.made.Table, function, places)
	return int(p.Line), int(p.Column)
}

// within lists the places that a frame in a stretch may be at: its beginning, and inserted
// text. Where nothing is called before that text, only its own frames are in the stretch, so
// it comes first: the beginning may be the end of one function without a name, and the text
// in another one around it.
func (l *lookup) within(f found) []functable.Position {
	own := placeOf(l.made, int(f.from.Line), int(f.from.Column))
	insertions := l.insertedWithin(f)
	if len(insertions) == 0 {
		return []functable.Position{own}
	}
	var places []functable.Position
	for _, i := range insertions {
		line, column := l.text.Position(i.Offset)
		places = append(places, functable.Position{Line: int32(line + 1), Column: int32(column + 1)})
	}
	if bytes.Contains(l.made.Code[l.offset(f.from):insertions[0].Offset], []byte("(")) {
		return append([]functable.Position{own}, places...)
	}
	return append(places, own)
}

// insertedWithin lists what was inserted into a stretch.
func (l *lookup) insertedWithin(f found) []transform.Insertion {
	all := l.made.Insertions
	compare := func(i transform.Insertion, at int) int { return i.Offset - at }
	first, _ := slices.BinarySearchFunc(all, l.offset(f.from), compare)
	end, _ := slices.BinarySearchFunc(all, l.offset(f.to), compare)
	return all[first:max(first, end)]
}

// offset is the offset of a place in the code, or the end.
func (l *lookup) offset(p functable.Position) int {
	if int(p.Line) > l.text.Lines() {
		return len(l.made.Code)
	}
	return l.text.LineStart(int(p.Line)-1) + int(p.Column) - 1
}
