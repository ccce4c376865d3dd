package bias

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// The counts of acorn for one function of each kind.
func TestParse(t *testing.T) {
	must.HaveNode(t)
	fixtures.EnsureNodeModules(t)
	source := `function f(a, b) { "use strict"; let x = 1, y; if (a) return; else if (b) { x++, y = 2; }
  function inner() { ; }
  lab: for (let i = 0; i < 2; i++) inner(); return x, y }
const g = async a => (a, a), h = () => { return [3].sort() }, text = { get v() { return JSON.stringify(1) }, *m() {} };
console.log(f, g, h, text);
p.then(() => f(), () => 1); const w = async () => { await f() }; addEventListener.onload = function () { f() }
const z = (a, s) => /x*/.test(s) || s.split(/,/) || a.map((x) => x); app.get('/', (q) => f(q)); q.get(1, (q) => f(q)); y(function* () { yield z(w) });
class C { field = () => 1; static { f(); f() } constructor() { this.x = 1 } }
new C();
function last(a) { return a.map(first) } function first(a) { f(a) } text.addEventListener('x', C.y.later.bind(this)); text.later = () => f(); p.then(first), last(p);
`
	minified := must.Get(bundle.Make(writeFile(t, source), bundle.Target{Engine: "node", Node: true, Await: true}))(t)
	var got []string
	for _, f := range must.Get(parse(t.Context(), minified))(t) {
		text := fmt.Sprintf("%d:%d %d", f.Line, f.Column, f.Statements)
		if f.Loops {
			text += " loops"
		}
		if f.Entered {
			text += " entered"
		}
		if f.Initializer {
			text += " initializer"
		}
		got = append(got, text)
	}
	slices.Sort(got)
	want := []string{"1:1 10 loops", "2:3 0", "4:11 2", "4:110 0", "4:34 1 loops", "4:72 1 loops", "6:8 1 entered", "6:19 1", "6:39 1 entered",
		"6:92 1 entered", "7:11 1 loops", "7:59 1", "7:83 1 entered", "7:106 1", "7:122 1 entered",
		"8:19 0 initializer", "8:19 1", "8:28 2 initializer", "8:48 1",
		"10:1 1 loops", "10:42 1 entered", "10:132 1 entered"}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

// The transform checks what the presets promise, by a parser that shares no code with it.
// Only functions whose text is taken are without checks that were promised.
func TestPromiseIsKept(t *testing.T) {
	must.HaveNode(t)
	fixtures.EnsureNodeModules(t)
	for _, program := range fixtures.Real() {
		if os.Getenv("FIELDPROF_FULL") == "" && !slices.Contains([]string{"raytrace", "marked", "lodash-mustache"}, program.Name) {
			continue
		}
		b := must.Get(node.Bundle(program.Path))(t)
		g := &group{runs: []*Recording{{Parsed: must.Get(parse(t.Context(), b))(t)}}}
		taken := map[string]bool{}
		for _, preset := range presets[1:] {
			script := must.Get(instrumented.Make(b.Code, transform.Options{File: "b.js", Target: transform.Web, Goal: transform.FunctionBody,
				SourceMap: b.SourceMap, Selection: transform.Selection{Preset: preset}}))(t)
			symbols := script.Symbols()
			g.runs = append(g.runs, &Recording{Functions: symbols.Functions(), Way: Way{Preset: preset}})
			for i, reason := range script.Reasons {
				if at := script.Table.Functions[i].Original; at != nil && reason.Why == transform.OutText {
					taken["− "+Key(profile.Function{File: at.Source, Line: at.Line, Column: at.Column})] = true
				}
			}
		}
		_, promised := g.promise()
		for detail, differences := range promised.Differences {
			for _, difference := range differences {
				if !taken[difference] {
					t.Errorf("%s, %s of %d functions: %s", program.Name, detail, promised.Functions, difference)
				}
			}
		}
	}
}

// A preset that checks nothing keeps its promise, and is visibly bad in the first table.
func TestCheckingNothingIsBad(t *testing.T) {
	heavy := func(n int32, kind profile.Kind) *profile.Profile {
		var list []sampled
		for i := range n {
			list = append(list, sampled{[]string{"0a", "0b", "0bA", "0b"}[i%4], 1, kind})
		}
		return stackProfile(list...)
	}
	functions := []profile.Function{letterFunction('a'), letterFunction('b'), letterFunction('A')}
	for i := range functions {
		functions[i].Flags &^= profile.Checked
	}
	var recordings []*Recording
	for _, program := range []string{"raytrace", "kernel", "acorn"} {
		interval := standardInterval
		for _, way := range append(truthWays("goja", interval), Way{Name: "balanced", Use: Profiled, Preset: transform.Balanced, Interval: interval}) {
			r := &Recording{Engine: "goja", Program: program, Round: 1, Way: way, Profile: heavy(2000, profile.Own)}
			if way.Use == Profiled {
				var list []sampled
				for range 2000 {
					list = append(list, sampled{"0", 1, profile.Loop}) // all that there is to see
				}
				r.Profile, r.Functions = stackProfile(list...), functions
			}
			recordings = append(recordings, r)
		}
	}
	report := Evaluate(recordings, Terms{Resamples: 50})
	m := report.Engines["goja"].Means["balanced"]
	if m.Overlaps[Promise].Overlap.Value != 100 || *m.Resolution != 0 || math.Abs(*m.Functions-1) > 1e-9 || m.Overlaps[Strict].Overlap.Value > 0 {
		t.Errorf("%+v resolution %g functions %g", m, *m.Resolution, *m.Functions)
	}
	if b := m.Overlaps[Strict].Bias; b.Low < 90 {
		t.Errorf("strict bias %+v", b)
	}
	want := "| balanced | 3\\* | 0.0 | 0.0 | 1.0 | 100.0 | 100.0 | 0.0 | 100.0 (100.0–100.0) | 1.00–1.00 | 0.0 |"
	if page := string(must.Get(report.Accuracy(Costs{}))(t)); !strings.Contains(page, want) {
		t.Errorf("no %q in\n%.3000s", want, page)
	}
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.js")
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
