package npm

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// app works three quarters of its time in heavy, until its clock says so, and
// then ends as its first argument says.
const app = `
function heavy(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
function light(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
function work() { let sum = 0; for (const end = Date.now() + 1000; Date.now() < end;) sum += heavy(300000) + light(100000); return sum; }
console.log('done', work() > 0);
const how = process.argv[2];
if (how === 'exit') process.exit(3);
if (how === 'throw') setTimeout(() => { throw new Error('mine') });
if (how === 'wait') {
  setInterval(() => {}, 1000);
  setTimeout(() => setTimeout(() => console.log('rests'), 300), 300); // the runtime's timers, which are shorter, came before
}
`

// uses is a program that takes the package by require or import, and its own
// Profiler from it.
const uses = `
const before = globalThis.Profiler;
const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 100 });
if (globalThis.Profiler !== before) throw new Error('an import alone must not install');
install();
if (globalThis.Profiler !== Profiler) throw new Error('not installed');
profiler.stop().then((trace) => console.log(Object.keys(trace).sort().join()));
`

func TestRuntime(t *testing.T) {
	folder := packages.Install(t, nil, "@fieldprof/runtime")
	t.Run("is used by modules and CommonJS", func(t *testing.T) {
		must.Write(t, folder, "uses.mjs", "import { install, Profiler } from '@fieldprof/runtime';\nimport { flag } from '@fieldprof/runtime/checks';\nif (flag !== __fieldprof.flag) throw new Error('two flags');"+uses)
		must.Write(t, folder, "uses.cjs", "const { install, Profiler } = require('@fieldprof/runtime');\nconst { flag } = require('@fieldprof/runtime/checks');\nif (flag !== __fieldprof.flag) throw new Error('two flags');"+uses)
		for _, name := range []string{"uses.mjs", "uses.cjs"} {
			if got := must.Run(t, folder, "node", name); got != "fieldprof,frames,resources,samples,stacks\n" {
				t.Errorf("%s: %s", name, got)
			}
		}
	})
	t.Run("has all it promises", func(t *testing.T) {
		must.Write(t, folder, "all.mjs", "for (const part of ['trace', 'mozilla', 'send', 'performance']) {\n  const names = Object.keys(await import('@fieldprof/runtime/' + part));\n  if (names.length === 0 && part !== 'performance') throw new Error(part);\n}\n")
		must.Run(t, folder, "node", "all.mjs")
	})
	t.Run("has types", func(t *testing.T) {
		const text = `
import { install, Profiler, type InstallOptions, type ProfilerTrace } from '@fieldprof/runtime';
import { flag } from '@fieldprof/runtime/checks';
const options: InstallOptions = { prefer: 'polyfill' };
install(options);
const words: Int32Array = flag;
const trace: Promise<ProfilerTrace> = new Profiler({ sampleInterval: 10, maxBufferSize: 100 }).stop();
void trace.then(({ samples }) => samples[0].timestamp.toFixed(words.length));
// @ts-expect-error: both are required
new Profiler({ sampleInterval: 10 });
`
		hasTypes(t, folder, text)
	})
	t.Run("records instrumented apps", func(t *testing.T) { testRegister(t, folder) })
}

// register runs an app with it, and gives what it said and its exit code.
func register(t *testing.T, folder string, env []string, args ...string) (string, int) {
	t.Helper()
	return run(t, folder, env, append([]string{"node", "--import", "@fieldprof/runtime/register"}, args...)...)
}

