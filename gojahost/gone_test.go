package gojahost

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
)

// The runs of runtimes that overlap come in order of time, and those of one runtime in theirs.
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
			must.Equal(t, got.add(more), 0, "ticks fell out")
			want = append(want, more...)
		}
		slices.SortStableFunc(want, func(a, b coordinator.Outside) int { return cmp.Compare(a.Time, b.Time) })
		must.Equal(t, []coordinator.Outside(got), want)
	}
}

// When there are too many, a quarter falls out at once, so that this happens seldom, and in
// place.
func TestGoneRunsAreBounded(t *testing.T) {
	var g goneRuns
	dropped, first := int64(0), 0
	for i := range 3 * maxGone {
		before := len(g)
		if n := g.add([]coordinator.Outside{{Time: int64(i), Ticks: 2}}); n > 0 {
			dropped += n
			must.Equal(t, []int{before, len(g)}, []int{maxGone, maxGone + 1 - maxGone/4}, "runs before and after some fell out")
			first += before + 1 - len(g)
		}
		if g[0].Time != int64(first) || g[len(g)-1].Time != int64(i) {
			t.Fatalf("after %d runs, those from %d to %d are kept", i+1, g[0].Time, g[len(g)-1].Time)
		}
	}
	must.Equal(t, dropped+2*int64(len(g)), 6*maxGone, "ticks")
	if cap(g) > 2*maxGone {
		t.Errorf("%d runs in room for %d", len(g), cap(g))
	}
	many := make([]coordinator.Outside, 3*maxGone)
	for i := range many {
		many[i] = coordinator.Outside{Time: int64(3*maxGone + i), Ticks: 1}
	}
	must.Equal(t, g.add(many), 6*maxGone-dropped+2*maxGone, "ticks that many runs of one runtime push out")
	must.Equal(t, len(g), maxGone)
}
