package overhead

import (
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// bare takes all figures out of a report, and leaves the values of invocations.
func (r *Report) bare() {
	for _, byPreset := range r.Engines {
		for _, t := range byPreset {
			t.Means = nil
			for _, p := range t.Programs {
				for _, c := range p.Columns {
					c.Costs = Costs{}
				}
			}
		}
	}
	if r.Trial != nil {
		for name, e := range r.Trial.Engines {
			r.Trial.Engines[name] = &EngineTrial{Values: e.Values, Planted: e.Planted}
		}
	}
	if r.Proof != nil {
		for key, p := range r.Proof.Programs {
			r.Proof.Programs[key] = &ProgramProof{Together: p.Together, Clean: p.Clean, Checked: p.Checked}
		}
	}
}

// The recorded figures, tables and plots are those of the recorded values, to the bit.
func TestFiguresAreOfTheValues(t *testing.T) {
	results, folder := filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "results"), t.TempDir()
	reports := must.Get(ReadRecorded(results))(t)
	for name, r := range reports {
		r.bare()
		must.Do(t, figures.Write(folder, name, r))
	}
	for name, o := range map[string]Options{costsName: {}, trialName: {Trial: true}, proofName: {Prove: true}, trainedName: {MaxOverhead: 2}, browsersName: {Engines: []string{"chromium", "firefox"}}} {
		if reports[name] == nil {
			continue
		}
		o.Replay = folder
		again := must.Get(Measure(t.Context(), o, figures.Progress{}))(t)
		made := t.TempDir()
		must.Do(t, figures.Write(made, name, again))
		must.HoldTree(t, results, made, "go run ./bench "+o.arguments()+" --replay bench/results --out bench/results")
	}
}

// A report about the instrument has no plot; the others have one of each engine and preset, by the name
// of their results.
func TestPlotsAreNamedByTheirResults(t *testing.T) {
	reports := must.Get(ReadRecorded(filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "results")))(t)
	for name, r := range reports {
		want := 0
		for _, byPreset := range r.Engines {
			want += len(byPreset)
		}
		if r.Trial != nil || r.Proof != nil {
			want = 0
		}
		plots := r.Plots()
		if len(plots) != want {
			t.Errorf("%s has %d plots, want %d", name, len(plots), want)
		}
	}
	if got := slug("node precise within 2 %"); got != "node-precise-within-2" {
		t.Error(got)
	}
}
