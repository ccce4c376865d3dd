// Package engines tests that a program runs the same in every engine, and that
// its profiles say the same.
package engines

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

type runner func(context.Context, engine.Program, engine.Settings) (*engine.Result, error)

type named struct {
	name string
	run  runner
}

// others are the engines other than goja, which they are compared with.
var others = []named{
	{"node", node.Run},
	{"chromium", browser.Run(browser.Chromium)},
	{"firefox", browser.Run(browser.Firefox)},
	{"webkit", browser.Run(browser.WebKit)},
}

// each runs the nth of several tests in the engines whose turn it is (inTurn).
func each(t *testing.T, n int, test func(t *testing.T, run runner)) {
	eachNamed(t, func(t *testing.T, name string, run runner) {
		if inTurn(name, n) {
			test(t, run)
		}
	})
}

// eachNamed runs a test in every other engine, one after the other: they are compared by what
// they measure.
func eachNamed(t *testing.T, test func(t *testing.T, name string, run runner)) {
	for _, e := range others {
		t.Run(e.name, func(t *testing.T) { test(t, e.name, e.run) })
	}
}

// inTurn says whether an engine has the nth of several programs: Node has all, and each of the
// browsers, whose start takes longer than the programs, one of three. With FIELDPROF_FULL=1
// all have all.
func inTurn(name string, n int) bool {
	at := slices.IndexFunc(others, func(e named) bool { return e.name == name })
	return at == 0 || at-1 == n%3 || isFull
}

var isFull = os.Getenv("FIELDPROF_FULL") != ""

// limit ends a run that hangs.
const limit = 3 * time.Minute

// outcome is what a program shows of itself.
type outcome struct {
	stdout, stderr, failure string
	code                    int
}

// perform runs a program. Where its engine is not installed the test is skipped;
// where CI is set it fails.
func perform(t *testing.T, run runner, program engine.Program, settings engine.Settings) (outcome, *engine.Result) {
	t.Helper()
	var o outcome
	var result *engine.Result
	var err error
	var hung bool
	for _, limit := range []time.Duration{limit / 4, limit / 2, limit} { // WebKit may hang, if rarely
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		o, result, err = attempt(ctx, run, program, settings)
		hung = ctx.Err() != nil
		cancel()
		if !hung {
			break
		}
		t.Logf("%s hung for %v", program.Path, limit)
	}
	skipMissing(t, err)
	if err != nil {
		t.Fatalf("%s: %v", program.Path, err)
	}
	if hung {
		t.Fatalf("%s does not end: %+v", program.Path, o)
	}
	return o, result
}

// skipMissing skips a test whose engine is not installed, except where CI is set.
func skipMissing(t *testing.T, err error) {
	t.Helper()
	var missing *browser.MissingError
	if (errors.As(err, &missing) || errors.Is(err, node.ErrMissing)) && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED: %v", err)
	}
}

func attempt(ctx context.Context, run runner, program engine.Program, settings engine.Settings) (outcome, *engine.Result, error) {
	var stdout, stderr bytes.Buffer
	program.Stdout, program.Stderr = &stdout, &stderr
	result, err := run(ctx, program, settings)
	if err != nil {
		return outcome{}, nil, err
	}
	o := outcome{stdout: stdout.String(), stderr: stderr.String(), code: result.ExitCode}
	if result.Failure != nil {
		o.failure = result.Failure.Error()
	}
	return o, result, nil
}

// write puts a program into a folder of its own.
func write(t *testing.T, name, source string) string {
	t.Helper()
	folder := t.TempDir()
	must.Write(t, folder, name, source)
	return filepath.Join(folder, name)
}

// Programs print in every engine what they print in goja, as they are and in
// each mode.
func TestOutputIsTheSame(t *testing.T) {
	fixtures.EnsureNodeModules(t)
	programs := append(fixtures.Exact(), fixtures.Real()...)
	every := 1
	if !isFull || testing.Short() {
		every = 8
	}
	modes := []engine.Mode{engine.Clean, engine.Idle, engine.Armed, engine.Profile}
	eachNamed(t, func(t *testing.T, name string, run runner) {
		for i, program := range programs {
			if i%every != 0 || !inTurn(name, i/every) {
				continue
			}
			to := engine.Program{Path: program.Path, Args: []string{"0.02"}}
			want, _ := perform(t, goja.Run, to, engine.Settings{Mode: engine.Clean})
			got, _ := perform(t, run, to, engine.Settings{Mode: modes[i/every%len(modes)], Selection: transform.Selection{Preset: transform.Precise}})
			if got != want {
				t.Errorf("%s, mode %d: %+v\nwant %+v", program.Name, modes[i/every%len(modes)], got, want)
			}
		}
	})
}