func testRegister(t *testing.T, folder string) {
	must.Write(t, folder, "dist/app.cjs", app)
	must.Write(t, folder, "dist/app.mjs", app+"export {};\n")
	must.Write(t, folder, "dist/silent.cjs", "const end = Date.now() + 500;\n(function turn() { for (let i = 0; i < 1e5; i++); if (Date.now() < end) setImmediate(turn); })();\n")
	browser.Instrument(t, builddir.Options{Input: filepath.Join(folder, "dist"), Output: filepath.Join(folder, "profiled"), Selection: transform.Selection{Preset: transform.Precise}})
	for _, c := range []struct {
		file, how string
		code      int
	}{{"app.cjs", "", 0}, {"app.mjs", "", 0}, {"app.cjs", "exit", 3}, {"app.mjs", "throw", 1}} {
		path := filepath.Join(folder, "out.cpuprofile")
		said, code := register(t, folder, []string{"FIELDPROF_OUTPUT=" + path, "FIELDPROF_INTERVAL=2"}, "profiled/"+c.file, c.how)
		if code != c.code || !strings.Contains(said, "done true\n") || !strings.Contains(said, "fieldprof: wrote "+path+"\n") {
			t.Errorf("%s %s: code %d: %s", c.file, c.how, code, said)
			continue
		}
		checkProfile(t, path)
		os.Remove(path)
	}
	said, _ := register(t, folder, []string{"FIELDPROF_OUTPUT=none.json"}, "dist/app.cjs")
	if !strings.Contains(said, "no check was seen") || must.Exists(filepath.Join(folder, "none.json")) {
		t.Errorf("an app without checks: %s", said)
	}
	said, _ = register(t, folder, []string{"FIELDPROF_OUTPUT=none.json", "FIELDPROF_INTERVAL=1e9"}, "profiled/app.cjs")
	if !strings.Contains(said, "before a tick was due") || must.Exists(filepath.Join(folder, "none.json")) {
		t.Errorf("an app that is shorter than the interval: %s", said)
	}
	said, _ = register(t, folder, []string{"FIELDPROF_OUTPUT=x.txt", "FIELDPROF_INTERVAL=soon", "FIELDPROF_CLOCK=sun"}, "profiled/app.cjs")
	if strings.Count(said, "fieldprof: ") != 4 || !must.Exists(filepath.Join(folder, "x.txt.cpuprofile")) {
		t.Errorf("wrong settings: %s", said)
	}
	said, _ = register(t, folder, []string{"FIELDPROF_OUTPUT=x.json", "FIELDPROF_LOG=off"}, "profiled/app.cjs")
	text, err := os.ReadFile(filepath.Join(folder, "x.json"))
	if err != nil || !strings.Contains(string(text), `"name":"heavy"`) || strings.Contains(said, "fieldprof") {
		t.Errorf("a trace: %v: %s", err, said)
	}
	// One that goes on, and is busy, says once that nothing of it is seen.
	must.Write(t, folder, "busy.cjs", "setInterval(() => { for (const end = Date.now() + 50; Date.now() < end;); }, 60);")
	must.Write(t, folder, "parent.cjs", `
const child = require('node:child_process').spawn(process.execPath, ['--import', '@fieldprof/runtime/register', 'busy.cjs'], { stdio: ['ignore', 'ignore', 'pipe'] });
let said = '';
child.stderr.on('data', (chunk) => {
  said += chunk;
  if (said.includes('\n')) setTimeout(() => child.kill('SIGKILL'), 500);
});
child.on('exit', () => console.log(said));
`)
	said, _ = run(t, folder, []string{"FIELDPROF_MODE=continuous", "FIELDPROF_EVERY=0.1", "FIELDPROF_INTERVAL=1", "FIELDPROF_OUTPUT=busy.cpuprofile"}, "node", "parent.cjs")
	if strings.Count(said, "fieldprof: no check was seen, however busy this app was") != 1 || strings.Count(said, "fieldprof: ") != 1 {
		t.Errorf("a service without checks: %s", said)
	}
	if runtime.GOOS != "windows" {
		testSignal(t, folder)
	}
	testUntouched(t, folder)
	if left, _ := filepath.Glob(filepath.Join(folder, "*.raw")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// checkProfile looks for the functions that app has. Their shares depend on the
// machine, and are the bench's to judge.
func checkProfile(t *testing.T, path string) {
	t.Helper()
	p, err := format.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	self := map[string]int64{}
	for _, row := range view.Flat(p) {
		self[row.Name] += row.Self
	}
	if self["heavy"] == 0 || self["light"] == 0 {
		t.Errorf("heavy and light worked for a second: %v", self)
	}
}

// testUntouched: none of our code reads process.stdin, stdout and stderr, after which pipes no longer block, where
// apps run, nor process.stdin where recordings are read from it (runtime/src/node/nodeprocess.ts, core/bare.ts). Nor
// does it set onmessage of a port, for which Node loads all of fetch (clock/poll.ts).
func testUntouched(t *testing.T, folder string) {
	must.Write(t, folder, "watch.mjs", `import { writeSync } from 'node:fs';
const touched = (name) => writeSync(1, 'touched ' + name + '\n');
for (const name of ['stdin', 'stdout', 'stderr']) {
  const { get } = Object.getOwnPropertyDescriptor(globalThis.process, name);
  Object.defineProperty(globalThis.process, name, { get() { touched(name); return get.call(this); } });
}
Object.defineProperty(MessagePort.prototype, 'onmessage', { set() { touched('onmessage'); } });
`)
	record := []string{"--import", "@fieldprof/runtime/register", "profiled/silent.cjs"}
	for _, c := range []struct {
		never     string
		env, args []string
	}{
		{"touched", nil, record},
		{"touched", []string{"FIELDPROF_MODE=continuous", "FIELDPROF_EVERY=0.1", "FIELDPROF_INTERVAL=1"}, record},
		{"touched stdin", nil, []string{"node_modules/@fieldprof/runtime/dist/finish.js"}}, // its output goes to us
	} {
		said, _ := run(t, folder, c.env, append([]string{"node", "--import", "./watch.mjs"}, c.args...)...)
		if strings.Contains(said, c.never) {
			t.Errorf("%v: %s", c.args, said)
		}
	}
}

// A signal ends the process as ever, and leaves a profile.
func testSignal(t *testing.T, folder string) {
	path := filepath.Join(folder, "signal.cpuprofile")
	cmd := exec.Command("node", "--import", "@fieldprof/runtime/register", "profiled/app.cjs", "wait")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "FIELDPROF_OUTPUT="+path, "FIELDPROF_INTERVAL=2")
	said := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	kill := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() }) // if it hangs
	defer kill.Stop()
	lines := bufio.NewReader(said)
	for _, want := range []string{"done true\n", "rests\n"} { // a busy app hears no signal
		if line, err := lines.ReadString('\n'); err != nil || line != want {
			t.Errorf("it said %q: %v", line, err)
		}
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
	checkProfile(t, path)
}
