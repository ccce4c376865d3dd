package bias

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Processes whose distributions differ are told from those that only samples tell apart, and
// intervals grow by as much.
func TestDispersion(t *testing.T) {
	pairs := func(spread float64) []*group {
		rng := rand.New(rand.NewPCG(1, 2))
		var groups []*group
		for program := range 8 {
			g := &group{engine: "node", program: fmt.Sprint("p", program)}
			for _, way := range truthWays("v8", time.Millisecond) {
				g.runs = append(g.runs, &Recording{Engine: "node", Program: g.program, Way: way, Profile: drawn(rng, spread),
					Functions: functionsOfDrawn()})
			}
			groups = append(groups, g)
		}
		return groups
	}
	report := func(spread float64) *EngineReport {
		e := (&Report{Engines: map[string]*EngineReport{}}).engine("node")
		e.Exact["known"] = map[string]*ExactCell{"balanced": {Overlap: Estimate{Value: 90, Low: 89, High: 91}}}
		e.disperse(pairs(spread), 100)
		return e
	}
	same := report(0)
	if d := same.Dispersion; d == nil || d.Programs != 8 || d.Factor > 1.1 {
		t.Errorf("of one distribution: %+v", d)
	}
	apart := report(0.2)
	if d := apart.Dispersion; d == nil || d.Factor < 2 {
		t.Fatalf("of distributions that differ: %+v", d)
	}
	cell := apart.Exact["known"]["balanced"].Overlap
	must.Equal(t, cell, Estimate{Value: 90, Low: 90 - apart.Dispersion.Factor, High: 90 + apart.Dispersion.Factor})
	few := (&Report{Engines: map[string]*EngineReport{}}).engine("node")
	few.disperse(pairs(0.2)[:2], 100)
	must.Equal(t, few.Dispersion, nil)
}

const drawnFunctions = 20

func functionsOfDrawn() (list []profile.Function) {
	for f := range drawnFunctions {
		list = append(list, profile.Function{Name: fmt.Sprint("f", f), File: "f.js", Line: int32(f + 1), Column: 1})
	}
	return list
}

// drawn is a profile of functions with about equal shares, each by a part more or less.
func drawn(rng *rand.Rand, spread float64) *profile.Profile {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	weights, sum := make([]float64, drawnFunctions), 0.0
	for f := range weights {
		weights[f] = 1 + spread*rng.NormFloat64()
		sum += weights[f]
	}
	for range 3000 {
		at, f := rng.Float64()*sum, 0
		for f = 0; f < drawnFunctions-1 && at > weights[f]; f++ {
			at -= weights[f]
		}
		function := functionsOfDrawn()[f]
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(function), function.Line, 1)), Weight: 1})
	}
	return b.Profile()
}
