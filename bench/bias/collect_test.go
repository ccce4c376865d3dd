package bias

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// fakes are an engine and a sampler on a clock of their own: runs take a second
// and give the profile of a program whose truth is known here.
type fakes struct {
	now  time.Time
	runs []string
	run  func(program engine.Program, s engine.Settings, result *engine.Result) error
	// truth replaces the truth, if it is set.
	truth func(truth.Settings) *profile.Profile
}

var errNoSuchEngine = errors.New("there is no fake on the PATH")

func (f *fakes) collector() *Collector {
	f.now = time.Unix(0, 0)
	return &Collector{
		Engines: map[string]Engine{"goja": {
			Run:       f.engine,
			Arguments: func(fixtures.Program) []string { return []string{"2"} },
			Missing:   func(err error) bool { return errors.Is(err, errNoSuchEngine) },
		}},
		Samplers: []truth.Sampler{{Name: "goja", Engine: "goja", Sample: f.sample}},
		Now:      func() time.Time { return f.now },
	}
}

func (f *fakes) engine(_ context.Context, program engine.Program, s engine.Settings) (*engine.Result, error) {
	f.now = f.now.Add(time.Second)
	f.runs = append(f.runs, fmt.Sprint(s.Mode, s.Preset, program.Args))
	result := &engine.Result{Elapsed: time.Second, CPU: time.Second}
	switch s.Mode {
	case engine.Idle:
		result.CPU += 100 * time.Millisecond
	case engine.Profile:
		result.Profile = stackProfile(sampled{"0a", 20, profile.Exit}, sampled{"0b", 30, profile.Exit}, sampled{"0bA", 50, profile.Exit})
		result.Functions = func() []profile.Function {
			return []profile.Function{letterFunction('a'), letterFunction('b'), letterFunction('A')}
		}
	}
	fmt.Fprintln(program.Stdout, "done")
	if f.run != nil {
		if err := f.run(program, s, result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func (f *fakes) sample(_ context.Context, _ fixtures.Program, s truth.Settings) (*truth.Run, error) {
	f.now = f.now.Add(time.Second)
	if f.truth != nil {
		return &truth.Run{Profile: f.truth(s), Output: []byte("done\n")}, nil
	}
	return &truth.Run{Profile: stackProfile(sampled{"0a", 30, profile.Own}, sampled{"0b", 30, profile.Own}, sampled{"0bA", 40, profile.Own}), Output: []byte("done\n")}, nil
}

// small is a plan of one real program in goja.
func small(rounds int) Plan {
	program := fixtures.Real()[0]
	program.NeedsNPM = false
	plan := Plan{Budget: time.Hour}
	ways := append(cleanWays(), truthWays("goja", standardInterval)...)
	ways = append(ways, profiledWays([]transform.Preset{transform.Balanced, transform.Precise}, "", standardInterval)...)
	ways = append(ways, idleWays([]transform.Preset{transform.Balanced})...)
	for round := range rounds {
		plan.Blocks = append(plan.Blocks, Block{Engine: "goja", Program: program, Round: round + 1, Ways: ways, Lasts: 2 * time.Second})
	}
	return plan
}

// A measure from end to end. Nothing checks A, so the profile has its 40 % in b: that
// is wrong strictly, and right by the promise.
func TestBench(t *testing.T) {
	f := &fakes{}
	recordings := must.Get(f.collector().Run(t.Context(), small(2)))(t)
	if want := 2 * 7; len(recordings) != want {
		t.Fatalf("%d recordings, want %d", len(recordings), want)
	}
	names := func(recordings []*Recording) (list []string) {
		for _, r := range recordings {
			list = append(list, r.Way.Name)
		}
		return list
	}
	first, second := names(recordings[:7]), names(recordings[7:])
	if slices.Equal(first, second) || !slices.Equal(slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(second))) {
		t.Errorf("the rounds ran %q and %q, and not the same in two orders", first, second)
	}
	if first, second := f.runs[0], f.runs[1]; !strings.HasSuffix(first, "[2]") || !strings.HasSuffix(second, "[4.00]") {
		t.Errorf("a program of a second was run as %q, and then as %q to take two", first, second)
	}
	report := Evaluate(recordings, Terms{Resamples: 50})
	e := report.Engines["goja"]
	cell := e.Programs["raytrace"]["precise"]
	if cell == nil {
		t.Fatalf("no cell; skipped: %v", report.Skipped)
	}
	for detail, want := range map[string]float64{Strict: 50, "merged(1)": 90, "merged(10)": 90, Promise: 90} {
		if got := cell.Overlaps[detail].Overlap.Value; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %g, want %g", detail, got, want)
		}
	}
	if worst := cell.Ranks[Promise].Worst; math.Abs(worst.Truth-worst.Profile) < 9.9 {
		t.Errorf("worst %+v", worst)
	}
	if !cell.Few || cell.Samples != 6 {
		t.Errorf("few %v, samples %d", cell.Few, cell.Samples)
	}
	if floor := cell.Overlaps[Strict].Floor.Value; floor != 100 {
		t.Errorf("floor %v", floor)
	}
	if cell.Resolution != 60 || !strings.HasPrefix(cell.Overlaps[Strict].Alone, "the truth has ") || cell.Ratio < 0.5 || cell.Ratio > 1.5 {
		t.Errorf("resolution %g, ratio %g, alone %q", cell.Resolution, cell.Ratio, cell.Overlaps[Strict].Alone)
	}
	if m := e.Means["precise"]; m.Programs != 0 || len(m.Alone) != 1 || len(m.Overlaps) != 0 {
		t.Errorf("one program with few samples has a mean: %+v", m)
	}
	if len(report.Unmet()) != 0 {
		t.Errorf("skipped %v", report.Skipped)
	}
}

// A failure skips its cell, says why and leaves the others.
func TestBenchSkips(t *testing.T) {
	only := func(preset transform.Preset, do func(*engine.Result, io.Writer) error) func(engine.Program, engine.Settings, *engine.Result) error {
		return func(p engine.Program, s engine.Settings, result *engine.Result) error {
			if s.Mode != engine.Profile || s.Preset != preset {
				return nil
			}
			return do(result, p.Stdout)
		}
	}
	for _, test := range []struct {
		name, reason string
		run          func(engine.Program, engine.Settings, *engine.Result) error
	}{
		{"fails", "it failed: no luck", only(transform.Precise, func(r *engine.Result, _ io.Writer) error {
			r.Failure = errors.New("no luck")
			return nil
		})},
		{"ends badly", "it ended with status 3", only(transform.Precise, func(r *engine.Result, _ io.Writer) error {
			r.ExitCode = 3
			return nil
		})},
		{"prints something else", "it printed something other than the clean program", only(transform.Precise, func(_ *engine.Result, w io.Writer) error {
			_, err := io.WriteString(w, "more\n")
			return err
		})},
		{"runs too short", "it ran 20ms, which at an interval of 500µs is too short: 25ms at least", only(transform.Precise, func(r *engine.Result, _ io.Writer) error {
			r.Elapsed = 20 * time.Millisecond
			return nil
		})},
		{"cannot start", "the disk is full", only(transform.Precise, func(*engine.Result, io.Writer) error { return errors.New("the disk is full") })},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fakes{run: test.run}
			recordings := must.Get(f.collector().Run(t.Context(), small(1)))(t)
			report := Evaluate(recordings, Terms{Resamples: 10})
			want := Skip{Engine: "goja", Program: "raytrace", Ways: "precise", Reason: test.reason}
			if unmet := report.Unmet(); len(unmet) != 1 || unmet[0] != want {
				t.Errorf("skipped %+v, want %+v", unmet, want)
			}
			cells := report.Engines["goja"].Programs["raytrace"]
			if cells["balanced"] == nil || cells["precise"] != nil {
				t.Errorf("cells %v", cells)
			}
			if table := report.Table(); !strings.Contains(table, "- goja, raytrace (precise): "+test.reason) {
				t.Errorf("the table does not say so:\n%s", table)
			}
		})
	}
}

