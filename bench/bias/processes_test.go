package bias

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// scattering are recordings of real programs in rounds, each process with shares of its own:
// the effect of a just-in-time compiler that decides anew.
func scattering(seed uint64, rounds int, spread float64) []*Recording {
	rng := rand.New(rand.NewPCG(seed, 1))
	var recordings []*Recording
	for _, program := range fixtures.Real() {
		for round := range rounds {
			for _, way := range append(truthWays("goja", standardInterval), profiledWays([]transform.Preset{transform.Balanced}, "", standardInterval)...) {
				r := &Recording{Engine: "goja", Program: program.Name, Round: round + 1, Way: way, Profile: drawn(rng, spread, 2400/rounds)}
				if way.Use == Profiled {
					for f := range r.Profile.Functions.Name {
						function := r.Profile.Function(profile.FunctionID(f))
						function.Flags |= profile.Checked
						r.Functions = append(r.Functions, function)
					}
				}
				recordings = append(recordings, r)
			}
		}
	}
	return recordings
}

// drawn is a profile of twenty functions with about equal shares, each by a part more or less.
func drawn(rng *rand.Rand, spread float64, samples int) *profile.Profile {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	weights, sum := make([]float64, 20), 0.0
	for f := range weights {
		weights[f] = max(0.05, 1+spread*rng.NormFloat64())
		sum += weights[f]
	}
	for range samples {
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

// Whole runs of an engine whose processes differ agree as often as intervals promise if they
// measured each cell in two, and far less often if in one; where processes are alike, two halves
// are no worse than a whole.
func TestRunsOfScatteringProcessesAgree(t *testing.T) {
	agree := func(pairs uint64, rounds int, spread float64) float64 {
		var all EngineAccord
		for pair := range pairs {
			var reports [2]*Report
			for i := range reports {
				reports[i] = Evaluate(scattering(2*pair+uint64(i), rounds, spread), Terms{Resamples: 40})
			}
			counts := Agree(reports[0], reports[1]).Engines["goja"]
			all.Cells, all.Agree = all.Cells+counts.Cells, all.Agree+counts.Agree
		}
		return all.percent()
	}
	one, two, alike := agree(2, 1, 0.1), agree(4, 2, 0.1), agree(2, 2, 0)
	t.Logf("one process %.1f %%, two %.1f %%, two that are alike %.1f %%", one, two, alike)
	if one > 94 || two < 95 || alike < 93 {
		t.Errorf("%.1f %% of cells agree of one process, %.1f %% of two, %.1f %% of two that are alike", one, two, alike)
	}
}

// Reports say by how much processes differ, and say nothing of recordings with one.
func TestProcessesTable(t *testing.T) {
	two := Evaluate(scattering(1, 2, 0.1), Terms{Resamples: 20})
	p := two.Engines["goja"].Processes["presets, "+Strict]
	if p == nil || p.Cells != len(fixtures.Real()) || p.Deviation < 0.2 || !strings.Contains(two.Table(), fmt.Sprintf("| presets, strict | %d | %.1f |", p.Cells, p.Deviation)) {
		t.Errorf("%+v in\n%.2000s", p, two.Table())
	}
	if page := string(must.Get(two.Accuracy(Costs{}))(t)); !strings.Contains(page, "wider where processes of the same differ by more") {
		t.Error("the page does not say that intervals are of several processes")
	}
	one := Evaluate(scattering(1, 1, 0.1), Terms{Resamples: 20})
	must.Equal(t, len(one.Engines["goja"].Processes), 0)
}
