package k6

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
)

// endless has functions of which the second runs until something ends it.
var endless = loop("once", 9) + "\nfunction forever() { console.log('it runs'); for (let n = 0;; n++) n += 0 }\n"

// few keeps the latest of the samples, which are one for each check here.
const few = "fieldprof=out.pb.gz,keep=5000"

// ended checks that a test that ended early left a whole profile, and nothing else.
func ended(t *testing.T, folder string, names ...string) {
	t.Helper()
	got := counted(folder, must.Get(format.ReadFile(filepath.Join(folder, "out.pb.gz")))(t))
	if len(got) == 0 {
		t.Error("the profile has no samples")
	}
	for _, name := range names {
		found := false
		for key := range got {
			found = found || strings.Contains(key, " "+name+" ")
		}
		if !found {
			t.Errorf("no sample of %s: %v", name, got)
		}
	}
	if rest := must.Get(filepath.Glob(filepath.Join(folder, ".out*")))(t); len(rest) > 0 {
		t.Errorf("temporary files: %v", rest)
	}
}

// A test that its script aborts, or whose iterations are interrupted, ends as it
// does without the extension, and has its profile.
func TestEarlyEnds(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		code   int
		names  []string
	}{
		"aborted": {"import exec from 'k6/execution';\n" + endless + "export default function () { once(); exec.test.abort('enough'); forever() }", 108, []string{"once"}},
		"aborted by one user": {"import exec from 'k6/execution';\n" + endless +
			"export const options = { vus: 3, iterations: 3 };\nexport default function () { once(); if (exec.scenario.iterationInTest === 1) exec.test.abort(); forever() }", 108, nil},
		"aborted in setup": {"import exec from 'k6/execution';\n" + endless + "export function setup() { once(); exec.test.abort('never') }\nexport default function () { forever() }", 108, []string{"once"}},
		"interrupted": {endless + "export const options = { scenarios: { s: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '0s' } } };\n" +
			"export default function () { forever() }\nexport function teardown() { once() }", 0, []string{"once", "forever"}},
		"out of time": {endless + "export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 1, iterations: 5, maxDuration: '1s', gracefulStop: '0s' } } };\n" +
			"export default function () { once(); forever() }", 0, []string{"forever"}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
			must.Write(t, folder, "main.js", c.script)
			without := k6(t, folder, "", run("main.js")...)
			must.Equal(t, without.code, c.code, without.output)
			with := k6(t, folder, "", run("--out", few, "main.js")...)
			must.Equal(t, with.code, c.code, with.output)
			ended(t, folder, c.names...)
		})
	}
}

// Ctrl-C ends a test whose iterations would never end, and the profile is written.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.Write(t, folder, "main.js", endless+"export default function () { once(); forever() }")
	c := command(t, folder, run("--out", few, "--vus", "2", "--iterations", "2", "main.js")...)
	said := must.Get(c.StderrPipe())(t)
	must.Do(t, c.Start())
	defer func() { _ = c.Process.Kill() }() // if it did not end
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("it ended: %v", err)
		}
		if strings.Contains(line, "it runs") {
			break
		}
	}
	must.Do(t, c.Process.Signal(os.Interrupt))
	rest := must.Get(io.ReadAll(lines))(t)
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 105 {
		t.Errorf("%v: %s", err, rest)
	}
	ended(t, folder, "forever")
}
