package sourcemap

import (
	"cmp"
	"math"
	"slices"
)

// Place is a position in the generated text before any insertion. Line and
// Column count from 0; Column in UTF-16 code units.
type Place struct{ Line, Column int32 }

// Rewritten is the result of Rewrite.
type Rewritten struct {
	// JSON is the map of the generated text after the insertions.
	JSON []byte
	// Originals holds for each place, in the order given, what Find returns for it in
	// the old map. If Find knows nothing, Source is "" and Line -1.
	Originals []Original
	// Ignored says for each place whether its source is on the map's ignore list.
	Ignored []bool
}

// Rewrite looks up places in a source map and moves its columns after
// insertions. The result is that of Parse, Find, Shift and Encode together, but the
// map is not decoded: Rewrite edits the mappings in place, those of an index map too,
// and leaves every other byte of the JSON as it is. Only an odd map (columns that go
// back, duplicate keys or keys in another case, sections that nest or reach into the
// next) is written again by Encode.
//
// Strings that no place needs are copied unread: a fault inside one, which Parse would
// report, is carried over into the new map.
func Rewrite(data []byte, insertions []Insertion, places []Place) (*Rewritten, error) {
	insertions = sorted(insertions, compareInsertions)
	if slices.IsSortedFunc(places, comparePlaces) {
		return rewrite(data, insertions, places)
	}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return comparePlaces(places[i], places[j]) })
	inOrder := make([]Place, len(places))
	for i, from := range order {
		inOrder[i] = places[from]
	}
	r, err := rewrite(data, insertions, inOrder)
	if err != nil {
		return nil, err
	}
	originals, ignored := make([]Original, len(places)), make([]bool, len(places))
	for i, to := range order {
		originals[to], ignored[to] = r.Originals[i], r.Ignored[i]
	}
	r.Originals, r.Ignored = originals, ignored
	return r, nil
}

func comparePlaces(x, y Place) int {
	return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
}

func rewrite(data []byte, insertions []Insertion, places []Place) (*Rewritten, error) {
	if r, ok := rewriteInPlace(data, insertions, places); ok {
		return r, nil
	}
	return rewriteWhole(data, insertions, places)
}

// rewriteWhole decodes the map and writes it again.
func rewriteWhole(data []byte, insertions []Insertion, places []Place) (*Rewritten, error) {
	m, err := Parse(data)
	if err != nil {
		return nil, err
	}
	r := &Rewritten{Originals: make([]Original, len(places)), Ignored: make([]bool, len(places))}
	list := make(map[int32]bool, len(m.IgnoreList))
	for _, source := range m.IgnoreList {
		list[source] = true
	}
	for i, p := range places {
		o, ok := m.Find(int(p.Line), int(p.Column))
		if !ok {
			o = Original{Line: -1}
		} else if seg, ok := m.segment(int(p.Line), int(p.Column)); ok {
			r.Ignored[i] = list[seg.Source]
		}
		r.Originals[i] = o
	}
	r.JSON, err = m.Shift(insertions).Encode()
	return r, err
}

// rewriteInPlace edits the JSON. It returns false for a map that only Parse can
// handle.
func rewriteInPlace(data []byte, insertions []Insertion, places []Place) (*Rewritten, bool) {
	data = trimPrefix(data)
	if len(data) > math.MaxInt32 || slices.ContainsFunc(insertions, func(i Insertion) bool { return i.Width < 0 }) {
		return nil, false
	}
	scan := scanner{data: data}
	l, ok := layOut(&scan)
	if !ok || scan.space() != 0 || scan.at < len(data) {
		return nil, false
	}
	s := newShifter(data, insertions, places)
	if l.has("sections") {
		ok = s.sections(l)
	} else {
		s.begin(0)
		ok = s.mappings(l, 0)
	}
	if !ok {
		return nil, false
	}
	r := &Rewritten{JSON: s.done(), Originals: make([]Original, len(places)), Ignored: make([]bool, len(places))}
	for i, a := range s.found {
		r.Ignored[i] = a.in != nil && a.in.ignores(a.source)
		if r.Originals[i], ok = a.original(); !ok {
			return nil, false
		}
	}
	return r, true
}

// original decodes the strings of an answer.
func (a *answer) original() (o Original, ok bool) {
	if a.in == nil {
		return Original{Line: -1}, true
	}
	o.Line, o.Column = int(a.line), int(a.column)
	if o.Source, ok = a.in.source(int(a.source)); ok && a.name >= 0 {
		o.Name, ok = a.in.name(int(a.name))
	}
	return o, ok
}
