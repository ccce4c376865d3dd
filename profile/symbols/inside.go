package symbols

import (
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/profile"
)

// keepInside removes prefixes that lead outside from the names of a script's sources,
// and records the sources to ignore.
func (f *Found) keepInside(s *profile.Script) {
	if m := s.Map; m != nil {
		clean := make([]string, len(m.Sources))
		for i := range m.Sources {
			clean[i] = inside(m.Source(i))
			if m.IsIgnored(i) {
				f.Ignored[clean[i]] = true
			}
		}
		m.Sources, m.SourceRoot = clean, ""
	}
	if s.Table != nil {
		s.Table.Functions = append([]functable.Function(nil), s.Table.Functions...)
		for i := range s.Table.Functions {
			if o := s.Table.Functions[i].Original; o != nil {
				kept := *o
				kept.Source = inside(o.Source)
				s.Table.Functions[i].Original = &kept
			}
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
	for _, script := range slices.Sorted(maps.Keys(f.Scripts)) {
		if m := f.Scripts[script].Map; m != nil {
			if text, ok := m.Content(name); ok {
				return text, true
			}
		}
	}
	return "", false
}
