package bias

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/fixtures"
)

// Every cell has a run without checks to compare output with, and names that tell its
// ways apart.
func TestPlans(t *testing.T) {
	for _, o := range []Options{{Quick: true}, {}} {
		plan := NewPlan(o)
		if len(plan.Blocks) == 0 {
			t.Errorf("%+v: no blocks", o)
		}
		for _, b := range plan.Blocks {
			var names []string
			for _, w := range b.Ways {
				if slices.Contains(names, w.Name) {
					t.Errorf("%s in %s: two ways are %q", b.Program.Name, b.Engine, w.Name)
				}
				names = append(names, w.Name)
			}
			if !slices.ContainsFunc(b.Ways, func(w Way) bool { return w.Use == Clean || w.Use == Truth }) {
				t.Errorf("%s in %s: no run without checks among %q", b.Program.Name, b.Engine, names)
			}
		}
	}
}

func TestPlanQuickNames(t *testing.T) {
	var seen []string
	for _, b := range NewPlan(Options{Quick: true}).Blocks {
		seen = append(seen, b.Program.Name)
	}
	for _, name := range slices.Concat(quickReal, quickMore, quickExact, smallExact) {
		if !slices.Contains(seen, name) {
			t.Errorf("%s is no fixture", name)
		}
	}
}

func TestPlanOnly(t *testing.T) {
	for _, b := range NewPlan(Options{Only: "node/acorn"}).Blocks {
		if b.Engine != "node" || b.Program.Name != "acorn" {
			t.Errorf("%s in %s", b.Program.Name, b.Engine)
		}
	}
	for _, name := range slices.Concat(fieldReal, manyReal) {
		if len(named(fixtures.Real(), []string{name})) != 1 {
			t.Errorf("%s is no fixture", name)
		}
	}
	if got := NewPlan(Options{Engines: []string{"firefox"}, Only: "acorn"}).Blocks; len(got) != 1 {
		t.Errorf("%d blocks of acorn in Firefox, want 1", len(got))
	}
}

// The blocks that each plan has to measure fit into its time, by guess.
func TestPlansFit(t *testing.T) {
	for _, test := range []struct {
		o    Options
		must func(Block) bool
	}{
		{Options{Quick: true}, func(b Block) bool { return b.Round == 1 && !slices.Contains(quickMore, b.Program.Name) }},
		{Options{}, func(b Block) bool { return !b.IfTime }},
	} {
		plan := NewPlan(test.o)
		var takes time.Duration
		calibrated := map[string]bool{}
		for _, b := range plan.Blocks {
			if !test.must(b) {
				continue
			}
			takes += b.guess()
			if !calibrated[costOf(b)] {
				takes += b.guessCalibration()
			}
			calibrated[costOf(b)] = true
		}
		if takes > plan.Budget {
			t.Errorf("%+v: %v do not fit into %v", test.o, takes, plan.Budget)
		}
		t.Logf("%+v: %v of %v", test.o, takes, plan.Budget)
	}
}

// The blocks that each plan has to measure, by purpose.
func TestPlansAreWhole(t *testing.T) {
	for _, test := range []struct {
		o    Options
		want []string
	}{
		{Options{Quick: true}, []string{"exact sequence", "exact tiny-leaf", "exact periodic", "exact compute-sin", "clocked sequence", "real acorn"}},
		{Options{}, []string{"exact sequence", "exact tiny-leaf", "exact periodic", "clocked callbacks", "real zod", "real splay"}},
	} {
		seen := map[string]bool{}
		for _, b := range NewPlan(test.o).Blocks {
			if b.Round > 1 {
				continue
			}
			kind := "real "
			switch {
			case b.Clocked:
				kind = "clocked "
			case b.Program.Expected != nil:
				kind = "exact "
			}
			seen[b.Engine+" "+kind+b.Program.Name] = true
			for _, packed := range b.Program.Packs {
				seen[b.Engine+" exact "+packed.Name] = true
			}
		}
		for _, want := range test.want {
			for _, engine := range []string{"goja ", "node "} {
				if !seen[engine+want] {
					t.Errorf("%+v: no %s%s", test.o, engine, want)
				}
			}
		}
	}
}

// A list names every block, and those for which there is no time.
func TestList(t *testing.T) {
	plan := small(3)
	plan.Budget = time.Minute // 17 s each, and one to calibrate
	list := plan.List()
	if strings.Count(list, "raytrace") != 3 || strings.Count(list, "no time for it") != 1 || !strings.Contains(list, "has no time for 1 of them") {
		t.Error(list)
	}
}

// The parts hold what the measures of the same names had, in as many rounds as are
// wanted.
func TestParts(t *testing.T) {
	for _, test := range []struct {
		o    Options
		want []string
	}{
		{Options{Part: ExactPart, Rounds: 2, Engines: []string{"goja"}, Only: "goja/sequence"}, []string{"clean", "classic", "balanced", "fine", "precise", "goja", "goja-outside", "goja-startprofile"}},
	} {
		blocks := NewPlan(test.o).Blocks
		if len(blocks) != 2 || blocks[0].Round != 1 || blocks[1].Round != 2 {
			t.Fatalf("%+v: %d blocks, want two rounds", test.o, len(blocks))
		}
		var names []string
		for _, w := range blocks[1].Ways {
			names = append(names, w.Name)
		}
		for _, want := range test.want {
			if !slices.Contains(names, want) {
				t.Errorf("%+v: no %q in %q", test.o, want, names)
			}
		}
	}
}

// A plan that is cut short has a mean of every engine: the first programs in all of them come
// before those that run for long, or only if there is time.
func TestPlanBeginsWithEveryEngine(t *testing.T) {
	seen, late := map[string]int{}, false
	for _, b := range NewPlan(Options{}).Blocks {
		field := len(b.Ways) > 0 && b.Ways[0].After > 0
		if late = late || b.IfTime || field; !late && b.Program.Expected == nil && b.Program.Packs == nil && b.Round == 1 {
			seen[b.Engine]++
		}
	}
	for _, e := range engines {
		if seen[e.name] < estimate.FewestForMean {
			t.Errorf("%d real programs in %s come first", seen[e.name], e.name)
		}
	}
}

// Every real program in our engines runs in two rounds of half the time, the second after
// something else, and every pack in three.
func TestPlanHasSeveralProcesses(t *testing.T) {
	rounds := map[string][]int{}
	var last string
	for _, b := range NewPlan(Options{}).Blocks {
		key := costOf(b)
		switch {
		case b.Clocked || b.IfTime || len(b.Ways) > 0 && b.Ways[0].After > 0 || b.Program.Expected != nil:
			continue
		case last == key:
			t.Errorf("%s runs twice in a row", key)
		case b.Program.Packs == nil && len(named(fixtures.Real(), []string{b.Program.Name})) > 0 && b.Engine == "goja" && b.Lasts != runTime/halves:
			t.Errorf("%s lasts %v", key, b.Lasts)
		case b.Balance && b.Round == 1 && slices.Contains(ours, b.Engine) && len(named(fixtures.Real(), []string{b.Program.Name})) > 0:
			t.Errorf("%s is balanced before its last round", key)
		}
		last, rounds[key] = key, append(rounds[key], b.Round)
	}
	for key, want := range map[string][]int{"goja/zod": {1, 2}, "node/zod": {1, 2}, "firefox/exact": {1, 2, 3}, "node/exact": {1, 2, 3}, "node/express": {1}} {
		if !slices.Equal(rounds[key], want) {
			t.Errorf("%s runs in rounds %v, want %v", key, rounds[key], want)
		}
	}
}
