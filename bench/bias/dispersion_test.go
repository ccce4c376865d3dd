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
	report := func(spread float64, programs int) *EngineReport {
		rng := rand.New(rand.NewPCG(1, 2))
		e := (&Report{Engines: map[string]*EngineReport{}}).engine("node")
		e.Exact["known"] = map[string]*ExactCell{"balanced": {Overlap: Estimate{Value: 90, Low: 89, High: 91}}}
		for program := range programs {
			runs := newReference([]*profile.Profile{drawn(rng, spread)}, []*profile.Profile{drawn(rng, spread)}, map[string]Detail{Strict: {everything: true}})
			e.pair(&group{engine: "node", program: fmt.Sprint("p", program)}, runs, 100)
		}
		e.disperse()
		return e
	}
	same := report(0, 8)
	if d := same.Dispersion; d == nil || d.Programs != 8 || d.Factor > 1.1 {
		t.Errorf("of one distribution: %+v", d)
	}
	apart := report(0.2, 8)
	if d := apart.Dispersion; d == nil || d.Factor < 2 {
		t.Fatalf("of distributions that differ: %+v", d)
	}
	cell := apart.Exact["known"]["balanced"].Overlap
	must.Equal(t, cell, Estimate{Value: 90, Low: 90 - apart.Dispersion.Factor, High: 90 + apart.Dispersion.Factor})
	few := report(0.2, 2)
	must.Equal(t, few.Dispersion, nil)
}

// drawn is a profile of twenty functions with about equal shares, each by a part more or less.
func drawn(rng *rand.Rand, spread float64) *profile.Profile {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	weights, sum := make([]float64, 20), 0.0
	for f := range weights {
		weights[f] = 1 + spread*rng.NormFloat64()
		sum += weights[f]
	}
	for range 3000 {
		at, f := rng.Float64()*sum, 0
		for f = 0; f < len(weights)-1 && at > weights[f]; f++ {
			at -= weights[f]
		}
		line := int32(f + 1)
		function := b.Function(profile.Function{Name: fmt.Sprint("f", f), File: "f.js", Line: line, Column: 1})
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(function, line, 1)), Weight: 1})
	}
	return b.Profile()
}
