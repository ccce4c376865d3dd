package answer

import (
	"cmp"
	"slices"

	"github.com/fieldprof/fieldprof/collect/store"
)

// cells number the sites of each release: the same deployed stack may be of other sources in another
// one.
type cells struct {
	n        int
	releases []releaseCells // the one with the most time in the first selection first
}

type releaseCells struct {
	name  string
	first int          // the number of its first cell
	sites []store.Hash // in order
}

// cellsOf are the cells of one or more selections.
func cellsOf(all ...*gathered) *cells {
	c, index := &cells{}, map[string]int{}
	for _, g := range all {
		of := make([]int, len(g.ticks.Groups))
		for i, group := range g.ticks.Groups {
			name := group.Values[0]
			at, known := index[name]
			if !known {
				at = len(c.releases)
				index[name] = at
				c.releases = append(c.releases, releaseCells{name: name})
			}
			of[i] = at
		}
		for _, sum := range g.ticks.Sums {
			r := &c.releases[of[sum.Group]]
			r.sites = append(r.sites, sum.Site)
		}
	}
	slices.SortFunc(c.releases, func(a, b releaseCells) int {
		for _, g := range all {
			if order := cmp.Compare(g.byTime[b.name], g.byTime[a.name]); order != 0 {
				return order
			}
		}
		return cmp.Compare(a.name, b.name)
	})
	for i := range c.releases {
		r := &c.releases[i]
		slices.Sort(r.sites)
		r.sites, r.first = slices.Compact(r.sites), c.n
		c.n += len(r.sites)
	}
	return c
}

// hashes are the sites of all releases.
func (c *cells) hashes() (all []store.Hash) {
	for i := range c.releases {
		all = append(all, c.releases[i].sites...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// finder returns the numbers of a selection's sums.
func (c *cells) finder(g *gathered) func(store.Sum) int {
	of := make([]*releaseCells, len(g.ticks.Groups))
	for i, group := range g.ticks.Groups {
		of[i] = &c.releases[slices.IndexFunc(c.releases, func(r releaseCells) bool { return r.name == group.Values[0] })]
	}
	return func(sum store.Sum) int {
		r := of[sum.Group]
		i, _ := slices.BinarySearch(r.sites, sum.Site)
		return r.first + i
	}
}
