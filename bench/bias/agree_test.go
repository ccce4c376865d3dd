package bias

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Of two measures of the same, 95 in 100 cells agree, however wide their intervals are; of
// a cell that moved by more than both intervals none does.
func TestAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	report := func(moved float64) *Report {
		r := &Report{Engines: map[string]*EngineReport{}}
		e := r.engine("node")
		for i := range 4000 {
			deviation := 0.5 + float64(i%7)
			value := 80 + deviation*random.NormFloat64()
			name := strings.Repeat("p", i/2+1)
			if e.Programs[name] == nil {
				e.Programs[name] = map[string]*Cell{"balanced": {Overlaps: map[string]Comparison{}}}
			}
			e.Programs[name]["balanced"].Overlaps[[]string{Strict, Promise}[i%2]] = Comparison{Overlap: Estimate{Value: value, Low: value - 1.96*deviation, High: value + 1.96*deviation}}
		}
		e.Exact["sequence"] = map[string]*ExactCell{"precise": {Overlap: Estimate{Value: 98 - moved, Low: 97.5 - moved, High: 98.4 - moved}}}
		e.Means["balanced"] = &Mean{Overlaps: map[string]Comparison{Strict: {Overlap: Estimate{Value: moved}, Alone: "two programs"}}}
		return r
	}
	a := Agree(report(0), report(2))
	if got := a.Engines["node"]; got.Cells != 4001 || got.percent() < 94 || got.percent() > 96 {
		t.Errorf("%d of %d agree", got.Agree, got.Cells)
	}
	if len(a.Apart) == 0 || a.Apart[0].Cell != "node sequence, precise" || a.Apart[0].by() < 2 {
		t.Errorf("furthest apart: %+v", a.Apart[0])
	}
	if table := a.Table(); !strings.Contains(table, "| *all* | 4001 |") || strings.Count(table, "\n") != 3+1+3+1+1+2+mostApart {
		t.Error(table)
	}
	if a := Agree(report(0), &Report{}); len(a.Engines) != 0 || !strings.Contains(a.Table(), "| *all* | 0 | 0.0 % |") {
		t.Error("reports with nothing in common agree")
	}
}

// A comparison begins with the conditions that the two reports differ in: the code, an engine, the
// kernel, and how busy the machine was.
func TestAgreeStatesConditions(t *testing.T) {
	waited := 31.
	report := func(commit, node, kernel string, missed float64, load *figures.Load) *Report {
		r := &Report{Engines: map[string]*EngineReport{}}
		r.Origin = figures.Origin{Commit: commit, Seed: 7, Machine: figures.Machine{When: "2026-01-02", CPUs: 2, Kernel: kernel, Tools: map[string]string{"node": node}}}
		e := r.engine("goja")
		e.Programs["a"], e.Load = map[string]*Cell{"balanced": {Missed: missed}}, load
		return r
	}
	table := Agree(report("aaaaaaaaaaaaaa", "20.1", "6.1", 4, nil), report("bbbb", "20.2", "6.2", 12, &figures.Load{Average: 7.8, Waited: &waited})).Table()
	for _, want := range []string{
		"| commit | aaaaaaaaaaaa | bbbb |", "| node | 20.1 | 20.2 |", "| kernel | 6.1 | 6.2 |", "| goja, load | – | 7.8, 31 % waited |", "| goja, missed ticks | 4.0 % | 12.0 % |",
		"the reports differ in the commit; kernel; node; the ticks that goja missed, so one machine was busier.", "in the same order, with the same ticks",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if strings.Contains(table, "CPUs") {
		t.Errorf("names what is the same:\n%s", table)
	}
	if table := Agree(report("a", "20", "6", 4, nil), report("a", "20", "6", 5, nil)).Table(); strings.Contains(table, "differ") {
		t.Errorf("warns of nothing:\n%s", table)
	}
}
