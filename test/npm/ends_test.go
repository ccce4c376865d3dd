package npm

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// ending works until 50 of its own samples have been taken, reports it, and then ends as it
// is told; with threads and children that work, too.
const ending = `
const { start, stop } = require('@fieldprof/runtime/node');
const { fork } = require('node:child_process');
const cluster = require('node:cluster');
const { isMainThread, parentPort, Worker } = require('node:worker_threads');
function heavy(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
function work() {
  for (let taken = 0; taken < 50;) {
    start({ interval: 2 });
    for (let i = 0; i < 200; i++) heavy(100000);
    taken += stop().taken;
  }
}
work();
const how = process.argv[2];
// After more than a second of work signals are not listened to, until the loop has turned.
const ready = () => (process.listenerCount('SIGALRM') ? console.log('ready') : setTimeout(ready, 5));
const ends = {
  last() {},
  frozen() { Object.freeze(process); },
  exit() { process.exit(3); },
  uncaught() { setTimeout(() => { throw new Error('mine'); }); },
  rejected() { Promise.reject(new Error('mine')); },
  handled() { process.on('uncaughtException', () => process.exit(4)); throw new Error('mine'); },
  signal() { setInterval(() => {}, 1000); ready(); },
  told() { process.kill(process.pid, 'SIGUSR2'); setTimeout(() => process.exit(7), 500); }, // and then something is said
  graceful() { process.once('SIGTERM', () => setTimeout(() => process.exit(5), 20)); setInterval(() => {}, 1000); ready(); },
  worker() {
    if (!isMainThread) return parentPort.postMessage('worked'), setInterval(() => {}, 1000);
    new Worker(__filename, { argv: ['worker'] }).on('message', () => process.exit(6));
  },
  busy() {
    if (!isMainThread) { parentPort.postMessage('worked'); for (;;) heavy(100000); }
    new Worker(__filename, { argv: ['busy'] }).on('message', () => process.exit(6));
  },
  terminated() {
    if (!isMainThread) return parentPort.postMessage('worked'), setInterval(() => {}, 1000);
    const worker = new Worker(__filename, { argv: ['terminated'] }).on('message', () => worker.terminate());
  },
  child() { if (process.argv[3] !== 'inner') fork(__filename, ['child', 'inner']); },
  cluster() {
    if (cluster.isPrimary) cluster.fork();
    else process.disconnect();
  },
  apart() { // as if the process that starts it were not recorded
    if (cluster.isPrimary) cluster.fork({ FIELDPROF_PROCESS: '' });
    else process.disconnect();
  },
};
ends[how]();
`

