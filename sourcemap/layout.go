package sourcemap

import (
	"encoding/json"
	"slices"
	"strings"
)

// layout records where the fields of a map are in its JSON.
type layout struct {
	data       []byte
	mappings   span // between the quotes
	sections   span // from bracket to bracket
	sourceRoot span // between the quotes
	sources    list
	names      list
	ignored    map[int32]bool // by index of source; the new spelling of the list wins
	seen       int            // bits, of the fields in known
}

// list is an array of strings in JSON. at finds an element, once it is known
// where the elements begin.
type list struct {
	span
	count  int
	starts []int32
	texts  []string // decoded elements, those asked for
}

// layOut finds the fields of a map that looks as tools write it: no known field twice,
// in another case or of an unusual type. All other maps are left to Parse, whether
// they are wrong or merely odd.
func layOut(s *scanner) (*layout, bool) {
	l := &layout{data: s.data}
	lists := map[string][]int{} // the ignore lists
	ok := s.object(func(key []byte) bool {
		field := indexOfKnown(key)
		if field < 0 {
			return field == unknownField && s.value(1)
		}
		if l.seen&(1<<field) != 0 {
			return false
		}
		l.seen |= 1 << field
		return l.take(s, known[field], lists)
	})
	if !ok || !l.has("version") || l.has("mappings") == l.has("sections") || !l.setIgnored(lists) {
		return nil, false
	}
	return l, true
}

// setIgnored reports whether the indices on the ignore lists are indices of sources.
func (l *layout) setIgnored(lists map[string][]int) bool {
	for _, list := range lists {
		if len(list) > 0 && slices.Max(list) >= l.sources.count {
			return false
		}
	}
	list, ok := lists["ignoreList"]
	if !ok {
		list = lists["x_google_ignoreList"]
	}
	l.ignored = make(map[int32]bool, len(list))
	for _, source := range list {
		l.ignored[int32(source)] = true
	}
	return true
}

func (l *layout) ignores(source int32) bool { return l.ignored[source] }

func (l *layout) has(field string) bool { return l.seen&(1<<indexOfKnown([]byte(field))) != 0 }

const (
	unknownField = -1
	oddField     = -2 // encoding/json might take it for a known one
)

// indexOfKnown finds a key in known.
func indexOfKnown(key []byte) int {
	for i, k := range known {
		if string(key) == k {
			return i
		}
	}
	for _, c := range key {
		if c == '\\' || c >= 0x80 || c < ' ' {
			return oddField
		}
	}
	for _, k := range known {
		if len(k) == len(key) && strings.EqualFold(k, string(key)) {
			return oddField
		}
	}
	return unknownField
}

// take takes the value of a known field.
func (l *layout) take(s *scanner, field string, lists map[string][]int) (ok bool) {
	switch field {
	case "version":
		n, ok := s.number()
		return ok && string(s.data[n.start:n.end]) == "3"
	case "mappings":
		l.mappings, ok = s.text()
	case "sourceRoot":
		l.sourceRoot, ok = s.text()
	case "file", "debugId", "debug_id":
		_, ok = s.text()
	case "sources":
		l.sources.start = s.at
		l.sources.count, ok = s.array(func() bool { return s.textOrNull() })
		l.sources.end = s.at
	case "sourcesContent":
		_, ok = s.array(func() bool { return s.textOrNull() })
	case "names":
		l.names.start = s.at
		l.names.count, ok = s.array(func() bool { _, ok := s.text(); return ok })
		l.names.end = s.at
	case "ignoreList", "x_google_ignoreList":
		lists[field] = []int{}
		_, ok = s.array(func() bool {
			i, ok := s.count()
			lists[field] = append(lists[field], i)
			return ok
		})
	case "sections":
		s.space()
		l.sections.start = s.at
		ok = s.value(1)
		l.sections.end = s.at
	}
	return ok
}

func (s *scanner) textOrNull() bool {
	if s.null() {
		return true
	}
	_, ok := s.text()
	return ok
}

// source returns the name of a source, prefixed with the root, or "" for null. It
// returns false if a string cannot be decoded.
func (l *layout) source(i int) (string, bool) {
	return l.sources.element(l.data, i, func(text string) (string, bool) {
		if !l.has("sourceRoot") {
			return text, true
		}
		root, ok := unquote(l.data, l.sourceRoot)
		return joinRoot(root, text), ok
	})
}

// name returns a name.
func (l *layout) name(i int) (string, bool) {
	return l.names.element(l.data, i, func(text string) (string, bool) { return text, true })
}

// element returns an element of a list, "" for null. It indexes the list once.
func (t *list) element(data []byte, i int, finish func(string) (string, bool)) (string, bool) {
	if t.starts == nil {
		t.starts, t.texts = make([]int32, 0, t.count), make([]string, t.count)
		s := &scanner{data[:t.end], t.start}
		s.array(func() bool {
			s.space()
			t.starts = append(t.starts, int32(s.at))
			return s.textOrNull()
		})
	}
	if t.texts[i] != "" {
		return t.texts[i], true
	}
	s := &scanner{data[:t.end], int(t.starts[i])}
	if s.null() {
		return "", true
	}
	quoted, _ := s.text()
	text, ok := unquote(data, quoted)
	if ok {
		text, ok = finish(text)
	}
	t.texts[i] = text
	return text, ok
}

// unquote decodes what is between quotes.
func unquote(data []byte, s span) (text string, ok bool) {
	for _, c := range data[s.start:s.end] {
		if c < ' ' || c >= 0x80 || c == '\\' {
			err := json.Unmarshal(data[s.start-1:s.end+1], &text)
			return text, err == nil
		}
	}
	return string(data[s.start:s.end]), true
}
