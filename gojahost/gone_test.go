package gojahost

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// The runs of runtimes that overlap come in order of time, and the runs of one runtime in their own order.
func TestGoneRunsAreInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var got goneRuns
		var want []coordinator.Outside
		for runtime := range int64(10) {
			var more []coordinator.Outside
			at := r.Int64N(50)
			for range r.IntN(8) {
				more = append(more, coordinator.Outside{Time: at, Ticks: 1 + runtime})
				at += r.Int64N(10)
			}
			got.add(more, 0)
			want = append(want, more...)
		}
		slices.SortStableFunc(want, func(a, b coordinator.Outside) int { return cmp.Compare(a.Time, b.Time) })
		must.Equal(t, got.runs, want)
	}
}

// When there are too many, they become longer, a quarter fewer at once, so that this happens
// seldom, and in place. So a thousand runtimes a second need no more room than one.
func TestGoneRunsAreBounded(t *testing.T) {
	var g goneRuns
	const runtimes = 5 * maxGone
	for i := range int64(runtimes) {
		g.add([]coordinator.Outside{{Kind: profile.Idle, Time: i * 1e6, Ticks: 2}}, 0)
		if len(g.runs) > maxGone || cap(g.runs) > 2*maxGone {
			t.Fatalf("%d runs in room for %d", len(g.runs), cap(g.runs))
		}
	}
	total := int64(0)
	for _, run := range g.runs {
		total += run.Ticks
	}
	must.Equal(t, []int64{total, g.out.ticks}, []int64{2 * runtimes, 0}, "ticks that are kept, and that fell out")
	first := g.runs[0]
	must.Equal(t, first, coordinator.Outside{Kind: profile.Idle, Time: 0, Ticks: 200}, "a tenth of a second")
}

// Runs beyond the bound fall out, the oldest first, and are counted; so do runs that are too old.
func TestOldGoneRunsFallOut(t *testing.T) {
	var g goneRuns
	many := make([]coordinator.Outside, 3*maxGone)
	for i := range many {
		many[i] = coordinator.Outside{Kind: profile.Idle, Time: int64(i) * 60e9, Ticks: 1}
	}
	g.add(many, 0)
	kept := int64(len(g.runs))
	must.Equal(t, kept, maxGone-maxGone/4)
	must.Equal(t, g.out, fellOut{ticks: 3*maxGone - kept, till: g.runs[0].Time - 60e9, ever: 3*maxGone - kept})
	g.forget(many[len(many)-2].Time)
	must.Equal(t, len(g.runs), 2)
	must.Equal(t, g.out.ticks, 3*maxGone-2)
	g.empty()
	must.Equal(t, g, goneRuns{out: fellOut{ever: 3*maxGone - 2}})
}