// An engine that is not installed is tried once.
func TestBenchWithoutEngine(t *testing.T) {
	f := &fakes{run: func(engine.Program, engine.Settings, *engine.Result) error { return errNoSuchEngine }}
	c := f.collector()
	recordings := must.Get(c.Run(t.Context(), small(2)))(t)
	if len(f.runs) != 1 {
		t.Errorf("asked %d times", len(f.runs))
	}
	if unmet := Evaluate(recordings, Terms{}).Unmet(); len(unmet) == 0 || unmet[0].Reason != errNoSuchEngine.Error() {
		t.Errorf("skipped %v", unmet)
	}
}

// A missing sampler leaves a cell without truth, not an engine.
func TestBenchWithoutSampler(t *testing.T) {
	f := &fakes{}
	c := f.collector()
	c.Samplers[0].Available = func() error { return errors.New("install a sampler") }
	recordings := must.Get(c.Run(t.Context(), small(1)))(t)
	report := Evaluate(recordings, Terms{})
	if unmet := report.Unmet(); len(unmet) != 1 || unmet[0].Reason != "install a sampler" || unmet[0].Ways != "truth, truth again" {
		t.Errorf("skipped %+v", unmet)
	}
	if cell := report.Engines["goja"].Programs["raytrace"]["precise"]; cell == nil || len(cell.Overlaps) != 0 {
		t.Errorf("cell %+v", cell)
	}
}

