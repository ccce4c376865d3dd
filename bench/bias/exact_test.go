package bias

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// sampledShares is a recording of an exact program whose samples have these shares, in
// tenths of a percent.
func sampledShares(program fixtures.Program, way Way, shares map[string]float64) *Recording {
	b := profile.Builder{}
	for name, share := range shares {
		stack := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: name}), 0, 0))
		for range int(40 * share) {
			b.Sample(profile.Sample{Stack: stack, Weight: 1})
		}
	}
	return &Recording{Engine: "goja", Program: program.Name, Round: 1, Way: way, Profile: b.Profile()}
}

// A sampler that shows what is known is a truth for every kind, and so for real programs;
// one that is wrong about some program is not.
func TestStanding(t *testing.T) {
	var recordings []*Recording
	for _, p := range fixtures.Exact() {
		wrong := map[string]float64{}
		for name, share := range p.Expected {
			wrong[name] = share
		}
		if p.Name == "callbacks" {
			wrong["add"], wrong["half"] = wrong["half"], wrong["add"]
		}
		recordings = append(recordings,
			sampledShares(p, Way{Name: "goja", Use: Truth, Sampler: "goja"}, p.Expected),
			sampledShares(p, Way{Name: "goja-outside", Use: Truth, Sampler: "goja-outside"}, wrong))
	}
	report := Evaluate(recordings, Terms{Resamples: 20})
	if got := report.Standing("goja"); got != truth.IsTruth {
		t.Errorf("goja is a %s: %+v", got, report.Engines["goja"].Samplers["goja"].Kinds)
	}
	other := report.Engines["goja"].Samplers["goja-outside"]
	if other.Standing != truth.IsReference || other.Kinds["calls"].LowestProgram != "callbacks" || other.Kinds["natives"].Verdict != truth.IsTruth {
		t.Errorf("wrong about callbacks: %+v", other)
	}
	if a := other.Agreement; a == nil || a.Programs != len(fixtures.Exact()) || a.LowestProgram != "callbacks" || a.Lowest > 90 || a.Mean < 99 {
		t.Errorf("agreement %+v", a)
	}
	if got := report.Standing("node"); got != truth.IsReference {
		t.Errorf("of an engine that did not run: %s", got)
	}
	if table := report.Table(); !strings.Contains(table, "| goja | truth |") || !strings.Contains(table, "| goja-outside | reference |") ||
		!strings.Contains(table, "goja-outside agrees with the reference on") {
		t.Error(table)
	}
}

// A preset of which no sample fell into a program's functions shows nothing: that is 0.
func TestAProfileThatShowsNothing(t *testing.T) {
	p := fixtures.Exact()[0]
	report := Evaluate([]*Recording{sampledShares(p, Way{Name: "classic", Use: Profiled}, nil)}, Terms{Resamples: 20})
	cell := report.Engines["goja"].Exact[p.Name]["classic"]
	if cell == nil || cell.Overlap.Value != 0 || cell.Overlap.High != 0 || !cell.Few {
		t.Errorf("%+v", cell)
	}
}
