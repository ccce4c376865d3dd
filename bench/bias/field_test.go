package bias

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// In the field, two services and two sites run among the programs, and the current Node
// next to the other.
func TestPlanOfTheField(t *testing.T) {
	seen := map[string]map[string]bool{} // programs by engine
	ways := map[string]int{}
	for _, b := range NewPlan(Options{}).Blocks {
		if b.Program.Expected != nil || b.Program.Classic {
			continue
		}
		if seen[b.Engine] == nil {
			seen[b.Engine] = map[string]bool{}
		}
		seen[b.Engine][b.Program.Name] = true
		for _, w := range b.Ways {
			ways[b.Engine+" "+w.Name]++
			if w.Interval == fieldInterval && (w.After < 10*time.Second || (w.Lasts-w.After)/w.Interval < 3000) {
				t.Errorf("%s in %s, %s: %v after %v", b.Program.Name, b.Engine, w.Name, w.Lasts, w.After)
			}
		}
	}
	for _, name := range pages {
		if sites := name != "webkit"; len(seen[name]) < 8 || seen[name]["board"] != sites || seen[name]["ledger"] != sites {
			t.Errorf("%s runs %v", name, seen[name])
		}
	}
	if !seen["node"]["express"] || !seen["node"]["fastify"] || seen["goja"]["express"] || seen["node"]["board"] || len(seen[currentNode]) < 8 {
		t.Errorf("Node runs %v, the current one %v", seen["node"], seen[currentNode])
	}
	for name, least := range map[string]int{"node balanced field": 6, "node truth field": 6, "node truth field again": 6, "node precise field": 3, "goja balanced field": 3, "goja truth field again": 3} {
		if ways[name] < least {
			t.Errorf("%d programs in %s", ways[name], name)
		}
	}
}

// fieldPlan is a plan of one program in the field. A usual block may come before.
func fieldPlan(usual bool) Plan {
	o := Options{Only: "goja/raytrace", Budget: time.Hour}
	plan := Plan{Budget: time.Hour}
	for _, b := range fieldBlocks(o, 1, "node") {
		if b.Program.Name == "raytrace" {
			b.Engine, b.Lasts = "goja", 2*time.Second
			b.Ways[0].Sampler, b.Ways[1].Sampler = "goja", "goja"
			plan.Blocks = append(plan.Blocks, b)
		}
	}
	if usual {
		plan.Blocks = append(small(1).Blocks, plan.Blocks...)
	}
	return plan
}

// steady is an engine in which a program runs for as long as its scale says: the first
// second of a run at a quarter of the speed.
func steady(f *fakes) {
	lasts := func(args []string) time.Duration {
		scale := must1(strconv.ParseFloat(args[0], 64))
		if scale < 1 {
			return time.Duration(4 * scale * float64(time.Second))
		}
		return 4*time.Second + time.Duration((scale-1)*float64(time.Second))
	}
	f.run = func(program engine.Program, s engine.Settings, result *engine.Result) error {
		result.Elapsed = lasts(program.Args)
		if s.Mode == engine.Profile {
			result.Profile = ticked(s.After, result.Elapsed, s.Interval)
		}
		return nil
	}
	f.truth = func(s truth.Settings) *profile.Profile { return ticked(0, lasts(s.Arguments), 10*time.Millisecond) }
}

func must1(value float64, err error) float64 {
	if err != nil {
		panic(err)
	}
	return value
}

// ticked is a profile with a sample of b at every interval.
func ticked(from, to, interval time.Duration) *profile.Profile {
	p := stackProfile(letters(int((to - from) / interval))...)
	for i := range p.Samples.Time {
		p.Samples.Time[i] = int64(from + time.Duration(i)*interval)
	}
	p.Meta.Duration = to
	return p
}

func letters(n int) []sampled {
	list := make([]sampled, n)
	for i := range list {
		list[i] = sampled{"0b", 1, profile.Exit}
	}
	return list
}

// A run that was too short says how fast the program is, and is made once more.
func TestFieldRunsAreLongEnough(t *testing.T) {
	for _, usual := range []bool{false, true} {
		f := &fakes{}
		steady(f)
		c := f.collector()
		report := Evaluate(must.Get(c.Run(t.Context(), fieldPlan(usual)))(t), Terms{Resamples: 10})
		if unmet := report.Unmet(); len(unmet) > 0 {
			t.Fatalf("usual %v: skipped %+v", usual, unmet)
		}
		cell := report.Engines["goja"].Programs["raytrace"]["balanced field"]
		if cell == nil || cell.Samples < 3000 || cell.TruthSamples < 400 || cell.TruthSamples > 700 {
			t.Errorf("usual %v: cell %+v", usual, cell)
		}
	}
}