// Uncaught errors are reported in original positions, and end the
// program with 1; process.exit ends it with its own code, or with process.exitCode.
func TestFailures(t *testing.T) {
	throws := write(t, "app.ts", `
console.log('before');
interface Unused { a: number }
function fails(depth: number): never { throw new RangeError('too deep'); }
const outer = () => fails(3);
setTimeout(outer, 1);
setTimeout(() => console.log('never'), 60000);
`)
	rejects := write(t, "app.mjs", "await null;\nasync function refuse() {\n  await null;\n  throw new Error('refused');\n}\nrefuse();\nsetTimeout(() => {}, 60000);\n")
	exits := write(t, "app.js", "console.log('bye'); try { process.exit(3); } finally { console.log('never'); }")
	value := write(t, "value.js", "throw 'just a string'")
	sets := write(t, "sets.js", "console.log('failed'); process.exitCode = 4;")
	leaves := write(t, "leaves.js", "process.exitCode = 5; setTimeout(() => process.exit())")
	eachNamed(t, func(t *testing.T, name string, run runner) {
		got, result := perform(t, run, engine.Program{Path: throws}, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
		if got.stdout != "before\n" || got.code != 1 || got.stderr != "" || result.Profile == nil {
			t.Errorf("%+v", got)
		}
		if !strings.HasPrefix(got.failure, throws+":4:") || !strings.Contains(got.failure, "Uncaught RangeError: too deep") ||
			!strings.Contains(got.failure, "at fails ("+throws+":4:") || !strings.Contains(got.failure, throws+":5:21") {
			t.Errorf("%s", got.failure)
		}
		for i, c := range []struct {
			path string
			ends func(got outcome) bool
		}{
			{rejects, func(got outcome) bool {
				return got.code == 1 && strings.HasPrefix(got.failure, rejects+":4:") && strings.Contains(got.failure, "Uncaught (in promise) Error: refused")
			}},
			{exits, func(got outcome) bool { return got.code == 3 && got.stdout == "bye\n" && got.failure == "" }},
			{value, func(got outcome) bool {
				return got.code == 1 && strings.Contains(got.failure, "Uncaught just a string")
			}},
			{sets, func(got outcome) bool { return got.code == 4 && got.stdout == "failed\n" && got.failure == "" }},
			{leaves, func(got outcome) bool { return got.code == 5 && got.failure == "" }},
		} {
			if !inTurn(name, i) {
				continue
			}
			if got, _ := perform(t, run, engine.Program{Path: c.path}, engine.Settings{}); !c.ends(got) {
				t.Errorf("%s: %+v", c.path, got)
			}
		}
	})
}

// A program ends when nothing that it started is pending, not before.
func TestEndOfAProgram(t *testing.T) {
	path := write(t, "app.mjs", `
const log = [];
const first = await new Promise((done) => setTimeout(done, 100, 'awaited'));
let n = 0;
const turning = setInterval(() => { if (++n === 3) { clearInterval(turning); log.push('interval'); setTimeout(last, 120); } }, 10);
const gone = setTimeout(() => log.push('never'), 60000);
clearTimeout(gone);
setImmediate((x) => log.push(x), 'immediate');
function last() { console.log(first, log.sort().join(), process.argv.slice(2).join()); console.error('error'); process.stdout.write('end'); }
`)
	each(t, 2, func(t *testing.T, run runner) {
		got, result := perform(t, run, engine.Program{Path: path, Args: []string{"--a", "b"}}, engine.Settings{})
		if want := (outcome{stdout: "awaited immediate,interval --a,b\nend", stderr: "error\n"}); got != want {
			t.Errorf("%+v\nwant %+v", got, want)
		}
		if result.Elapsed < 240*time.Millisecond {
			t.Errorf("it took %v, less than its timers", result.Elapsed)
		}
	})
}

// The context ends a program that rests, and one that never does; its profile
// holds what ran until then.
func TestContextEndsTheProgram(t *testing.T) {
	loop := write(t, "loop.js", "console.log('started');\nfunction forever() { let n = 0; for (;;) n++; }\nforever();")
	timers := write(t, "timers.js", "console.log('started');\nsetInterval(() => {}, 5);")
	eachNamed(t, func(t *testing.T, name string, run runner) {
		for i, path := range []string{loop, timers} {
			if i > 0 && !inTurn(name, i) {
				continue
			}
			var result *engine.Result
			var err error
			for after := 300 * time.Millisecond; after < must.Hang; after *= 3 { // until there is a sample
				ctx, cancel := context.WithCancel(t.Context())
				out := &signal{heard: cancel, after: after}
				result, err = run(ctx, engine.Program{Path: path, Stdout: out, Stderr: os.Stderr}, engine.Settings{})
				cancel()
				if err != nil && !errors.Is(err, engine.ErrStuck) || err == nil && result.Profile.Len() > 0 {
					break
				}
			}
			skipMissing(t, err)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if !result.Stopped || result.Failure != nil || result.ExitCode != 0 || result.Profile.Len() == 0 {
				t.Errorf("%s: %+v", path, result)
			}
		}
	})
}

// signal calls heard some time after the first line.
type signal struct {
	heard func()
	after time.Duration
}

func (s *signal) Write(p []byte) (int, error) {
	if s.heard != nil {
		time.AfterFunc(s.after, s.heard)
		s.heard = nil
	}
	return len(p), nil
}

// Nothing is left of a browser or a node: no process, no file.
func TestNothingIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked up in /proc")
	}
	path := write(t, "app.js", "setTimeout(() => { throw new Error('x') }, 50)")
	each(t, 1, func(t *testing.T, run runner) {
		folder := must.Get(os.MkdirTemp("", "left-"))(t)
		defer os.RemoveAll(folder)
		t.Setenv("TMPDIR", folder)
		perform(t, run, engine.Program{Path: path}, engine.Settings{})
		if left, _ := filepath.Glob(folder + "/instrument-*"); len(left) > 0 {
			t.Errorf("left on disk: %q", left)
		}
		must.Happen(t, "all processes of "+folder+" end", func() bool { return len(must.Processes(folder)) == 0 })
	})
}

