package k6

import (
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
// after an insertion moves by the insertion's bytes, and what the engine finds is what it
// found without.
type positions struct {
	engine []byte // the map, in JSON
	back   func(function, file string, line, column int) (int, int)
}

// stretch is an insertion by its place in the text without any: a line, and a byte in
// it, both from 0.
type stretch struct{ line, at, length int }

func newPositions(r source, made *instrumented.Script) (*positions, error) {
	text := textpos.Of(r.code)
	stretches := stretchesOf(text, made.Insertions)
	insertions := make([]sourcemap.Insertion, len(stretches))
	for i, s := range stretches {
		insertions[i] = sourcemap.Insertion{Line: int32(s.line), Column: int32(s.at + 1), Width: int32(s.length)}
	}
	if r.ownMap == nil {
		p := &positions{engine: sourcemap.Identity("", r.name, text, insertions, places(text))}
		p.back = func(_, _ string, line, column int) (int, int) {
			moved := max(column, 1)
			for _, s := range stretches {
				if s.line == line-1 && s.at < column {
					moved += s.length
				}
			}
			return line, made.Column(line, moved)
		}
		return p, nil
	}
	own, err := sourcemap.Parse(r.ownMap)
	if err != nil {
		return nil, err
	}
	shifted := own.Shift(insertions)
	p := &positions{}
	if p.engine, err = shifted.Encode(); err != nil {
		return nil, err
	}
	p.back = newLookup(shifted, made).back
	return p, nil
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
// several. The check that takes a sample stands in inserted text, which has no place in
// the map but that of what stands before it.
func (l *lookup) back(function, file string, line, column int) (int, int) {
	candidates := l.starts[functable.Position{Line: int32(line), Column: int32(column)}]
	var places []functable.Position
	for _, f := range candidates {
		if !strings.HasSuffix(file, strings.TrimLeft(path.Clean(f.source), "./")) && len(candidates) > 1 {
			continue
		}
		places = append(places, l.place(f.from))
		places = append(places, l.insertedWithin(f)...)
	}
	for _, p := range places {
		if l.made.Table.Functions[l.made.Table.Find(p)].Name == function {
			return int(p.Line), int(p.Column)
		}
	}
	if len(places) > 0 {
		return int(places[0].Line), int(places[0].Column)
	}
	return 1, 1
}

// place turns bytes into UTF-16 units.
func (l *lookup) place(p functable.Position) functable.Position {
	p.Column = int32(l.made.Column(int(p.Line), int(p.Column)))
	return p
}

// insertedWithin lists the places of inserted text in a stretch.
func (l *lookup) insertedWithin(f found) []functable.Position {
	text := l.text
	if int(f.from.Line) > text.Lines() {
		return nil
	}
	start := text.LineStart(int(f.from.Line)-1) + int(f.from.Column) - 1
	end := len(l.made.Code)
	if int(f.to.Line) <= text.Lines() {
		end = text.LineStart(int(f.to.Line)-1) + int(f.to.Column) - 1
	}
	first, _ := slices.BinarySearchFunc(l.made.Insertions, start, func(i transform.Insertion, at int) int { return i.Offset - at })
	var places []functable.Position
	for _, i := range l.made.Insertions[first:] {
		if i.Offset >= end {
			break
		}
		line, column := text.Position(i.Offset)
		places = append(places, functable.Position{Line: int32(line + 1), Column: int32(column + 1)})
	}
	return places
}
