package sourcemap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// Encode writes the map as JSON: version first, then the known fields, then
// the unknown ones in order of name. A map read from an index map is written
// plain.
func (m *Map) Encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	var err error
	put := func(key string, v any) {
		if err != nil {
			return
		}
		b.WriteByte(',')
		if err = enc.Encode(key); err != nil {
			return
		}
		b.Truncate(b.Len() - 1) // the encoder ends everything with a newline
		b.WriteByte(':')
		if err = enc.Encode(v); err == nil {
			b.Truncate(b.Len() - 1)
		}
	}
	b.WriteString(`{"version":3`)
	if m.File != "" {
		put("file", m.File)
	}
	if m.SourceRoot != "" {
		put("sourceRoot", m.SourceRoot)
	}
	put("sources", m.sourcesOrNull())
	if m.SourcesContent != nil {
		put("sourcesContent", m.SourcesContent)
	}
	put("names", nonNil(m.Names))
	b.WriteString(`,"mappings":"`)
	b.Write(m.appendMappings(make([]byte, 0, 8*len(m.segments)))) // base64 digits, commas and semicolons need no escape
	b.WriteByte('"')
	if m.IgnoreList != nil {
		put("ignoreList", m.IgnoreList)
	}
	if m.DebugID != "" {
		put(cmp.Or(m.debugIDKey, "debugId"), m.DebugID)
	}
	for _, k := range slices.Sorted(maps.Keys(m.extra)) {
		put(k, m.extra[k])
	}
	b.WriteByte('}')
	return b.Bytes(), err
}

// MarshalJSON is Encode.
func (m *Map) MarshalJSON() ([]byte, error) { return m.Encode() }

func (m *Map) sourcesOrNull() []*string {
	s := make([]*string, len(m.Sources))
	for i := range m.Sources {
		s[i] = &m.Sources[i]
	}
	for _, i := range m.nullSources {
		if s[i] != nil && *s[i] == "" {
			s[i] = nil
		}
	}
	return s
}

func nonNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
