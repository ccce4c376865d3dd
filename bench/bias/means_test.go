package bias

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// sampledProfile has n samples of functions a, b, c and so on, with these shares.
func sampledProfile(rng *rand.Rand, n int, shares ...float64) *profile.Profile {
	var list []sampled
	for range n {
		left, at := rng.Float64()*100, 0
		for left -= shares[at]; left > 0 && at < len(shares)-1; left -= shares[at] {
			at++
		}
		list = append(list, sampled{"0" + string(rune('a'+at)), 1, profile.Own})
	}
	return stackProfile(list...)
}

// madeUp are recordings of programs by name with so many samples in a run of the truth;
// classic has no sample in the last.
func madeUp(samples map[string]int, last string) []*Recording {
	rng := rand.New(rand.NewPCG(7, 7))
	functions := []profile.Function{letterFunction('a'), letterFunction('b'), letterFunction('c')}
	var list []*Recording
	for _, program := range []string{"raytrace", "kernel", "acorn", "zod", "yaml"} {
		n, ok := samples[program]
		if !ok {
			continue
		}
		for _, way := range append(truthWays("goja", standardInterval), profiledWays([]transform.Preset{transform.Classic, transform.Balanced}, "", standardInterval)...) {
			r := &Recording{Engine: "goja", Program: program, Round: 1, Way: way, Profile: sampledProfile(rng, n, 50, 30, 20)}
			if way.Use == Profiled {
				r.Functions, r.Profile = functions, sampledProfile(rng, 2000, 40, 40, 20)
			}
			if way.Preset == transform.Classic && way.Use == Profiled && program == last {
				r.Profile = stackProfile(sampled{"", 3, profile.Idle})
			}
			list = append(list, r)
		}
	}
	return list
}

// Programs without enough samples, and profiles without any, are in no mean; two programs
// have none.
func TestMeansOfFitProgramsOnly(t *testing.T) {
	samples := map[string]int{"raytrace": 3000, "kernel": 3000, "acorn": 3000, "zod": 3000, "yaml": 500}
	report := Evaluate(madeUp(samples, "zod"), Terms{Resamples: 50})
	e := report.Engines["goja"]
	m := e.Means["balanced"]
	if m.Programs != 4 || len(m.Alone) != 1 || m.Alone[0] != "yaml" {
		t.Errorf("%d programs, without %q", m.Programs, m.Alone)
	}
	if b := m.Overlaps[Promise].Bias; b.Low > 10 || b.High < 10 || b.Low < 6 || b.High > 14 {
		t.Errorf("bias %+v, and it is 10", b)
	}
	if c := e.Means["classic"]; c.Programs != 3 || e.Programs["zod"]["classic"] != nil || c.Overlaps[Promise].Overlap.Value < 85 {
		t.Errorf("classic: %+v", c)
	}
	// classic has no sample of zod, which is in balanced's mean.
	must.Equal(t, e.Common.Programs, []string{"acorn", "kernel", "raytrace"})
	if len(e.Common.Ways) != 3 {
		t.Errorf("%d ways have common programs", len(e.Common.Ways))
	}
	for way, c := range e.Common.Ways {
		if c.Bias.Low > 10 || c.Bias.High < 10 || c.Overlap.Value < 85 || c.Overlap.Value > 95 {
			t.Errorf("%s over common programs: %+v", way, c)
		}
	}
	if e.Means["classic, caller frame"] == nil {
		t.Error("classic is not shown by its other rule")
	}
	want := Skip{"goja", "zod", "classic", noSamples}
	if unmet := report.Unmet(); len(unmet) != 2 || unmet[0] != want {
		t.Errorf("skipped %+v", unmet)
	}
	table := report.Table()
	for _, want := range []string{"| balanced | 4\\* of 5 |", "| the truth has 500 samples |", "| classic, own frame | 3", "| classic, caller frame |", "over the 3 programs that all of them have: acorn, kernel, raytrace."} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	two := Evaluate(madeUp(map[string]int{"raytrace": 3000, "kernel": 3000}, ""), Terms{Resamples: 50})
	if m := two.Engines["goja"].Means["balanced"]; len(m.Overlaps) != 0 || m.Resolution != nil {
		t.Errorf("two programs have a mean: %+v", m)
	}
	if table := two.Table(); !strings.Contains(table, "| balanced | 2\\*: no mean | – |") {
		t.Error(table)
	}
}

// The same recordings give the same report.
func TestEvaluationRepeats(t *testing.T) {
	recordings := madeUp(map[string]int{"raytrace": 2000, "kernel": 2000, "acorn": 2000}, "")
	a, b := Evaluate(recordings, Terms{Resamples: 30}), Evaluate(recordings, Terms{Resamples: 30})
	must.Equal(t, a.Table(), b.Table())
}

// The first table, of programs whose profile is off by 10.
func TestFirstTable(t *testing.T) {
	report := Evaluate(madeUp(map[string]int{"raytrace": 3000, "kernel": 3000, "acorn": 3000}, ""), Terms{Resamples: 50})
	var b strings.Builder
	report.Engines["goja"].firstTable(&b)
	const want = `| way | programs | strict overlap | resolution | e^H | promise: overlap | floor | bias | strict bias | samples to truth's | missed |
|---|---|---|---|---|---|---|---|---|---|---|
| classic, own frame | 3\* | 89.4 (86.2–91.0) | 100.0 | 2.8 | 89.4 (86.3–91.0) | 98.5 (97.7–99.0) | 10.1 (6.3–14.9) | 10.1 (6.2–15.0) | 0.67–0.67 | 0.0 |
| classic, caller frame | 3\* | 89.4 (86.3–91.0) | 100.0 | 2.8 | 89.4 (86.3–91.0) | 98.5 (97.8–99.0) | 10.1 (6.5–14.9) | 10.1 (6.4–14.9) | 0.67–0.67 | 0.0 |
| balanced | 3\* | 89.3 (86.1–92.8) | 100.0 | 2.8 | 89.3 (85.9–92.4) | 98.5 (97.9–99.1) | 10.3 (6.8–14.6) | 10.3 (6.3–14.3) | 0.67–0.67 | 0.0 |
`
	must.Equal(t, b.String(), want)
}
