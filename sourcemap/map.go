package sourcemap

import (
	"encoding/json"
	"slices"
	"sort"
)

// Bounds on what Parse accepts.
const (
	MaxLines = 1 << 24 // generated lines
	MaxDepth = 16      // index maps inside index maps
)

// Segment maps a place of the generated text, which reaches to the next
// segment on the same line. All numbers count from 0.
type Segment struct {
	Column       int32 // generated column
	Source       int32 // index into Sources; -1: the place comes from no source
	SourceLine   int32
	SourceColumn int32
	Name         int32 // index into Names; -1: none
}

// Map is a source map. An index map is flattened by Parse: its sections'
// sources and names are concatenated.
type Map struct {
	File           string
	SourceRoot     string
	Sources        []string  // as written; see Source for SourceRoot applied
	SourcesContent []*string // nil, or as long as Sources; nil entries are unknown
	Names          []string
	IgnoreList     []int32 // indices into Sources of code that is not the user's
	DebugID        string

	segments []Segment
	lines    []int32 // where each generated line begins in segments, and the end

	extra       map[string]json.RawMessage // fields this package does not know
	debugIDKey  string                     // spelling the map came with
	nullSources []int32                    // sources that were null, written back as such
}

// Original is a place in a source.
type Original struct {
	Source       string // SourceRoot applied; "" for a source without a name
	Line, Column int    // from 0; Column in UTF-16 code units
	Name         string // of the thing at that place, "" when the map has none
}

// Lines returns the number of generated lines that the map covers.
func (m *Map) Lines() int { return max(0, len(m.lines)-1) }

// Line returns the segments of a generated line, in order of column. The
// slice belongs to the map.
func (m *Map) Line(line int) []Segment {
	if line < 0 || line >= m.Lines() {
		return nil
	}
	return m.segments[m.lines[line]:m.lines[line+1]]
}

// Source returns the name of a source, prefixed with SourceRoot, or "" for one that
// is null in the JSON.
func (m *Map) Source(i int) string {
	if i < 0 || i >= len(m.Sources) {
		return ""
	}
	if m.Sources[i] == "" {
		if _, null := slices.BinarySearch(m.nullSources, int32(i)); null {
			return ""
		}
	}
	return joinRoot(m.SourceRoot, m.Sources[i])
}

func joinRoot(root, source string) string {
	switch {
	case root == "":
		return source
	case root[len(root)-1] == '/':
		return root + source
	}
	return root + "/" + source
}

// Find returns where a generated position comes from. It returns false if the line
// has no segment at or before the column, or if that segment says that the text comes
// from no source.
func (m *Map) Find(line, column int) (Original, bool) {
	seg, ok := m.segment(line, column)
	if !ok || seg.Source < 0 {
		return Original{}, false
	}
	o := Original{Source: m.Source(int(seg.Source)), Line: int(seg.SourceLine), Column: int(seg.SourceColumn)}
	if seg.Name >= 0 {
		o.Name = m.Names[seg.Name]
	}
	return o, true
}

// segment finds the segment a position belongs to.
func (m *Map) segment(line, column int) (Segment, bool) {
	segs := m.Line(line)
	// The first segment after the column; the wanted one precedes it.
	i := sort.Search(len(segs), func(i int) bool { return int(segs[i].Column) > column })
	if i == 0 {
		return Segment{}, false
	}
	i--
	if int(segs[i].Column) == column {
		for i > 0 && int(segs[i-1].Column) == column {
			i--
		}
	}
	return segs[i], true
}

// IsIgnored reports whether a source is on the map's ignore list.
func (m *Map) IsIgnored(source int) bool { return slices.Contains(m.IgnoreList, int32(source)) }

// builder collects segments in order of line.
type builder struct {
	segments []Segment
	lines    []int32
	sorted   bool // the current line's columns have not gone back so far
}

// toLine moves on to a line, which must not be before the current one.
func (b *builder) toLine(line int) {
	if n := line - len(b.lines); n > 0 {
		b.lines = slices.Grow(b.lines, n+1)
	}
	for len(b.lines) <= line {
		b.finishLine()
		b.lines = append(b.lines, int32(len(b.segments)))
	}
}

func (b *builder) add(s Segment) {
	if n := len(b.segments); n > int(b.lines[len(b.lines)-1]) && b.segments[n-1].Column > s.Column {
		b.sorted = false
	}
	b.segments = append(b.segments, s)
}

// finishLine sorts a line whose columns went back, which the format permits.
func (b *builder) finishLine() {
	if len(b.lines) > 0 && !b.sorted {
		slices.SortStableFunc(b.segments[b.lines[len(b.lines)-1]:], func(x, y Segment) int { return int(x.Column) - int(y.Column) })
	}
	b.sorted = true
}

func (b *builder) into(m *Map) {
	b.finishLine()
	m.segments, m.lines = b.segments, append(b.lines, int32(len(b.segments)))
}

// Content returns the text of a source, by its name as Find gives it, if the
// map holds it.
func (m *Map) Content(source string) (string, bool) {
	for i := range m.Sources {
		if m.Source(i) == source && i < len(m.SourcesContent) && m.SourcesContent[i] != nil {
			return *m.SourcesContent[i], true
		}
	}
	return "", false
}
