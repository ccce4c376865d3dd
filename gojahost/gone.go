package gojahost

import (
	"slices"
	"sort"

	"github.com/fieldprof/fieldprof/coordinator"
)

// maxGone bounds the runs of ticks outside the program of runtimes that are gone. When there
// are more, they become longer; when they would be too long, the oldest fall out.
const maxGone = 1 << 16

// goneRuns are these runs, in order of time.
type goneRuns struct {
	runs  []coordinator.Outside
	grain int64 // how far apart they begin (coordinator.Fewer)
	out   fellOut
}

// fellOut counts ticks that are not kept.
type fellOut struct {
	ticks int64 // since the recording was last emptied
	till  int64 // when the last of their runs began
	ever  int64
}

func (f *fellOut) add(ticks, till int64) {
	f.ticks, f.ever, f.till = f.ticks+ticks, f.ever+ticks, max(f.till, till)
}

// add merges the runs of another runtime, which are in order. All hosts of a pool wait
// meanwhile, and there may be a thousand runtimes a second: only runs that are later than the
// first of its runs move.
func (g *goneRuns) add(more []coordinator.Outside, keep int64) {
	i := len(g.runs)
	runs := append(g.runs, more...)
	for j := len(more); j > 0; {
		if i > 0 && runs[i-1].Time > more[j-1].Time {
			i--
			runs[i+j] = runs[i]
		} else {
			j--
			runs[i+j] = more[j]
		}
	}
	if g.runs = runs; len(runs) > maxGone {
		const most = maxGone - maxGone/4
		g.runs, g.grain = coordinator.Fewer(runs, most, g.grain, keep)
		g.drop(max(len(g.runs)-most, 0))
	}
}

// forget drops the runs that began before a time.
func (g *goneRuns) forget(before int64) {
	g.drop(sort.Search(len(g.runs), func(i int) bool { return g.runs[i].Time >= before }))
}

// drop drops the oldest runs.
func (g *goneRuns) drop(n int) {
	for _, run := range g.runs[:n] {
		g.out.add(run.Ticks, run.Time)
	}
	g.runs = slices.Delete(g.runs, 0, n)
}

// within are the runs that began within a part.
func (g *goneRuns) within(q *query) (within []coordinator.Outside) {
	for _, run := range g.runs {
		if run.Time >= q.from && run.Time < q.to {
			within = append(within, run)
		}
	}
	return within
}

// empty forgets everything.
func (g *goneRuns) empty() { *g = goneRuns{out: fellOut{ever: g.out.ever}} }
