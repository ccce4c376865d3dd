package bias

import (
	"slices"
	"testing"
)

// Every cell has a clean run to compare output with, and names that tell its
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
			if !slices.Contains(names, "clean") {
				t.Errorf("%s in %s: no clean run among %q", b.Program.Name, b.Engine, names)
			}
		}
	}
}

func TestPlanQuickNames(t *testing.T) {
	var seen []string
	for _, b := range NewPlan(Options{Quick: true}).Blocks {
		seen = append(seen, b.Program.Name)
	}
	for _, name := range slices.Concat(quickReal, quickExact, smallReal) {
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
	if got := NewPlan(Options{Engines: []string{"firefox"}, Only: "acorn"}).Blocks; len(got) != 2 {
		t.Errorf("%d blocks of acorn in Firefox, want 2", len(got))
	}
}