// A plan keeps to its budget, and lists the blocks that there was no time for.
func TestBudget(t *testing.T) {
	f := &fakes{}
	plan := small(10)
	plan.Budget = 25 * time.Second // three blocks of seven runs, one to calibrate; the first is expected to take 23.8 s
	recordings := must.Get(f.collector().Run(t.Context(), plan))(t)
	if took := f.now.Sub(time.Unix(0, 0)); took != 22*time.Second {
		t.Errorf("took %v", took)
	}
	report := Evaluate(recordings, Terms{})
	if len(report.Skipped) != 1 || !strings.HasPrefix(report.Skipped[0].Reason, "the budget of 25s has 3s left, and this takes some 7s") {
		t.Errorf("skipped %+v", report.Skipped)
	}
	if len(report.Unmet()) != 0 {
		t.Errorf("--strict objects to the budget: %v", report.Unmet())
	}
}

// A block that takes longer than expected ends with the budget, too.
func TestBudgetWithinBlock(t *testing.T) {
	f := &fakes{}
	f.run = func(engine.Program, engine.Settings, *engine.Result) error {
		f.now = f.now.Add(9 * time.Second)
		return nil
	}
	plan := small(1)
	plan.Budget = 24 * time.Second // the block is expected to take 23.8 s, and a run takes 10
	recordings := must.Get(f.collector().Run(t.Context(), plan))(t)
	if ran := len(slices.DeleteFunc(slices.Clone(recordings), func(r *Recording) bool { return r.Skipped != "" })); ran < 2 || ran > 3 {
		t.Errorf("%d runs took %v", ran, f.now.Sub(time.Unix(0, 0)))
	}
	report := Evaluate(recordings, Terms{})
	if len(report.Skipped) != 1 || len(report.Unmet()) != 0 || len(recordings) != 7 {
		t.Errorf("%d recordings, skipped %+v", len(recordings), report.Skipped)
	}
}

