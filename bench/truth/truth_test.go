package truth

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

func TestMain(m *testing.M) {
	Child()
	os.Exit(m.Run())
}

// each runs a test with every sampler whose engine is installed, one after the
// other; in short runs, which look for races, with the one that runs our own
// goroutines. In CI none may be missing.
func each(t *testing.T, test func(t *testing.T, s Sampler)) {
	for _, s := range Samplers() {
		t.Run(s.Name, func(t *testing.T) {
			if testing.Short() && s.Name != "goja" {
				t.Skip("no goroutine of ours is in it")
			}
			if err := s.Available(); err != nil && os.Getenv("CI") == "" {
				t.Skipf("SKIPPED: %v", err)
			} else if err != nil {
				t.Fatal(err)
			}
			test(t, s)
		})
	}
}

// sample runs a program for a part of its usual time, a longer one where samples
// are few.
func sample(t *testing.T, s Sampler, p fixtures.Program) *Run {
	t.Helper()
	part := 0.25
	if testing.Short() {
		part = 0.1
	}
	if s.Name == "goja-startprofile" || s.Name == "chromium" { // ten milliseconds
		part = 0.7
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	return must.Get(s.Sample(ctx, p, Settings{Arguments: shortened(t, s, p, part)}))(t)
}

func shortened(t *testing.T, s Sampler, p fixtures.Program, part float64) []string {
	t.Helper()
	args := p.V8.Args
	if s.Engine == "goja" {
		args = p.Goja.Args
	}
	args = append([]string{"1"}, args...)
	if len(args) > 1 {
		args = args[1:]
	}
	scale := must.Get(strconv.ParseFloat(args[0], 64))(t)
	return append([]string{strconv.FormatFloat(part*scale, 'g', -1, 64)}, args[1:]...)
}

func program(t *testing.T, name string) fixtures.Program {
	t.Helper()
	for _, p := range append(fixtures.Exact(), fixtures.Real()...) {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no fixture %s", name)
	return fixtures.Program{}
}

// Every sampler sees three functions that work, except V8's with inlining, which may
// charge all of it to their caller. How close it comes to their 60, 30 and 10 % depends
// on the machine, and is measured by `bench truth` and `bench bias`.
func TestKnownFunctionsShow(t *testing.T) {
	p := program(t, "sequence")
	each(t, func(t *testing.T, s Sampler) {
		missing := true
		for end := time.Now().Add(5 * time.Minute); missing && time.Now().Before(end); { // a starved sampler has few samples
			run := sample(t, s, p)
			self := SelfTimes(p, run.Profile)
			t.Logf("%d samples: %v", run.Profile.Len(), self)
			missing = false
			for name, share := range p.Expected {
				missing = missing || share >= 5 && self[name] == 0
			}
			if !strings.HasPrefix(string(run.Output), "sequence ") {
				t.Errorf("it printed %q", run.Output)
			}
			m := &run.Profile.Meta
			if m.Engine != s.Engine || m.Interval <= 0 || m.Clock == "" || m.Program != p.Path {
				t.Errorf("%+v", m)
			}
			if s.Name == "v8" {
				return
			}
		}
		if missing {
			t.Errorf("some of %v were never sampled", p.Expected)
		}
	})
}

// identity identifies a function across profiles.
type identity struct {
	Name, File   string
	Line, Column int32
}

// identities are the functions on the stacks of a profile, with their share of
// the time in percent.
func identities(p *profile.Profile) map[identity]float64 {
	found := map[identity]float64{}
	all := 0.0
	for i := range p.Len() {
		s := p.Sample(i)
		weight := float64(s.Weight)
		all += weight
		for stack := s.Stack; stack != profile.NoStack; stack = p.Stacks.Parent[stack] {
			f := p.Function(p.Frames.Function[p.Stacks.Frame[stack]])
			if f.Flags&(profile.Pseudo|profile.NativeCode) == 0 {
				found[identity{f.Name, f.File, f.Line, f.Column}] += weight
				weight = 0
			}
		}
	}
	for f := range found {
		found[f] *= 100 / all
	}
	return found
}

// The functions of a clean run are those that the instrumented program lists; which of
// them are sampled depends on the machine.
func TestFunctionsAreThoseOfInstrumentedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("compares many runs")
	}
	if err := nodeAvailable(); err != nil && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED: %v", err)
	}
	instrumented := map[string]map[identity]bool{}
	for _, name := range []string{"variants", "raytrace"} {
		p := program(t, name)
		known := map[identity]bool{}
		for engineName, run := range map[string]func(context.Context, engine.Program, engine.Settings) (*engine.Result, error){"goja": goja.Run, "node": node.Run} {
			args := shortened(t, Sampler{Engine: engineName}, p, 0.01)
			result, err := run(t.Context(), engine.Program{Path: p.Path, Args: args, Stdout: io.Discard, Stderr: io.Discard}, engine.Settings{Mode: engine.Idle})
			if err != nil || result.Failure != nil {
				t.Fatal(err, result.Failure)
			}
			for _, f := range result.Functions() {
				known[identity{f.Name, f.File, f.Line, f.Column}] = true
				known[identity{"", f.File, 1, 1}] = true // its top level, which is not listed
			}
		}
		instrumented[name] = known
	}
	each(t, func(t *testing.T, s Sampler) {
		if s.Name == "goja-outside" {
			t.Skip("it names functions as goja does")
		}
		for name, known := range instrumented {
			if name == "raytrace" && (s.Engine == "firefox" || s.Engine == "chromium" || s.Name == "goja-startprofile") {
				continue // it takes long for few samples
			}
			p := program(t, name)
			run := sample(t, s, p)
			seen := map[string]bool{}
			for f, share := range identities(run.Profile) {
				if !known[f] && share > 0.5 {
					t.Errorf("%s: %+v, %.1f %%, is no function of the instrumented program", name, f, share)
				}
				seen[p.Key(f.Name, int(f.Line))] = true
			}
			for key := range p.Expected {
				if !seen[key] && run.Profile.Len() > 500 && s.Name != "v8" && s.Name != "chromium" { // where it may be inlined
					t.Errorf("%s: no sample fell into %s", name, key)
				}
			}
		}
	})
}

