package npm

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// hasWorker has a worker that works until ticks have found it, and ends with it: while it
// records between signals, or with an environment of the worker's own, from a text, or when the
// service has gone to another folder.
const hasWorker = `
const { start, stop } = require('@fieldprof/runtime/node');
const { isMainThread, parentPort, Worker } = require('node:worker_threads');
function heavy(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
function work() {
  for (let taken = 0; taken < 50;) {
    start({ interval: 2 });
    for (let i = 0; i < 200; i++) heavy(100000);
    taken += stop().taken;
  }
}
const until = (holds, then) => (holds() ? then() : setTimeout(until, 5, holds, then));
const toggle = (records, then) => {
  process.kill(process.pid, 'SIGUSR2');
  until(() => !!__fieldprof.tape.sessions.length === records, then);
};
const ways = {
  between: () => toggle(true, () => new Worker(__filename).on('message', () => toggle(false, () => process.exit(0)))),
  own: () => new Worker(__filename, { env: { TASK: '1' } }).on('message', () => process.exit(0)),
  elsewhere: () => (process.chdir('/'), ways.own()),
  evaluated: () => new Worker('require(' + JSON.stringify(__filename) + ')', { eval: true }).on('message', () => process.exit(0)),
};
if (isMainThread) ways[process.argv[2]]();
else work(), parentPort.postMessage('worked'), setInterval(() => {}, 1000);
`

// Workers are recorded as the service is, whenever they start and whatever their environment.
func TestWorkersAreRecordedAsTheService(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	folder := packages.Install(t, nil, "@fieldprof/runtime")
	must.Write(t, folder, "dist/app.cjs", hasWorker)
	browser.Instrument(t, builddir.Options{Input: filepath.Join(folder, "dist"), Output: filepath.Join(folder, "profiled"), Selection: transform.Selection{Preset: transform.Precise}})
	for _, c := range []struct {
		name, way, by string
		env           []string
		files         string // of the worker
	}{
		{"that start while it records", "between", "--import", []string{"FIELDPROF_MODE=signal"}, `^out-\d+-\d+-\d+-t\d+\.cpuprofile$`},
		{"with an environment of their own", "own", "--import", nil, `^out-\d+-t\d+\.cpuprofile$`},
		{"of a service that has gone elsewhere", "elsewhere", "--import", nil, `^out-\d+-t\d+\.cpuprofile$`},
		{"that evaluate a text", "evaluated", "--require", nil, `^out-\d+-t\d+\.cpuprofile$`},
		{"that are not to be recorded", "own", "--import", []string{"FIELDPROF_WORKERS=off"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := t.TempDir()
			env := append(c.env, "FIELDPROF_LOG=off", "FIELDPROF_INTERVAL=2", "FIELDPROF_OUTPUT="+must.Get(filepath.Rel(folder, filepath.Join(out, "out.cpuprofile")))(t))
			module := "@fieldprof/runtime/register"
			if c.way == "elsewhere" { // where Node would look for the name
				module = filepath.Join(folder, "node_modules/@fieldprof/runtime/dist/register.js")
			}
			said, code := run(t, folder, env, "node", c.by, module, "profiled/app.cjs", c.way)
			found := 0
			for _, file := range must.Get(os.ReadDir(out))(t) {
				if c.files != "" && regexp.MustCompile(c.files).MatchString(file.Name()) {
					found++
				} else if regexp.MustCompile(`-t\d`).MatchString(file.Name()) {
					t.Errorf("the profile %s", file.Name())
				}
			}
			if code != 0 || said != "" || c.files != "" && found != 1 {
				t.Errorf("code %d, %d profiles of the worker: %s", code, found, said)
			}
			if left := must.Get(filepath.Glob(filepath.Join(folder, "*.cpuprofile")))(t); len(left) > 0 {
				t.Errorf("profiles in the service's folder: %v", left)
			}
		})
	}
}
