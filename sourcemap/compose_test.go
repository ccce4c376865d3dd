package sourcemap

import "fmt"

// Compose joins two maps of one file's way through two tools: outer maps the
// final text to a text that inner maps to the sources. outer must have one
// source, the text between; see ComposeAll for more.
func Compose(outer, inner *Map) (*Map, error) {
	if n := len(outer.Sources); n != 1 {
		return nil, fmt.Errorf("source map: compose: the outer map has %d sources, want the one that the inner map describes", n)
	}
	return ComposeAll(outer, func(string) *Map { return inner }), nil
}

// ComposeAll replaces each source of outer that has a map of its own by the
// sources of that map; inner gives the map of a source (SourceRoot applied), or
// nil when the source is an original.
//
// A segment whose place the inner map does not know is dropped, so the place
// maps where the text before it does; one the inner map takes from no source
// says so in the result. The inner map's name wins over the outer's. A source
// named by several inner maps appears once, with the first contents found.
// Unknown fields are those of outer.
func ComposeAll(outer *Map, inner func(source string) *Map) *Map {
	c := composer{
		out:     &Map{File: outer.File, DebugID: outer.DebugID, debugIDKey: outer.debugIDKey, extra: outer.extra},
		sources: make(map[string]int32), names: make(map[string]int32),
	}
	inners := make([]*Map, len(outer.Sources))
	for i := range outer.Sources {
		inners[i] = inner(outer.Source(i))
	}
	var b builder
	for line := range outer.Lines() {
		b.toLine(line)
		for _, s := range outer.Line(line) {
			if t, ok := c.trace(outer, inners, s); ok {
				b.add(t)
			}
		}
	}
	b.into(c.out)
	return c.out
}

type composer struct {
	out            *Map
	sources, names map[string]int32
}

// trace follows a segment of outer through the inner map of its source.
func (c *composer) trace(outer *Map, inners []*Map, s Segment) (Segment, bool) {
	t := Segment{Column: s.Column, Source: -1, Name: -1}
	if s.Source < 0 {
		return t, true
	}
	from, place, name := outer, s, ""
	if s.Name >= 0 {
		name = outer.Names[s.Name]
	}
	if in := inners[s.Source]; in != nil {
		var ok bool
		if place, ok = in.segment(int(s.SourceLine), int(s.SourceColumn)); !ok {
			return t, false
		}
		if place.Source < 0 {
			return t, true
		}
		from = in
		if place.Name >= 0 {
			name = in.Names[place.Name]
		}
	}
	t.Source, t.SourceLine, t.SourceColumn = c.source(from, int(place.Source)), place.SourceLine, place.SourceColumn
	if name != "" {
		t.Name = intern(c.names, &c.out.Names, name)
	}
	return t, true
}

func (c *composer) source(m *Map, i int) int32 {
	before := len(c.out.Sources)
	id := intern(c.sources, &c.out.Sources, m.Source(i))
	var content *string
	if i < len(m.SourcesContent) {
		content = m.SourcesContent[i]
	}
	if int(id) == before {
		c.out.SourcesContent = append(c.out.SourcesContent, content)
		if m.IsIgnored(i) {
			c.out.IgnoreList = append(c.out.IgnoreList, id)
		}
	} else if c.out.SourcesContent[id] == nil {
		c.out.SourcesContent[id] = content
	}
	return id
}

func intern(ids map[string]int32, table *[]string, s string) int32 {
	id, ok := ids[s]
	if !ok {
		id = int32(len(*table))
		ids[s], *table = id, append(*table, s)
	}
	return id
}
