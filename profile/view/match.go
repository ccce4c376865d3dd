package view

import (
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// pair is one function in two profiles; -1 where it is in one of them only.
type pair struct{ before, after profile.FunctionID }

const none profile.FunctionID = -1

// matchKey is equal for the same function in two profiles. Code moves, so the position
// is not part of it.
type matchKey struct {
	name, file string
	identity   profile.Flags
}

// match finds the functions of one profile in another by name and file. If several
// share both, those at the same position come first, then the others in the order of
// the file. The rest is tried again without the queries of URLs, and then without the hashes
// that builds put into the names of files, where a file is in one of the profiles only: another
// one is called the same in both builds, even if its name looks as if it had a hash.
func match(before, after *profile.Profile, usedBefore, usedAfter []profile.FunctionID) []pair {
	var pairs []pair
	x, y := usedBefore, usedAfter
	old, now := files(before, x), files(after, y)
	ofOne := func(shorten func(string) string) func(string) string {
		return func(name string) string {
			if old[name] && now[name] {
				return name
			}
			return shorten(name)
		}
	}
	for _, file := range []func(string) string{func(name string) string { return name }, ofOne(withoutQuery), ofOne(withoutBoth)} {
		more, restX, restY := matchBy(before, after, x, y, file)
		pairs, x, y = append(pairs, more...), restX, restY
	}
	for _, f := range x {
		pairs = append(pairs, pair{f, none})
	}
	for _, f := range y {
		pairs = append(pairs, pair{none, f})
	}
	return pairs
}

// files returns the files of some functions.
func files(p *profile.Profile, of []profile.FunctionID) map[string]bool {
	names := make(map[string]bool)
	for _, f := range of {
		names[p.Function(f).File] = true
	}
	return names
}

func matchBy(before, after *profile.Profile, x, y []profile.FunctionID, file func(string) string) (pairs []pair, restX, restY []profile.FunctionID) {
	groups := map[matchKey][2][]profile.FunctionID{}
	var order []matchKey // so that the result does not depend on chance
	for side, list := range [][]profile.FunctionID{x, y} {
		p := [2]*profile.Profile{before, after}[side]
		for _, f := range list {
			fn := p.Function(f)
			key := matchKey{fn.Name, file(fn.File), fn.Flags & (profile.Pseudo | profile.NativeCode | profile.TopLevel)}
			group, known := groups[key]
			if !known {
				order = append(order, key)
			}
			group[side] = append(group[side], f)
			groups[key] = group
		}
	}
	for _, key := range order {
		group := groups[key]
		more, onlyX, onlyY := matchGroup(before, after, group[0], group[1])
		pairs, restX, restY = append(pairs, more...), append(restX, onlyX...), append(restY, onlyY...)
	}
	return pairs, restX, restY
}

type position struct{ line, column int32 }

func positionOf(p *profile.Profile, f profile.FunctionID) position {
	return position{p.Functions.Line[f], p.Functions.Column[f]}
}

// matchGroup matches functions of one name and file.
func matchGroup(before, after *profile.Profile, x, y []profile.FunctionID) (pairs []pair, restX, restY []profile.FunctionID) {
	at := map[position]profile.FunctionID{}
	for _, f := range y {
		at[positionOf(after, f)] = f
	}
	taken := map[profile.FunctionID]bool{}
	for _, f := range x {
		if same, ok := at[positionOf(before, f)]; ok && !taken[same] {
			taken[same] = true
			pairs = append(pairs, pair{f, same})
			continue
		}
		restX = append(restX, f)
	}
	restY = slices.DeleteFunc(slices.Clone(y), func(f profile.FunctionID) bool { return taken[f] })
	inOrder(before, restX)
	inOrder(after, restY)
	n := min(len(restX), len(restY))
	for i := range n {
		pairs = append(pairs, pair{restX[i], restY[i]})
	}
	return pairs, restX[n:], restY[n:]
}

// inOrder sorts functions by position in their file.
func inOrder(p *profile.Profile, list []profile.FunctionID) {
	slices.SortStableFunc(list, func(x, y profile.FunctionID) int {
		a, b := positionOf(p, x), positionOf(p, y)
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
}