// An engine that is not there says what to install.
func TestMissingEngine(t *testing.T) {
	path := write(t, "app.js", "1")
	t.Setenv("PATH", t.TempDir())
	for _, e := range others {
		_, _, err := attempt(t.Context(), e.run, engine.Program{Path: path}, engine.Settings{})
		if err == nil && (e.name == "webkit" || runtime.GOOS == "darwin") {
			continue // found by its path
		}
		if err == nil || !strings.Contains(err.Error(), "install") {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

// Source errors are reported before anything starts.
func TestSourceErrors(t *testing.T) {
	path := write(t, "app.ts", "let a = 1;\nlet a = 2;\n")
	for _, e := range others {
		_, _, err := attempt(t.Context(), e.run, engine.Program{Path: path}, engine.Settings{})
		var source *bundle.SourceError
		if !errors.As(err, &source) || !strings.Contains(err.Error(), "app.ts:2:5: ") {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

// slow is a host that takes its time to print.
type slow struct{ io.Writer }

func (s slow) Write(text []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	return s.Writer.Write(text)
}

// sampled performs a program until its profile has a sample: a starved coordinator has none.
func sampled(t *testing.T, run runner, program engine.Program, settings engine.Settings) (o outcome, result *engine.Result) {
	t.Helper()
	for end := time.Now().Add(must.Hang); time.Now().Before(end); {
		if o, result = perform(t, run, program, settings); result.Profile.Len() > 0 {
			return o, result
		}
	}
	t.Fatalf("%s: no samples", program.Path)
	return o, result
}

// Ticks that are held back begin after the wait, and the program does not notice.
func TestTicksAreHeldBack(t *testing.T) {
	const after = 300 * time.Millisecond
	path := write(t, "busy.js", `const began = Date.now(); let x = 0; while (Date.now() - began < 2000) x = (x * 1103 + 12345) % 65521; console.log('done')`)
	for name, run := range map[string]runner{"goja": goja.Run, "node": node.Run} {
		t.Run(name, func(t *testing.T) {
			o, result := sampled(t, run, engine.Program{Path: path}, engine.Settings{After: after, Selection: transform.Selection{Preset: transform.Precise}})
			if o.stdout != "done\n" || o.failure != "" {
				t.Fatalf("it printed %q and failed with %q", o.stdout, o.failure)
			}
			// The recording begins a little before the program, and ticks are held back from then on.
			if first := time.Duration(result.Profile.Sample(0).Time); first < after {
				t.Errorf("the first sample was taken after %v, not %v", first, after)
			}
		})
	}
	t.Run("chromium", func(t *testing.T) {
		if _, err := browser.Run(browser.Chromium)(t.Context(), engine.Program{Path: path}, engine.Settings{After: after}); err == nil {
			t.Error("a page ignored it")
		}
	})
}

// Sites print the same in a page with checks and without.
func TestSites(t *testing.T) {
	for _, p := range fixtures.Sites() {
		t.Run(p.Name, func(t *testing.T) {
			p.EnsurePackages(t)
			program := engine.Program{Path: p.Path, Args: []string{"0.2"}}
			run := browser.Run(browser.Chromium)
			clean, _ := perform(t, run, program, engine.Settings{Mode: engine.Clean})
			checked, _ := sampled(t, run, program, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
			if clean != checked || !strings.HasPrefix(clean.stdout, p.Name+" 0 ") || clean.failure != "" {
				t.Errorf("clean:\n%+v\nwith checks:\n%+v", clean, checked)
			}
		})
	}
}

// A page is blocked while it hands its program's output to the host. That time belongs
// neither to the program nor to the function that runs next.
func TestTalkIsNotTheProgram(t *testing.T) {
	path := write(t, "prints.js", `
function work(x) { for (let i = 0; i < 100000; i++) x = (x * 1103 + 12345) % 65521; return x; }
for (let i = 0; i < 12; i++) { console.log('x'.repeat(70000)); work(i); } // so long that it goes out at once
`)
	for _, name := range []browser.Name{browser.Chromium, browser.Firefox, browser.WebKit} {
		t.Run(string(name), func(t *testing.T) {
			// A page that gets no processor while it works reads that as the program's;
			// where talk were the program's, it always would.
			ours, itsOwn := talk(t, name, path)
			for end := time.Now().Add(must.Hang); ours <= itsOwn && time.Now().Before(end); {
				ours, itsOwn = talk(t, name, path)
			}
			if ours <= itsOwn {
				t.Errorf("%d ticks while the host was printing, %d in the program, which does little", ours, itsOwn)
			}
		})
	}
}

// talk runs a program that prints, and counts the ticks while the host printed and
// the program's own.
func talk(t *testing.T, name browser.Name, path string) (ours, itsOwn int64) {
	t.Helper()
	slowly := func(ctx context.Context, program engine.Program, settings engine.Settings) (*engine.Result, error) {
		program.Stdout = slow{program.Stdout}
		return browser.Run(name)(ctx, program, settings)
	}
	got, result := perform(t, slowly, engine.Program{Path: path}, engine.Settings{Selection: transform.Selection{Preset: transform.Precise}})
	if got.failure != "" || len(got.stdout) != 12*70001 {
		t.Errorf("it printed %d bytes, and failed with %q", len(got.stdout), got.failure)
	}
	for i := range result.Profile.Len() {
		switch s := result.Profile.Sample(i); {
		case s.Kind == profile.Program:
			ours += int64(s.Weight)
		case s.Kind != profile.Idle && s.Kind != profile.GC && s.Kind != profile.Lost:
			itsOwn += int64(s.Weight)
		}
	}
	return ours, itsOwn
}

// A page whose checks poll is as most sites are, and is still profiled.
func TestPollingPagesAreNotIsolated(t *testing.T) {
	path := write(t, "asks.js", `
function work(x) { for (let i = 0; i < 30000000; i++) x = (x * 1103 + 12345) % 65521; return x; }
console.log(globalThis.crossOriginIsolated, typeof SharedArrayBuffer, work(1) > 0);
`)
	for _, name := range []browser.Name{browser.Chromium, browser.Firefox} {
		t.Run(string(name), func(t *testing.T) {
			for clock, want := range map[string]struct{ says, clock string }{
				"poll":   {"false undefined true\n", "polled"},
				"shared": {"true function true\n", "worker, shared flag"},
			} {
				if clock == "shared" && !inTurn(string(name), 0) {
					continue
				}
				got, result := perform(t, browser.Run(name), engine.Program{Path: path}, engine.Settings{Clock: clock})
				// A worker that is not there in a second is waited for no longer.
				for end := time.Now().Add(must.Hang); result.Profile.Meta.Clock != want.clock && time.Now().Before(end); {
					got, result = perform(t, browser.Run(name), engine.Program{Path: path}, engine.Settings{Clock: clock})
				}
				if got.stdout != want.says || got.failure != "" {
					t.Errorf("clock %q: %+v, want %+v", clock, got, want)
				}
				if p := result.Profile; p.Len() == 0 || p.Meta.Clock != want.clock {
					t.Errorf("clock %q: %d samples by %q", clock, p.Len(), p.Meta.Clock)
				}
			}
		})
	}
}
