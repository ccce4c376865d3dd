package causal

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/golden"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// Every function has each dose once in a round, in addition to the base.
func TestConditions(t *testing.T) {
	list := conditions(5, generator(7))
	if len(list) != len(doses) || slices.Max(list[0]) != 0 {
		t.Fatalf("%v", list)
	}
	for f := range 5 {
		var levels []int
		for _, c := range list {
			levels = append(levels, c[f])
		}
		slices.Sort(levels)
		if !slices.Equal(levels, []int{0, 1, 2, 3}) {
			t.Errorf("function %d has the levels %v", f, levels)
		}
	}
	for level, part := range doses {
		if want := doses[1] * float64(multiple(level)); part != want {
			t.Errorf("level %d is %v, and %v times the lowest dose", level, part, want)
		}
	}
}

// The whole plan fits into its budget, and so does the quick one.
func TestPlansFit(t *testing.T) {
	samplers := truth.Samplers()
	ways := func(e *Engine) []Way { return e.ways(samplers) }
	for _, o := range []Options{{Rounds: 1}, {Rounds: 3, Quick: true}} {
		plan := newPlan(o, Engines(), ways)
		var total time.Duration
		for i := range plan.Blocks {
			total += plan.Blocks[i].expected(o)
			for _, w := range plan.Blocks[i].Ways {
				if w.Sampler != nil && w.Sampler.ExactOnly() {
					t.Errorf("%s is to sample %s, which is bundled", w.Name, plan.Blocks[i].Program.Name)
				}
			}
		}
		if total > plan.Budget {
			t.Errorf("%s: %v of %v\n%s", o.arguments(), total, plan.Budget, plan.List(o))
		}
	}
	plan := newPlan(Options{Rounds: 2, Engines: []string{"firefox"}, Only: "sheet"}, Engines(), ways)
	if len(plan.Blocks) != 4 || plan.Blocks[1].Change == nil || plan.Blocks[2].Round != 2 || !strings.Contains(plan.List(Options{}), "optimization") {
		t.Errorf("%s", plan.List(Options{}))
	}
}

// sample is a program with functions of several kinds.
const sample = `'use strict'; /* ü */ class A {
  static m(n) { 'use strict';
    let s = 0;
    for (let i = 0; i < n; i++) s += i;
    return s;
  }
}
const o = { get g() { for (const x of [1]) A.m(x); return 1; } }, f = (n) => A.m(n) + o.g;
for (let k = 0; k < 3; k++) f(k);
console.log(A.m(10));
`

func parsed(t *testing.T, text string) *script {
	t.Helper()
	fixtures.EnsureNodeModules(t)
	return must.Get(parse(context.Background(), filepath.Join(t.TempDir(), "sample.js"), text))(t)
}

