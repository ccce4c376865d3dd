package symbols

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// parse reads a map, and removes prefixes that lead outside from the names of its sources.
func parse(data []byte) (*sourceMap, error) {
	m, err := sourcemap.Parse(data)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(m.Sources))
	for i := range m.Sources {
		names[i] = m.Source(i)
	}
	others := apart(names)
	for i, source := range names {
		names[i] = nameOf(source, others)
	}
	m.Sources, m.SourceRoot = names, ""
	return &sourceMap{m, others}, nil
}

// deepest bounds what it takes to find a function: its callers may climb to the outermost.
const deepest = 2000

// decode does the same for a function table.
func decode(data []byte) (*sourceTable, error) {
	t, err := functable.Decode(data)
	if err != nil {
		return nil, err
	}
	depths, sources := make([]int, len(t.Functions)), make([]string, len(t.Functions))
	for i := range t.Functions {
		if parent := t.Functions[i].Parent; parent >= 0 { // which comes first
			depths[i] = depths[parent] + 1
		}
		if depths[i] > deepest {
			return nil, fmt.Errorf("functions are nested more than %d deep", deepest)
		}
		if o := t.Functions[i].Original; o != nil {
			sources[i] = o.Source
		}
	}
	others := apart(sources)
	for i := range t.Functions {
		if o := t.Functions[i].Original; o != nil {
			o.Source = nameOf(sources[i], others)
		}
	}
	return &sourceTable{t, sources}, nil
}

// ignore records the sources to ignore.
func (f *Found) ignore(m *sourceMap) {
	if m == nil {
		return
	}
	for _, i := range m.IgnoreList { // not IsIgnored for each source: a hostile map has a million of both
		if i >= 0 && int(i) < len(m.Sources) {
			f.Ignored[m.Sources[i]] = true
		}
	}
}

// inside is a source's name without a scheme, a drive, a root or ways up.
func inside(source string) string {
	name := pathglob.Plain(strings.ReplaceAll(source, "\x00", ""))
	for len(name) > 1 && name[1] == ':' { // a drive
		name = pathglob.Plain(name[2:])
	}
	return name
}

// Symbolize maps a profile to its sources, and folds the ignored ones into their
// callers unless they are to be kept.
func (f *Found) Symbolize(p *profile.Profile, keepIgnored bool) *profile.Profile {
	p = profile.Symbolize(p, f.Scripts)
	if keepIgnored || len(f.Ignored) == 0 {
		return p
	}
	return profile.Fold(p, func(fn profile.Function) bool { return f.Ignored[fn.File] })
}

// Source is the text of a source, by its name in the result of Symbolize, if a map
// holds it.
func (f *Found) Source(name string) (string, bool) {
	f.indexing.Do(func() {
		f.texts = map[string]*string{}
		for _, script := range slices.Sorted(maps.Keys(f.Scripts)) {
			m := f.Scripts[script].Map
			if m == nil {
				continue
			}
			for i, text := range m.SourcesContent {
				if source := m.Sources[i]; text != nil && f.texts[source] == nil {
					f.texts[source] = text
				}
			}
		}
	})
	text := f.texts[name]
	if text == nil {
		return "", false
	}
	return *text, true
}