func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fakes{run: func(engine.Program, engine.Settings, *engine.Result) error {
		cancel()
		return context.Canceled
	}}
	if _, err := f.collector().Run(ctx, small(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Recordings that are kept and read again give the same report.
func TestKeepAndReplay(t *testing.T) {
	f := &fakes{}
	c := f.collector()
	c.Keep = t.TempDir()
	recordings := must.Get(c.Run(t.Context(), small(2)))(t)
	again := must.Get(ReadKept(c.Keep))(t)
	a, b := Evaluate(recordings, Terms{Resamples: 20}).Table(), Evaluate(again, Terms{Resamples: 20}).Table()
	if a != b {
		t.Errorf("first\n%s\nthen\n%s", a, b)
	}
}

// A tracing profiler's account is a cell like the others, without intervals, and in a
// table with the known shares.
func TestTracing(t *testing.T) {
	var program fixtures.Program
	for _, p := range fixtures.Exact() {
		if p.Name == "compute-sin" {
			program = p
		}
	}
	way := tracedWays(program)[0]
	recordings := []*Recording{
		{Engine: "node", Program: program.Name, Round: 1, Way: cleanWays()[0], CPU: time.Second},
		{Engine: "node", Program: program.Name, Round: 1, Way: way, CPU: 9 * time.Second,
			Account: map[string]float64{"computeCos": 40, "computeSin": 20, "computeResults": 30, "(script)": 10}},
	}
	report := Evaluate(recordings, Terms{Resamples: 10})
	cell := report.Engines["node"].Exact[program.Name][tracing]
	if cell == nil || math.Abs(cell.Overlap.Value-40) > 1e-9 || cell.Overlap.Low != cell.Overlap.High || cell.Shares["computeSin"] != 20 {
		t.Fatalf("cell %+v", cell)
	}
	if table := report.Table(); !strings.Contains(table, "| compute-sin | computeSin | 0.0 | 20.0 |") || !strings.Contains(table, "| compute-sin | *time of the program* | 1× | 9.0× |") {
		t.Error(table)
	}
}

// Without npm, programs that would have to be wrapped are skipped, and the rest runs.
func TestTracingWithoutNPM(t *testing.T) {
	f := &fakes{}
	c := f.collector()
	c.missing = map[string]string{"npm": "no npm"}
	r := &Recording{Engine: "goja", Program: "sequence", Way: Way{Name: tracing, Use: Traced}}
	c.prepareAndRun(t.Context(), Block{Engine: "goja", Program: fixtures.Program{Name: "sequence"}}, t.TempDir(), r)
	if r.Skipped != "no npm" || len(f.runs) != 0 {
		t.Errorf("%+v after runs %v", r, f.runs)
	}
}

// A profile by polling checks is compared with the one by the shared flag.
func TestClocksAreCompared(t *testing.T) {
	f := &fakes{}
	plan := small(1)
	plan.Blocks[0].Ways = append(plan.Blocks[0].Ways, profiledWays(ends[:1], "poll", standardInterval)...)
	recordings := must.Get(f.collector().Run(t.Context(), plan))(t)
	row := Evaluate(recordings, Terms{Resamples: 50}).Engines["goja"].Independence["clock, balanced"]
	if row == nil || row.Pairs != 1 || row.Overlap != 100 {
		t.Errorf("%+v", row)
	}
}

// Sessions with other seeds run ways in another order, with other ticks; one with the same
// seed repeats both.
func TestSeedOfASession(t *testing.T) {
	run := func(seed uint64) string {
		f := &fakes{}
		var ticks []string
		f.run = func(_ engine.Program, s engine.Settings, _ *engine.Result) error {
			ticks = append(ticks, fmt.Sprint(s.Mode, s.Preset, s.Seed))
			return nil
		}
		c := f.collector()
		c.Seed = seed
		for _, r := range must.Get(c.Run(t.Context(), small(1)))(t) {
			ticks = append(ticks, r.Way.Name)
		}
		return strings.Join(ticks, " ")
	}
	one, again, two := run(1), run(1), run(2)
	if one != again || one == two {
		t.Errorf("seed 1: %s\nagain:  %s\nseed 2: %s", one, again, two)
	}
}
