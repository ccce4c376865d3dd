package answer

import (
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// merger makes functions of several releases one, although their lines differ. A function is the same if
// its name and file are, and no other function of the file has this name. If several have it, they
// are the same in order of lines, if each release has as many.
type merger struct {
	first map[mergeKey][]profile.Function // of the first release that has it, in order of lines
}

type mergeKey struct {
	name, file string
	flags      profile.Flags
}

const identityFlags = profile.Pseudo | profile.NativeCode | profile.TopLevel

// identity is a function without the flags that say what is known of it.
func identity(f profile.Function) profile.Function {
	f.Flags &= identityFlags
	return f
}

// join returns what to call the functions of a release, of those that are the same as one of an
// earlier release.
func (m *merger) join(functions []profile.Function) map[profile.Function]profile.Function {
	if m.first == nil {
		m.first = map[mergeKey][]profile.Function{}
	}
	groups, have := map[mergeKey][]profile.Function{}, map[profile.Function]bool{}
	for _, f := range functions {
		if f = identity(f); have[f] {
			continue
		}
		have[f] = true
		key := mergeKey{f.Name, view.WithoutHash(f.File), f.Flags}
		groups[key] = append(groups[key], f)
	}
	same := map[profile.Function]profile.Function{}
	for key, list := range groups {
		slices.SortFunc(list, func(a, b profile.Function) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.File, b.File))
		})
		first := m.first[key]
		switch {
		case first == nil:
			m.first[key] = list
		case len(first) == len(list) && (key.name != "" || len(list) == 1 && key.flags&profile.TopLevel != 0):
			for i, f := range list {
				same[f] = first[i]
			}
		}
	}
	return same
}