// Each way in which a process ends and lets code run leaves a profile of each thread
// and process, and ends as it would have.
func TestEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	folder := packages.Install(t, nil, "@fieldprof/runtime")
	must.Write(t, folder, "dist/app.cjs", ending)
	browser.Instrument(t, builddir.Options{Input: filepath.Join(folder, "dist"), Output: filepath.Join(folder, "profiled"), Selection: transform.Selection{Preset: transform.Precise}})
	for _, c := range []struct {
		how    string
		signal syscall.Signal // that it gets when it is ready
		code   int            // -1: it dies of the signal
		files  []string
	}{
		{"last", 0, 0, []string{"out"}},
		{"frozen", 0, 0, []string{"out"}},
		{"exit", 0, 3, []string{"out"}},
		{"uncaught", 0, 1, []string{"out"}},
		{"rejected", 0, 1, []string{"out"}},
		{"handled", 0, 4, []string{"out"}},
		{"signal", syscall.SIGTERM, -1, []string{"out"}},
		{"signal", syscall.SIGINT, -1, []string{"out"}},
		{"signal", syscall.SIGHUP, -1, []string{"out"}},
		{"signal", syscall.SIGQUIT, -1, []string{"out"}},
		{"signal", syscall.SIGUSR2, -1, []string{"out"}},
		{"graceful", syscall.SIGTERM, 5, []string{"out"}},
		{"worker", 0, 6, []string{"out", "out-PID-tN"}},
		{"busy", 0, 6, []string{"out", "out-PID-tN"}},
		{"terminated", 0, 0, []string{"out"}},
		{"child", 0, 0, []string{"out", "out-PID"}},
		{"cluster", 0, 0, []string{"out", "out-PID"}},
		{"apart", 0, 0, []string{"out", "out-PID"}},
	} {
		t.Run(c.how+" "+c.signal.String(), func(t *testing.T) { ends(t, folder, c.how, c.signal, c.code, c.files) })
	}
	// Without the permission to start the process that makes the profile, all else is as ever.
	t.Run("--permission", func(t *testing.T) {
		flag := "--permission"
		if _, code := run(t, folder, nil, "node", flag, "--version"); code != 0 {
			flag = "--experimental-permission" // before Node 23.5
		}
		said, code := run(t, folder, []string{"FIELDPROF_OUTPUT=none.cpuprofile"}, "node", flag, "--allow-fs-read=*", "--allow-fs-write=*", "--import", "@fieldprof/runtime/register", "profiled/app.cjs", "exit")
		if code != 3 || !strings.Contains(said, "fieldprof: the profile could not be made: ") {
			t.Errorf("code %d: %s", code, said)
		}
	})
	// Nothing reads standard error any more.
	t.Run("a closed pipe", func(t *testing.T) {
		said, _ := run(t, folder, []string{"FIELDPROF_MODE=signal", "FIELDPROF_OUTPUT=none.cpuprofile"}, "sh", "-c", `
			exec 3>&1
			{ node --import @fieldprof/runtime/register profiled/app.cjs told; echo "code $?" >&3; } 2>&1 >/dev/null | true`)
		if !strings.Contains(said, "code 7") {
			t.Errorf("%s", said)
		}
	})
	// Options in the environment do not reach the threads and processes that are ours.
	t.Run("NODE_OPTIONS", func(t *testing.T) {
		out := t.TempDir()
		loaded := filepath.Join(out, "loaded")
		must.Write(t, folder, "agent.cjs", "require('node:fs').appendFileSync("+strconv.Quote(loaded)+", require('node:worker_threads').threadId + ' ')")
		env := []string{"NODE_OPTIONS=--require ./agent.cjs --import @fieldprof/runtime/register", "FIELDPROF_INTERVAL=2", "FIELDPROF_MODE=continuous", "FIELDPROF_EVERY=0.1", "FIELDPROF_OUTPUT=" + filepath.Join(out, "o.cpuprofile")}
		said, code := run(t, folder, env, "node", "profiled/app.cjs", "last")
		if text := string(must.Get(os.ReadFile(loaded))(t)); text != "0 " {
			t.Errorf("loaded by the threads %s", text)
		}
		for _, file := range must.Get(filepath.Glob(filepath.Join(out, "*")))(t) {
			if regexp.MustCompile(`-t\d+\.cpuprofile$`).MatchString(file) {
				t.Errorf("a thread of ours has the profile %s", file)
			}
		}
		if code != 0 {
			t.Errorf("code %d: %s", code, said)
		}
	})
}

var whose = regexp.MustCompile(`-\d+(-t\d+)?\.`)

func ends(t *testing.T, folder, how string, signal syscall.Signal, code int, files []string) {
	out := t.TempDir()
	cmd := exec.Command("node", "--import", "@fieldprof/runtime/register", "profiled/app.cjs", how)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "FIELDPROF_OUTPUT="+filepath.Join(out, "out.cpuprofile"), "FIELDPROF_INTERVAL=2")
	var said strings.Builder
	cmd.Stderr = &said
	pipe := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	if signal != 0 {
		if line, err := bufio.NewReader(pipe).ReadString('\n'); line != "ready\n" {
			t.Fatalf("%q: %v", line, err)
		}
		must.Do(t, cmd.Process.Signal(signal))
	}
	_ = cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if code >= 0 && status.ExitStatus() != code || code < 0 && status.Signal() != signal {
		t.Errorf("it ended with %v: %s", cmd.ProcessState, said.String())
	}
	var found []string
	for _, file := range must.Get(filepath.Glob(filepath.Join(out, "*")))(t) {
		p := must.Get(format.ReadFile(file))(t)
		if !slices.ContainsFunc(view.Flat(p), func(row view.Row) bool {
			return row.Name == "heavy" && row.Self > 0 && strings.HasSuffix(row.File, "app.cjs")
		}) {
			t.Errorf("%s does not show heavy", file)
		}
		isChild := (how == "cluster" || how == "apart") && whose.MatchString(filepath.Base(file))
		if text := must.Get(os.ReadFile(file))(t); bytes.Contains(text, []byte(`(cluster 1)"`)) != isChild {
			t.Errorf("%s is not called after its process", file)
		}
		name := whose.ReplaceAllStringFunc(filepath.Base(file), func(part string) string {
			if strings.Contains(part, "-t") {
				return "-PID-tN."
			}
			return "-PID."
		})
		found = append(found, strings.TrimSuffix(name, ".cpuprofile"))
	}
	slices.Sort(found)
	if !slices.Equal(found, files) {
		t.Errorf("profiles are %v, want %v: %s", found, files, said.String())
	}
}