func TestSites(t *testing.T) {
	s := parsed(t, sample)
	m, g := s.find(2, 11), s.find(8, 19) // at the parameters
	if m == 0 || g == 0 || len(s.sites) != 3 {
		t.Fatalf("%+v", s.sites)
	}
	if i := s.around(strings.Index(sample, "ü")); i != 0 {
		t.Errorf("a comment is the head of %d", i)
	}
	if s.holding(strings.Index(sample, "s += i")) != m || s.holding(strings.Index(sample, "console")) != 0 {
		t.Error("positions in bodies are in other functions")
	}
	text := s.dosed([]site{s.sites[m], s.sites[g]}, []int{3, 0})
	for _, part := range []string{
		"'use strict';var spin$state = 1, spin$n0 = 3, spin$n1 = 0;function spin$never()",
		"static m(n) { 'use strict';for (let spin$i = spin$n0; ", "get g() {for (let spin$i = spin$n1; ",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
	if strings.Count(text, "\n") != strings.Count(sample, "\n") {
		t.Error("a dose moves lines")
	}
}

// Spins change no preset's checks, count the calls that there are, and print nothing.
func TestSpinsInGoja(t *testing.T) {
	s, e := parsed(t, sample), Engines()[0]
	functions := s.sites[1:]
	before := must.Get(checksIn(e, s.path))(t)
	one := &session{missing: map[string]string{}}
	run := func(text string) string {
		must.Do(t, os.WriteFile(s.path, []byte(text), 0o600))
		return must.Get(one.once(context.Background(), e, Way{Name: clean}, s.path, nil, 1))(t).printed
	}
	if got := run(s.dosed(functions, []int{5, 7})); got != "45\n" {
		t.Errorf("with spins it prints %q", got)
	}
	after := must.Get(checksIn(e, s.path))(t)
	if preset := after.differs(before); preset != "" {
		t.Errorf("%s has other checks: %v, before %v", preset, after.sites, before.sites)
	}
	if got := run(s.counting(functions)); got != "45\n"+countPrefix+"7 3\n" {
		t.Errorf("counting, it prints %q", got)
	}
	// A spin without a call would have a check of its own.
	must.Do(t, os.WriteFile(s.path, []byte(strings.ReplaceAll(s.dosed(functions[1:], []int{1}), " && spin$never()", "")), 0o600))
	if must.Get(checksIn(e, s.path))(t).differs(before) == "" {
		t.Error("checks in the spin are not noticed")
	}
}

// A function of a tiny program has its time, and the sampler's are found by the same
// positions.
func TestSharesOfAProgram(t *testing.T) {
	s, e := parsed(t, "function hot(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 3 + i) % 1013; return s; }\n"+
		"let k = 0; for (const end = Date.now() + 60; Date.now() < end;) k = hot(3000);\nconsole.log('done');\n"), Engines()[0]
	one := &session{missing: map[string]string{}}
	for _, w := range e.ways(truth.Samplers()) {
		if w.Name != "precise" && w.Name != "goja" {
			continue
		}
		run := must.Get(one.once(context.Background(), e, w, s.path, nil, 1))(t)
		for end := time.Now().Add(must.Hang); sharesOf(run.profile, s, []int{1}).self[0] <= 0 && time.Now().Before(end); { // a starved clock has no tick in it
			run = must.Get(one.once(context.Background(), e, w, s.path, nil, 1))(t)
		}
		if found := sharesOf(run.profile, s, []int{1}); found.self[0] <= 0 || found.total[0] < found.self[0] || found.samples <= 0 {
			t.Errorf("%s: %+v", w.Name, found)
		}
		if self := merged(run.profile, s, map[int]bool{1: true}); self[1] <= 0 {
			t.Errorf("%s, merged: %v", w.Name, self)
		}
	}
}

// Each optimization has its place in the bundles of goja and Node.
func TestChangesHaveTheirPlace(t *testing.T) {
	programs := fixtures.Real()
	fixtures.EnsureNodeModules(t)
	for _, p := range programs {
		c := changes[p.Name]
		if c == nil {
			continue
		}
		for _, e := range Engines()[:2] {
			before := must.Get(e.Bundle(p.Path))(t)
			after, err := c.apply(string(before.Code))
			if err != nil {
				t.Errorf("%s in %s: %v", p.Name, e.Name, err)
			}
			if p.Name != "raytrace" || err != nil {
				continue
			}
			s := must.Get(flat(context.Background(), e, p, t.TempDir()))(t)
			changed := must.Get(parse(context.Background(), s.path, after))(t)
			if i, j := c.in(s, false), c.in(changed, true); i == 0 || i != j {
				t.Errorf("%s in %s: function %d before, %d after", p.Name, e.Name, i, j)
			}
		}
	}
	for name := range changes {
		if !slices.ContainsFunc(programs, func(p fixtures.Program) bool { return p.Name == name }) {
			t.Errorf("no program %s", name)
		}
	}
	if _, err := (&Change{Edits: []Edit{{"x", "y"}}}).apply("x x"); err == nil {
		t.Error("an optimization with two places has one")
	}
}

// made is a report of made-up runs.
func made() *Report {
	result := func(share ...float64) *Trial {
		return model{share: share, agreement: 1, rounds: 1}.trial(generator(3), map[string]way{"balanced": honest, "v8": blind})
	}
	r := &Report{
		Origin: figures.Origin{Machine: figures.Machine{When: "2026-01-02", CPUs: 2, Go: "go1"}, Command: "go run ./bench causal"},
		Took:   15 * time.Minute, Seed: 3,
		Engines: map[string]*Result{"node": {
			Programs: map[string]*Trial{"a": result(0.3, 0.2), "b": result(0.2, 0.2), "c": result(0.1, 0.4)},
			Changes: map[string]*Optimization{"a": {Function: "f", What: "does less", Runs: []ChangeRun{
				{Way: clean, Seconds: 1}, {Way: clean, After: true, Seconds: 0.9},
				{Way: "balanced", Total: 0.3, Samples: 1e9}, {Way: "balanced", After: true, Total: 0.2, Samples: 1e9},
			}}},
		}},
		Skipped: []Skip{{"goja", "d", "doses, round 1", "it failed:\nsomewhere"}},
	}
	r.Evaluate()
	return r
}

func TestTable(t *testing.T) {
	golden.Each(t, "testdata/table.txtar", func(t *testing.T, f golden.File) { f.Compare(t, 1, made().Table()) })
}

// A reason has one line, whatever it holds for.
func TestSkipsWithOneReason(t *testing.T) {
	r := made()
	r.Skipped = []Skip{
		{"goja", "a", "outside, round 1", "no bundler"}, {"goja", "a", "outside, round 2", "no bundler"}, {"node", "a", "doses of f", "it is called 1 times"},
		{"goja", "b", "outside, round 1", "no bundler"}, {"node", "b", "outside, round 1", "no bundler\nat all"},
	}
	_, got, _ := strings.Cut(r.Table(), "## Skipped\n\n")
	must.Equal(t, got, "- goja: no bundler (3 skips: a, b)\n- node, a, doses of f: it is called once\n- node, b, outside, round 1: no bundler\n")
}

func TestHostileNames(t *testing.T) {
	name := "<script>alert(1)</script>\x1b[31m|"
	r := made()
	x := r.Engines["node"]
	x.Programs[name] = x.Programs["a"]
	x.Programs["b"].Functions[0].Name = name
	x.Changes[name] = &Optimization{Function: name, What: name}
	r.Skipped = []Skip{{name, name, name, name}}
	page := must.Get(Document(map[string]*Report{resultName: r}))(t)
	for _, text := range []string{r.Table(), string(page)} {
		if strings.Contains(text, "<script>") || strings.Contains(text, "\x1b") {
			t.Errorf("names are not escaped:\n%s", text)
		}
	}
}

// A report that is read back is evaluated to the same.
func TestReplay(t *testing.T) {
	r := made()
	var again Report
	must.Do(t, json.Unmarshal(must.Get(json.Marshal(r))(t), &again))
	again.Skipped = r.Skipped
	again.Evaluate()
	if again.Table() != r.Table() {
		t.Error("the runs in a report give other tables")
	}
}

// bare takes all figures out of a report, and leaves the runs.
func (r *Report) bare() {
	for _, e := range r.Engines {
		e.Ways, e.Chance = nil, Choice{}
		for _, of := range e.Programs {
			of.Base, of.Agreement, of.Ways = 0, estimate.Estimate{}, nil
		}
		for _, of := range e.Changes {
			of.Gain, of.Ways = estimate.Estimate{}, nil
		}
	}
}

// The recorded figures, tables and plots are those of the recorded runs, to the bit.
func TestFiguresAreOfTheRuns(t *testing.T) {
	results, folder := filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "results"), t.TempDir()
	reports := must.Get(ReadRecorded(results))(t)
	for name, r := range reports {
		r.bare()
		must.Do(t, figures.Write(folder, name, r))
	}
	for name := range reports {
		o := Options{Replay: folder}
		if _, engine, alone := strings.Cut(name, "-"); alone {
			o.Engines = []string{engine}
		}
		again := must.Get(Measure(t.Context(), o, figures.Progress{}))(t)
		made := t.TempDir()
		must.Do(t, figures.Write(made, name, again))
		must.HoldTree(t, results, made, "go run ./bench "+o.arguments()+" --replay bench/results --out bench/results")
	}
}

func TestScaledArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		by   float64
		want string
	}{{nil, 0.5, "0.50"}, {[]string{"20", "x"}, 2, "40.00 x"}, {[]string{"20"}, 1000, "320.00"}, {[]string{"10"}, 0.001, "1.00"}} {
		if got := strings.Join(scaled(c.args, c.by), " "); got != c.want {
			t.Errorf("%v by %v: %s, want %s", c.args, c.by, got, c.want)
		}
	}
	quick := Options{Quick: true}.some(Engines()[0].ways(nil))
	if slices.ContainsFunc(quick, func(w Way) bool { return w.Profile && w.Preset == transform.Fine }) || len(quick) != cleanRuns+2 {
		t.Errorf("the quick plan has %d ways", len(quick))
	}
}
