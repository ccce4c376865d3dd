package sourcemap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Parse reads a source map in JSON, plain or indexed. The `)]}'` line that
// some servers put before JSON is skipped.
func Parse(data []byte) (*Map, error) {
	data = trimPrefix(data)
	m := new(Map)
	var b builder
	if err := parseInto(m, &b, data, region{stopLine: math.MaxInt32, stopColumn: math.MaxInt32}, 0); err != nil {
		return nil, fmt.Errorf("source map: %w", err)
	}
	b.into(m)
	return m, nil
}

// trimPrefix cuts off what may precede the JSON of a map: a byte order mark, or the
// line `)]}'` that some servers send.
func trimPrefix(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.HasPrefix(data, []byte(")]}")) {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data
}

// region is the part of the generated text that a section describes: it
// begins at line and column and reaches to, but not over, the stop.
type region struct{ line, column, stopLine, stopColumn int }

// wire is a map as JSON holds it.
type wire struct {
	Version        *json.Number    `json:"version"`
	File           string          `json:"file"`
	SourceRoot     string          `json:"sourceRoot"`
	Sources        []*string       `json:"sources"`
	SourcesContent []*string       `json:"sourcesContent"`
	Names          []string        `json:"names"`
	Mappings       *string         `json:"mappings"`
	Sections       json.RawMessage `json:"sections"`
	IgnoreList     []int64         `json:"ignoreList"`
	IgnoreListOld  []int64         `json:"x_google_ignoreList"`
	DebugID        string          `json:"debugId"`
	DebugIDOld     string          `json:"debug_id"`
}

// known are the fields of wire; all others are kept as they are. The old
// spelling of the ignore list is among the others when the new one is missing.
var known = []string{"version", "file", "sourceRoot", "sources", "sourcesContent", "names", "mappings",
	"sections", "ignoreList", "x_google_ignoreList", "debugId", "debug_id"}

func parseInto(m *Map, b *builder, data []byte, r region, depth int) error {
	if depth > MaxDepth {
		return fmt.Errorf("sections nest deeper than %d", MaxDepth)
	}
	w, extra, err := decodeWire(data)
	if err != nil {
		return err
	}
	if depth == 0 {
		m.File, m.extra = w.File, extra
		m.DebugID, m.debugIDKey = w.DebugID, "debugId"
		if w.DebugID == "" && w.DebugIDOld != "" {
			m.DebugID, m.debugIDKey = w.DebugIDOld, "debug_id"
		}
	}
	if w.Sections != nil && string(w.Sections) != "null" {
		if w.Mappings != nil && *w.Mappings != "" {
			return errors.New("has both mappings and sections")
		}
		return parseSections(m, b, w.Sections, r, depth)
	}
	if w.Mappings == nil {
		return errors.New("has no mappings")
	}
	sourceBase, nameBase := len(m.Sources), len(m.Names)
	addTables(m, w, depth)
	// An upper bound, except for lines of one segment: a segment has at least a
	// digit and a separator.
	b.segments = slices.Grow(b.segments, min(strings.Count(*w.Mappings, ","), len(*w.Mappings)/2)+1)
	past := errors.New("past the region")
	err = decodeMappings(*w.Mappings, len(w.Sources), len(w.Names), func(line int, s Segment) error {
		column := int(s.Column)
		if line == 0 {
			column += r.column
		}
		line += r.line
		if line >= MaxLines {
			return fmt.Errorf("generated line %d is beyond %d", line+1, MaxLines)
		}
		if line > r.stopLine {
			return past
		}
		if line == r.stopLine && column >= r.stopColumn || column > math.MaxInt32 {
			return nil // the columns of a line may be out of order: the next may be inside
		}
		s.Column = int32(column)
		if s.Source >= 0 {
			s.Source += int32(sourceBase)
		}
		if s.Name >= 0 {
			s.Name += int32(nameBase)
		}
		b.toLine(line)
		b.add(s)
		return nil
	})
	if err == past {
		return nil
	}
	return err
}

func decodeWire(data []byte) (*wire, map[string]json.RawMessage, error) {
	w := new(wire)
	if err := json.Unmarshal(data, w); err != nil {
		if w, err = withOddNames(data, err); err != nil {
			return nil, nil, located(data, err)
		}
	}
	if w.Version == nil {
		return nil, nil, errors.New("has no version")
	}
	if w.Version.String() != "3" {
		return nil, nil, fmt.Errorf("version %s is not supported, only 3", w.Version)
	}
	extra := make(map[string]json.RawMessage)
	if err := json.Unmarshal(data, &extra); err != nil {
		return nil, nil, located(data, err)
	}
	// encoding/json matches names whatever their case: such a field was taken.
	maps.DeleteFunc(extra, func(key string, _ json.RawMessage) bool {
		return slices.Contains(known, key) || slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, key) })
	})
	return w, extra, nil
}