// A failure names the program.
func TestFailures(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) fixtures.Program {
		path := filepath.Join(folder, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
		return fixtures.Program{Name: "the-" + name, Path: path, Expected: map[string]float64{"f": 100}}
	}
	throws := write("throws.js", "function f() { throw new Error('on purpose'); }\nf();\n")
	broken := write("broken.js", "function (\n")
	missing := fixtures.Program{Name: "the-missing.js", Path: filepath.Join(folder, "missing.js"), Expected: broken.Expected}
	each(t, func(t *testing.T, s Sampler) {
		if s.Engine == "firefox" || s.Engine == "chromium" {
			t.Skip("fails as in engine/browser")
		}
		for _, c := range []struct {
			p    fixtures.Program
			want string
		}{{throws, "on purpose"}, {broken, "broken.js:1"}, {missing, "no such file"}} {
			if s.Name == "goja-outside" {
				c.want = strings.Replace(c.want, "js:1", "js: Line 1", 1) // as goja says it
			}
			_, err := s.Sample(t.Context(), c.p, Settings{})
			if err == nil || !strings.Contains(err.Error(), c.p.Name) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.p.Name, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Sample(ctx, program(t, "sequence"), Settings{}); err == nil {
			t.Error("a run whose context had ended gave a profile")
		}
	})
}

// A missing engine is named, with what to install.
func TestMissingEngines(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, s := range Samplers() {
		err := s.Available()
		if s.Engine == "goja" {
			if err != nil && (s.Name != "goja-outside" || runtime.GOOS == "linux") {
				t.Error(err)
			}
			continue
		}
		if err == nil && filepath.Separator == '/' && s.Engine != "webkit" {
			t.Errorf("%s: available without a PATH", s.Name)
		}
		if err != nil && !strings.Contains(err.Error(), "install") {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// A second sampling in the same process starts afresh.
func TestGojaIsLeftAsItWas(t *testing.T) {
	for range 2 {
		stop := startGoja(time.Millisecond)
		stop()
		p := &gojaProfiler.p
		if p.buf != nil || p.running || len(p.trackers) != 0 || gojaProfiler.enabled != 0 {
			t.Errorf("%+v", gojaProfiler.enabled)
		}
	}
}

func TestAccount(t *testing.T) {
	if !testing.Short() {
		fixtures.EnsureNodeModules(t)
		p := program(t, "generators")
		for _, engineName := range []string{"goja", "node"} {
			shares := must.Get(Account(t.Context(), p, engineName))(t)
			for name, share := range p.Expected {
				if share >= 5 && shares[name] == 0 {
					t.Errorf("%s: %s is not in the account %v", engineName, name, shares)
				}
			}
		}
	}
	for _, c := range []struct{ program, engine, want string }{
		{"raytrace", "goja", "not known"},
		{"tiny", "goja", "shorter"},
		{"sequence", "netscape", "name goja, node"},
	} {
		if _, err := Account(t.Context(), program(t, c.program), c.engine); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %s: %v", c.program, c.engine, err)
		}
	}
}

func TestLookKnowsItsPrograms(t *testing.T) {
	if _, err := Look(t.Context(), 2, "no such program", nil, figures.Progress{Terminal: t.Output()}); err == nil || !strings.Contains(err.Error(), "no such program") {
		t.Error(err)
	}
	for _, name := range usual {
		program(t, name)
	}
}

// A table marks figures that rest on few samples, lists what was left out, and
// passes nothing but text to the terminal.
func TestTable(t *testing.T) {
	known := 98.7
	r := &Report{
		Origin: figures.Origin{Command: "go run ./bench truth"}, Runs: 2,
		Rows: []Row{{Program: "p", Sampler: "v8", Interval: time.Millisecond, Samples: 2999, Floors: []float64{90, 80}, Known: &known,
			Top: []Share{{"heavy", 60}, {"a\x1b[31m|b /tmp/x.js:3", 30}}}},
		Clocks:  []Clocks{{Program: "p", Engine: "goja", Known: 99, Worst: "heavy", Declared: 60, Measured: 61}},
		Skipped: []Skipped{{What: "jsc", Why: "there is no jsc\non the PATH"}},
	}
	table := r.Table()
	for _, want := range []string{`| 2999\* |`, "85.0 (80.0)", "98.7", "heavy 60.0", `a\x1b[31m\|b 30.0`, "| p | goja | 99.0 | heavy | 60.0 | 61.0 |", "- all programs, jsc: there is no jsc on the PATH"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if strings.Contains(table, "\x1b") {
		t.Error("it holds an escape sequence")
	}
	r.Rows[0].Samples = figures.FewSamples
	if strings.Contains(r.Table(), `\*`) {
		t.Error("it marks enough samples as few")
	}
}

func TestNamesAreUnique(t *testing.T) {
	var names []string
	for _, s := range Samplers() {
		names = append(names, s.Name)
	}
	if sorted := slices.Compact(slices.Sorted(slices.Values(names))); len(sorted) != len(names) {
		t.Error(names)
	}
}

// A program in another process is read while it runs, with the lines and names that goja
// gives its functions, in a pack as well.
func TestOutside(t *testing.T) {
	if err := outsideAvailable(); err != nil {
		t.Skip(err)
	}
	if gojaLayout.missing != "" {
		t.Fatalf("goja has no %s any more", gojaLayout.missing)
	}
	folder := t.TempDir()
	inner := filepath.Join(folder, "inner.js")
	must.Do(t, os.WriteFile(inner, []byte("function spin(until) {\n  while (performance.now() < until);\n}\nspin(performance.now() + 200);\nconsole.log('done', process.argv[2]);\n"), 0o644))
	outer := filepath.Join(folder, "outer.js")
	must.Do(t, os.WriteFile(outer, []byte("setTimeout(() => require('./inner.js'), 1);\n"), 0o644))
	for _, p := range []fixtures.Program{
		{Name: "inner", Path: inner, Expected: map[string]float64{"spin": 100}},
		{Name: "outer", Path: outer, Packs: []fixtures.Program{{Path: inner}}},
	} {
		var run *Run
		found := false
		for end := time.Now().Add(must.Hang); !found && time.Now().Before(end); { // a starved reader sees little
			run = must.Get(sampleOutside(t.Context(), p, Settings{Arguments: []string{"7"}}))(t)
			if got := string(run.Output); got != "done 7\n" {
				t.Fatalf("%s printed %q", p.Name, got)
			}
			for f := range run.Profile.Functions.Name {
				got := run.Profile.Function(profile.FunctionID(f))
				found = found || got.Name == "spin" && got.Line == 1 && got.File == inner
			}
		}
		if !found {
			t.Errorf("%s: %v", p.Name, identities(run.Profile))
		}
	}
}
