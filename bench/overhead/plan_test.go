package overhead

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

func TestPlans(t *testing.T) {
	balanced := []transform.Preset{transform.Balanced}
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"one preset": {Options{Presets: balanced}, `
  26 × goja, balanced, idle
  26 × goja, balanced, recording
  26 × node, balanced, idle
  26 × node, balanced, poll
  26 × node, balanced, shared
and as many more as 20m0s allows
`},
		"quick": {Options{Quick: true}, `
  12 × goja, balanced, idle
  12 × node, balanced, idle
and as many more as 1m50s allows
`},
		"pages": {Options{Presets: balanced, Engines: []string{"firefox"}, Budget: time.Hour}, `
  12 × firefox, balanced, idle
  12 × firefox, balanced, poll
  12 × firefox, balanced, shared
and as many more as 1h0m0s allows
`},
		"trial": {Options{Trial: true, Engines: []string{"node"}}, `
  80 × node, balanced, planted
  80 × node, balanced, same
and as many more as 20m0s allows
`},
		"proof": {Options{Prove: true}, `
  24 × node, balanced, checked alone
  24 × node, balanced, clean alone
  24 × node, balanced, shared
and as many more as 5m0s allows
`},
	} {
		if got := NewPlan(c.o).List(); got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if steps := NewPlan(Options{Only: "goja/acorn", Presets: balanced}).Steps; len(steps) != pilots+rounds {
		t.Errorf("%d steps of one cell", len(steps))
	}
}

// The order is random, and the same for the same seed.
func TestOrderOfSteps(t *testing.T) {
	names := func(seed uint64) []string {
		var list []string
		for _, s := range NewPlan(Options{Seed: seed, Presets: ours[:1]}).Steps {
			list = append(list, s.kind())
		}
		return list
	}
	if !slices.Equal(names(1), names(1)) || slices.Equal(names(1), names(2)) {
		t.Error("the order does not follow from the seed")
	}
}

// Cells that cannot be measured are skipped with their reasons, and no others.
func TestSkips(t *testing.T) {
	m := newMachine(6, func(string) float64 { return 0 })
	o := Options{Only: "o", Presets: ours[:1], Seed: 1, Budget: time.Hour}
	c := newCollector(NewPlan(o), func(ctx context.Context, s Step, b *builds, order Order, rng *rand.Rand, counts bool) (*Result, error) {
		switch {
		case s.Engine == "node":
			return nil, node.ErrMissing
		case s.Program.Name == "zod":
			return nil, errors.New("it fell\nover")
		}
		return m.invoke(ctx, s, b, order, rng, counts)
	})
	c.build = func(context.Context, Step) (*builds, error) { return &builds{}, nil }
	c.now = func() time.Time { return m.now }
	if err := c.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := evaluate(c)
	if r.Skipped["goja/zod, balanced"] != "it fell over" || !strings.Contains(r.Skipped["node/zod, balanced"], "no node") {
		t.Errorf("skipped: %v", r.Skipped)
	}
	if table := r.Engines["goja"]["balanced"]; table.Programs["zod"] != nil || table.Programs["lodash-mustache"] == nil || r.Engines["node"] != nil {
		t.Errorf("%v", r.Engines)
	}
}

// A group of two has no mean, and every program has a group.
func TestGroups(t *testing.T) {
	table := &Table{Programs: map[string]*Program{}, Means: map[string]map[string]*Mean{}}
	for i, name := range []string{"a", "b"} {
		table.Programs[name] = &Program{Group: fixtures.TinyCalls, Columns: map[string]*Column{"idle": {Values: map[string][]float64{"main": {0.01, 0.01 * float64(i)}}}}}
	}
	if table.mean("node"); len(table.Means) != 0 {
		t.Errorf("two programs have a mean: %v", table.Means)
	}
	groups := map[string]int{}
	for _, p := range fixtures.Real() {
		groups[p.Group()]++
	}
	if groups[fixtures.Libraries] < 10 || groups[fixtures.TinyCalls] < estimate.FewestForMean || len(groups) != 2 {
		t.Errorf("%v", groups)
	}
}
