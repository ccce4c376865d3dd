package npm

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

// run runs a script that may fail, and kills it when it hangs.
func run(t *testing.T, folder string, env []string, args ...string) (said string, code int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), env...)
	out := finish(t, cmd, (*exec.Cmd).CombinedOutput)
	return string(out), cmd.ProcessState.ExitCode()
}

// finish runs a command, which may fail, for its output.
func finish(t *testing.T, cmd *exec.Cmd, output func(*exec.Cmd) ([]byte, error)) []byte {
	t.Helper()
	out, err := must.Finish(t, cmd, output)
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out
}

// hangs is a program that takes the service's place: it greets, and then does as
// it is told.
const hangs = `#!/usr/bin/env node
const head = Buffer.from(JSON.stringify({ kind: 'hello', protocol: +process.env.PROTOCOL, version: process.env.VERSION }));
const lengths = Buffer.alloc(8);
lengths.writeUInt32LE(head.length);
if (process.env.PROTOCOL) process.stdout.write(Buffer.concat([lengths, head]));
let heard = 0;
process.stdin.on('data', (chunk) => {
  heard += chunk.length;
  if (heard > 1000) eval(process.env.THEN);
});
`

// dies waits for answers of a service that will not give them.
const dies = `
import { FieldprofError, start } from 'fieldprof';
const files = [{ path: 'a.js', contents: new Uint8Array(5000) }];
try {
  const service = await start();
  const results = await Promise.allSettled([service.instrument(files), service.instrument(files), service.salt()]);
  const later = await Promise.allSettled([service.salt()]);
  const reasons = new Set([...results, ...later].map(({ reason }) => reason));
  for (const reason of reasons) console.log(reason instanceof FieldprofError, reason.message);
  await service.stop();
  await service.stop();
} catch (error) {
  console.log('start:', error instanceof FieldprofError, error.message);
}
`

// A service that dies is one clear error for all waiting calls, and for later ones.
func TestServiceDies(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program in its place is a script")
	}
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	program := filepath.Join(folder, "hangs")
	must.Write(t, folder, "hangs", hangs)
	must.Do(t, os.Chmod(program, 0o755))
	must.Write(t, folder, "dies.mjs", dies)
	version := "VERSION=" + strings.TrimSpace(must.Run(t, folder, "node_modules/.bin/instrument", "--version"))
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"killed", []string{"PROTOCOL=1", version, "THEN=process.kill(process.pid, 'SIGKILL')"},
			"true the fieldprof service (PROGRAM) has ended: it was killed by SIGKILL\n"},
		{"crashed", []string{"PROTOCOL=1", version, "THEN=console.error('panic: out of luck'); process.exit(2)"},
			"true the fieldprof service (PROGRAM) has ended: it exited with code 2, and said: panic: out of luck\n"},
		{"talks nonsense", []string{"PROTOCOL=1", version, "THEN=process.stdout.write('x'.repeat(100))"},
			"true the fieldprof service (PROGRAM) says what makes no sense: it does not speak as fieldprof does\n"},
		{"another version", []string{"PROTOCOL=1", "VERSION=9.8.7"},
			"start: true the client is fieldprof " + version[8:] + " and PROGRAM is fieldprof 9.8.7: install the same version of both\n"},
		{"another program", []string{"FIELDPROF_BINARY=/bin/echo"},
			"start: true the fieldprof service (/bin/echo) "},
		{"no program", []string{"FIELDPROF_BINARY=/nowhere/instrument"},
			"start: true the fieldprof service (/nowhere/instrument) has ended: it cannot be started: spawn /nowhere/instrument ENOENT\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.ReplaceAll(c.want, "PROGRAM", program)
			said, code := run(t, folder, append([]string{"FIELDPROF_BINARY=" + program}, c.env...), "node", "dies.mjs")
			if code != 0 || !strings.HasPrefix(said, want) || strings.Count(said, "\n") != 1 {
				t.Errorf("code %d, said %s, not %s", code, said, want)
			}
		})
	}
}

// waits is killed while it waits for a service, whose number it tells.
const waits = `
import { start } from 'fieldprof';
import { readFileSync, readdirSync } from 'node:fs';
const service = await start();
const files = Array.from({ length: 3000 }, (_, i) => ({ path: i + '.js', contents: new TextEncoder().encode('function f(a) { for (const b of a) b() }\n'.repeat(300)) }));
const answer = service.instrument(files);
const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && status(pid).includes('\nPPid:\t' + process.pid + '\n'));
console.log(children.join());
await answer;
for (const pid of children) process.kill(pid, 'SIGINT'); // as a terminal does
for (let i = 0; i < 50; i++) await service.salt();
if (process.argv[2] === 'idle') {
  console.log('idle');
  setInterval(() => {}, 1000);
}
function status(pid) {
  try { return readFileSync('/proc/' + pid + '/status', 'utf8'); } catch { return ''; }
}
`

// Nothing stays behind of a build that is killed, at work or at rest, or that
// forgets to stop its service. Ctrl-C is not for the service to decide about.
func TestNoOrphans(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks for processes in /proc")
	}
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	must.Write(t, folder, "waits.mjs", waits)
	for _, how := range []string{"busy", "idle", "forgets"} {
		t.Run(how, func(t *testing.T) {
			cmd := exec.Command("node", "waits.mjs", how)
			cmd.Dir = folder
			cmd.Stderr = os.Stderr
			out := must.Get(cmd.StdoutPipe())(t)
			must.Do(t, cmd.Start())
			lines := bufio.NewScanner(out)
			lines.Scan()
			child := lines.Text()
			if _, err := os.Stat("/proc/" + child); child == "" || err != nil {
				t.Fatalf("no service %q: %v", child, err)
			}
			switch how {
			case "idle":
				lines.Scan()
				fallthrough
			case "busy":
				_ = cmd.Process.Signal(syscall.SIGKILL)
			}
			if err := cmd.Wait(); how == "forgets" && err != nil {
				t.Error(err)
			}
			must.Happen(t, "the service ends", func() bool { return !alive(child) })
		})
	}
}

// A terminal sends Ctrl-C to the command line and its program, whatever they read; a supervisor may
// send SIGTERM to both, and others signal the command line alone. In all cases the profile is written.
func TestCommandLineIsTold(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	must.Write(t, folder, "app.js", "function work(n) { while (n--); }\nconsole.log('ready');\nfor (;;) work(1000);\n")
	for _, c := range []struct {
		signal  syscall.Signal
		isGroup bool
	}{
		{syscall.SIGINT, true},
		{syscall.SIGINT, false},
		{syscall.SIGTERM, true},
		{syscall.SIGTERM, false},
	} {
		profile := fmt.Sprintf("%d-%v.cpuprofile", c.signal, c.isGroup)
		cmd := exec.Command("node_modules/.bin/instrument", "run", "-o", profile, "app.js")
		cmd.Dir = folder
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out := must.Get(cmd.StdoutPipe())(t)
		must.Do(t, cmd.Start())
		lines := bufio.NewScanner(out)
		lines.Scan()
		pid := cmd.Process.Pid
		if c.isGroup {
			pid = -pid
		}
		must.Do(t, syscall.Kill(pid, c.signal))
		for lines.Scan() {
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 130 || !must.Exists(filepath.Join(folder, profile)) {
			t.Errorf("%v, to the group %v: it ended with %v", c.signal, c.isGroup, cmd.ProcessState)
		}
	}
}

// alive reports whether a process runs; one that has ended but has not been waited for does not.
func alive(pid string) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%s/status", pid))
	return err == nil && !strings.Contains(string(status), "State:\tZ")
}