// withOddNames decodes a map that has something else than strings among its names. Those are
// no names; what refers to them has none.
func withOddNames(data []byte, fault error) (*wire, error) {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(fault, &mismatch) {
		return nil, fault
	}
	odd := struct {
		*wire
		Names []oddName `json:"names"`
	}{wire: new(wire)}
	if err := json.Unmarshal(data, &odd); err != nil {
		return nil, err
	}
	for _, name := range odd.Names {
		odd.wire.Names = append(odd.wire.Names, string(name))
	}
	return odd.wire, nil
}

// oddName is "" for what is no string.
type oddName string

func (n *oddName) UnmarshalJSON(data []byte) error {
	var text string
	if data[0] == '"' && json.Unmarshal(data, &text) == nil {
		*n = oddName(text)
	}
	return nil
}

// addTables appends a map's sources and names to those of the whole.
func addTables(m *Map, w *wire, depth int) {
	base := len(m.Sources)
	root := ""
	if depth == 0 {
		m.SourceRoot = w.SourceRoot
	} else {
		root = w.SourceRoot
	}
	for i, s := range w.Sources {
		if s == nil {
			m.nullSources = append(m.nullSources, int32(base+i))
			m.Sources = append(m.Sources, "")
			continue
		}
		m.Sources = append(m.Sources, joinRoot(root, *s))
	}
	if len(w.SourcesContent) > 0 || m.SourcesContent != nil {
		for len(m.SourcesContent) < len(m.Sources) {
			m.SourcesContent = append(m.SourcesContent, nil)
		}
		copy(m.SourcesContent[base:], w.SourcesContent)
	}
	m.Names = append(m.Names, w.Names...)
	ignored := w.IgnoreList
	if ignored == nil {
		ignored = w.IgnoreListOld
	}
	for _, s := range ignored {
		if isIndex(s, int64(len(w.Sources))) { // bundlers leave indices of sources that they have dropped
			m.IgnoreList = append(m.IgnoreList, int32(base)+int32(s))
		}
	}
}

func parseSections(m *Map, b *builder, data []byte, r region, depth int) error {
	var sections []struct {
		Offset struct{ Line, Column int64 }
		URL    *string
		Map    json.RawMessage
	}
	if err := json.Unmarshal(data, &sections); err != nil {
		return fmt.Errorf("sections: %w", err)
	}
	at := func(i int) (line, column int) {
		s := sections[i].Offset
		line, column = r.line+int(s.Line), int(s.Column)
		if s.Line == 0 {
			column += r.column
		}
		return line, column
	}
	for i, s := range sections {
		if s.Offset.Line < 0 || s.Offset.Line >= MaxLines || s.Offset.Column < 0 || s.Offset.Column > math.MaxInt32 {
			return fmt.Errorf("sections[%d]: offset %d:%d is out of range", i, s.Offset.Line, s.Offset.Column)
		}
		if i > 0 {
			p := sections[i-1].Offset
			if s.Offset.Line < p.Line || s.Offset.Line == p.Line && s.Offset.Column < p.Column {
				return fmt.Errorf("sections[%d]: offset %d:%d is before its predecessor's %d:%d",
					i, s.Offset.Line, s.Offset.Column, p.Line, p.Column)
			}
		}
		if s.URL != nil {
			return fmt.Errorf("sections[%d]: a section by URL is not supported", i)
		}
		if s.Map == nil {
			return fmt.Errorf("sections[%d]: has no map", i)
		}
	}
	for i, s := range sections {
		part := region{stopLine: r.stopLine, stopColumn: r.stopColumn}
		part.line, part.column = at(i)
		if i+1 < len(sections) {
			line, column := at(i + 1)
			if line < part.stopLine || line == part.stopLine && column < part.stopColumn {
				part.stopLine, part.stopColumn = line, column
			}
		}
		if err := parseInto(m, b, s.Map, part, depth+1); err != nil {
			return fmt.Errorf("sections[%d]: %w", i, err)
		}
	}
	return nil
}

// located puts line and column before an error of encoding/json.
func located(data []byte, err error) error {
	var offset int64
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &mismatch):
		offset = mismatch.Offset
	default:
		return err
	}
	before := data[:min(max(offset, 0), int64(len(data)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n') - 1
	return fmt.Errorf("JSON %d:%d: %w", line, max(1, column), err)
}