// A run in field settings that goes wrong leaves its cell out, and the report says why.
func TestFieldSkips(t *testing.T) {
	for _, test := range []struct {
		name, reason, ways string
		spoil              func(program engine.Program, s engine.Settings, result *engine.Result)
	}{
		{"recorded from the start", "it was recorded before it had settled: 0s after its start, not 10s", "balanced field, precise field",
			func(_ engine.Program, s engine.Settings, result *engine.Result) {
				result.Profile = ticked(0, result.Elapsed, s.Interval)
			}},
		{"never long enough", "it ran 12s, which is too short: 50s at least", "balanced field, precise field",
			func(_ engine.Program, s engine.Settings, result *engine.Result) { result.Elapsed = 12 * time.Second }},
		{"differs", "it does not print the same in every way, and did not run without checks", "balanced field, precise field",
			func(program engine.Program, s engine.Settings, result *engine.Result) {
				fmt.Fprintln(program.Stdout, s.Preset)
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fakes{}
			steady(f)
			good := f.run
			f.run = func(program engine.Program, s engine.Settings, result *engine.Result) error {
				err := good(program, s, result)
				if s.After > 0 {
					test.spoil(program, s, result)
				}
				return err
			}
			report := Evaluate(must.Get(f.collector().Run(t.Context(), fieldPlan(true)))(t), Terms{Resamples: 10})
			unmet := report.Unmet()
			if len(unmet) != 1 || !strings.HasPrefix(unmet[0].Reason, test.reason) || unmet[0].Ways != test.ways {
				t.Errorf("skipped %+v", unmet)
			}
			if cells := report.Engines["goja"].Programs["raytrace"]; cells["balanced"] == nil || cells["balanced field"] != nil {
				t.Errorf("cells %v", cells)
			}
		})
	}
}

// Runs with the same arguments have to print what a run without checks does.
func TestCompareOutput(t *testing.T) {
	run := func(use Use, arg, output string) *Recording {
		return &Recording{Way: Way{Use: use}, Args: []string{arg}, Output: output}
	}
	runs := []*Recording{
		run(Truth, "1", "a"), run(Clean, "1", "b"), run(Profiled, "1", "b"), run(Profiled, "1", "a"), // the clean run decides
		run(Profiled, "2", "c"), run(Truth, "2", "d"), // the truth does
		run(Profiled, "3", "e"), run(Profiled, "3", "e"), // agree
		run(Profiled, "4", "f"), run(Profiled, "4", "g"), // do not
	}
	compareOutput(runs)
	for i, want := range []bool{true, false, false, true, true, false, false, false, true, true} {
		if got := runs[i].Skipped != ""; got != want {
			t.Errorf("run %d: skipped %q", i, runs[i].Skipped)
		}
	}
}

// Without the current Node its cells are skipped, and the others run.
func TestWithoutCurrentNode(t *testing.T) {
	f := &fakes{}
	c := f.collector()
	missing := errors.New("no current Node")
	c.Engines[currentNode] = Engine{
		Run:       func(context.Context, engine.Program, engine.Settings) (*engine.Result, error) { return nil, missing },
		Arguments: func(fixtures.Program) []string { return []string{"2"} },
		Missing:   func(err error) bool { return errors.Is(err, missing) },
		Node:      func() (string, error) { return "", missing },
	}
	c.Samplers = append(c.Samplers, truth.Sampler{Name: "v8-noinline", Engine: "node", Sample: f.sample})
	plan := small(1)
	first, _ := currentBlocks(Options{}, 1)
	for _, b := range first[:1] {
		b.Lasts = 2 * time.Second
		plan.Blocks = append(plan.Blocks, b)
	}
	report := Evaluate(must.Get(c.Run(t.Context(), plan))(t), Terms{Resamples: 10})
	unmet := report.Unmet()
	if len(unmet) != 1 || unmet[0].Engine != currentNode || unmet[0].Reason != missing.Error() || !strings.Contains(unmet[0].Ways, "truth") {
		t.Errorf("skipped %+v", unmet)
	}
	if report.Engines["goja"].Programs["raytrace"]["precise"] == nil {
		t.Error("nothing ran in goja")
	}
}
