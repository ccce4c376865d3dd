package view

import (
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// Alike returns a profile with its files under the names they have in another one, for what
// compares by name and file. As in Diff, a file may be the same though its URL's query or a build's hash
// is another: where such a file is in one of the profiles only, and there is one on each side.
func Alike(before, after *profile.Profile) *profile.Profile {
	old, now := filesOf(before), filesOf(after)
	for name := range old {
		if now[name] {
			delete(old, name)
			delete(now, name)
		}
	}
	renamed := map[string]string{}
	for _, shorten := range []func(string) string{withoutQuery, withoutBoth} {
		x, y := byShort(old, shorten), byShort(now, shorten)
		for short, names := range x {
			if others := y[short]; len(names) == 1 && len(others) == 1 {
				renamed[names[0]] = others[0]
				delete(old, names[0])
				delete(now, others[0])
			}
		}
	}
	if len(renamed) == 0 {
		return before
	}
	same := *before
	same.Strings, same.Functions.File = slices.Clone(before.Strings), slices.Clone(before.Functions.File)
	ids := map[profile.StringID]profile.StringID{}
	for i, id := range same.Functions.File {
		name, known := renamed[before.Strings[id]]
		if !known {
			continue
		}
		if ids[id] == 0 {
			ids[id] = profile.StringID(len(same.Strings))
			same.Strings = append(same.Strings, name)
		}
		same.Functions.File[i] = ids[id]
	}
	return &same
}

// withoutBoth is a file's name without query and hash.
func withoutBoth(file string) string { return WithoutHash(withoutQuery(file)) }

// filesOf returns the files of a profile's functions.
func filesOf(p *profile.Profile) map[string]bool {
	names := map[string]bool{}
	for _, id := range p.Functions.File {
		names[p.Strings[id]] = true
	}
	return names
}

// byShort are the names by what is left when they are shortened.
func byShort(names map[string]bool, shorten func(string) string) map[string][]string {
	groups := map[string][]string{}
	for name := range names {
		groups[shorten(name)] = append(groups[shorten(name)], name)
	}
	return groups
}
