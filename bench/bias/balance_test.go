package bias

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// Truth runs again until it has a thousand samples, and a preset until it has as many, with
// another seed each time. The others do not, nor does anything without spare time.
func TestBalance(t *testing.T) {
	of := func(n int) *profile.Profile {
		list := make([]sampled, n)
		for i := range list {
			list[i] = sampled{"0" + string(rune('a'+i%2)), 1, profile.Own}
		}
		return stackProfile(list...)
	}
	for _, test := range []struct {
		blocks int
		budget time.Duration
		want   map[string]int
	}{
		{1, time.Hour, map[string]int{"clean": 1, "truth": 2, "truth again": 2, "balanced": 4, "precise": 1}},
		// Nothing to spare, and 4.8 s that the block has in any case: for four runs of a second.
		{2, 36 * time.Second, map[string]int{"clean": 1, "truth": 2, "truth again": 2, "balanced": 3, "precise": 1}},
	} {
		seeds := map[uint64]bool{}
		f := &fakes{truth: func(truth.Settings) *profile.Profile { return of(700) }}
		f.run = func(_ engine.Program, s engine.Settings, r *engine.Result) error {
			if s.Mode != engine.Profile {
				return nil
			}
			if seeds[s.Seed] {
				t.Errorf("two runs have seed %d", s.Seed)
			}
			seeds[s.Seed] = true
			r.Profile = of(1300)
			if s.Preset == transform.Balanced {
				r.Profile = of(300)
			}
			return nil
		}
		plan := small(test.blocks)
		plan.Budget = test.budget
		for i := range plan.Blocks {
			plan.Blocks[i].Balance = true
		}
		runs := map[string]int{}
		for _, r := range must.Get(f.collector().Run(t.Context(), plan))(t) {
			if r.Skipped != "" {
				t.Errorf("%s: %s", r.Way.Name, r.Skipped)
			}
			if r.Round == 1 {
				runs[r.Way.Name]++
			}
		}
		for way, want := range test.want {
			if runs[way] != want {
				t.Errorf("with %v: %s ran %d times, want %d", test.budget, way, runs[way], want)
			}
		}
	}
}

func TestNeedsMore(t *testing.T) {
	for _, test := range []struct {
		samples, runs, truth float64
		want                 bool
	}{{370, 1, 1000, true}, {740, 2, 1000, true}, {1110, 3, 1000, false}, {600, 1, 1000, true}, {790, 1, 1000, false}, {900, 1, 1000, false}, {0, 1, 1000, false}, {8000, 1, 1000, false}} {
		if got := needsMore([2]float64{test.samples, test.runs}, test.truth); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
