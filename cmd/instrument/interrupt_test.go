//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/transform/service"
)

// An interrupted build leaves no files.
func TestBuildIsInterrupted(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "dist")
	must.Do(t, os.Mkdir(dir, 0o755))
	script := []byte(strings.Repeat("function f(n) { while (n--); return n; }\n", 2000))
	for i := range 500 {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.js", i)), script, 0o644))
	}
	for _, flag := range []string{"--no-sizes", "--in-place"} {
		var stderr bytes.Buffer
		cmd := exec.Command("instrument", dir, flag)
		cmd.Stderr = &stderr
		must.Do(t, cmd.Start())
		// The build is under way when some of the output exists.
		must.Happen(t, "it begins", func() bool {
			some, _ := filepath.Glob(filepath.Join(parent, ".dist*", "*.js"))
			return len(some) > 5
		})
		must.Do(t, cmd.Process.Signal(os.Interrupt))
		err := cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 130 || exit.Sys().(syscall.WaitStatus).Signaled() {
			t.Errorf("%s: it ended with %v, want code 130: %s", flag, err, stderr.String())
		}
		if !strings.Contains(stderr.String(), "interrupted; nothing was written") {
			t.Errorf("%s: it said %q", flag, stderr.String())
		}
		entries, _ := os.ReadDir(parent)
		if len(entries) != 1 {
			t.Errorf("%s: files are left: %v", flag, entries)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "0.js")); !bytes.Equal(text, script) {
			t.Errorf("%s: the input changed", flag)
		}
	}
}

// Commands that read files end while they wait for a pipe, and leave nothing.
func TestReadingIsInterrupted(t *testing.T) {
	for i, line := range []string{
		"top pipe", "tree pipe", "merge -o out.folded pipe", "merge -o out.folded a.folded pipe", "diff a.folded pipe", "budget budgets.yaml pipe",
		"convert --to folded pipe out.folded", "report pipe -o out.html", "report a.folded --before pipe -o out.html.gz", "slices --save 1 -o out.folded pipe",
	} {
		folder := t.TempDir()
		must.WriteTree(t, folder, map[string]string{"a.folded": "main;work 10\n", "budgets.yaml": "budgets:\n  - functions: [work]\n    max: 5%\n"})
		must.Do(t, syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600))
		var stdout, stderr bytes.Buffer
		cmd := exec.Command("instrument", strings.Fields(line)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &stdout, &stderr
		must.Do(t, cmd.Start(), line)
		pipe := must.Get(os.OpenFile(filepath.Join(folder, "pipe"), os.O_WRONLY, 0))(t) // waits until it is read
		must.Do(t, cmd.Process.Signal([]os.Signal{os.Interrupt, syscall.SIGTERM}[i%2]), line)
		_ = cmd.Wait()
		pipe.Close()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || stdout.Len() > 0 || stderr.String() != "instrument: interrupted\n" {
			t.Errorf("%s: code %d: %s%s", line, code, &stdout, &stderr)
		}
		if entries := must.Get(os.ReadDir(folder))(t); len(entries) != 3 {
			t.Errorf("%s: files are left: %v", line, entries)
		}
	}
}

// A terminal or a supervisor signals a whole group of processes, and npm's command line passes on each signal that it
// gets as a SIGTERM. The profile is written however often signals come.
func TestSignalsAreRepeated(t *testing.T) {
	for _, first := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		folder := t.TempDir()
		must.Write(t, folder, "app.js", "function work(n) { while (n--); }\nconsole.log('ready');\nfor (;;) work(1000);\n")
		cmd := exec.Command("instrument", "run", "-o", "app.cpuprofile", "app.js")
		cmd.Dir = folder
		out := must.Get(cmd.StdoutPipe())(t)
		must.Do(t, cmd.Start())
		must.Get(io.ReadFull(out, make([]byte, len("ready"))))(t)
		must.Do(t, cmd.Process.Signal(first))
		ended := make(chan bool)
		go func() {
			_, _ = io.Copy(io.Discard, out)
			_ = cmd.Wait()
			close(ended)
		}()
		for cmd.Process.Signal(syscall.SIGTERM) == nil {
		}
		<-ended
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !must.Exists(filepath.Join(folder, "app.cpuprofile")) {
			t.Errorf("%v: it ended with %v", first, cmd.ProcessState)
		}
	}
}

// A program whose reader leaves ends, and its profile is written. A program in Node hears of that from Node.
func TestReaderLeaves(t *testing.T) {
	const print = "function work(n) { while (n--); }\nfunction print() { work(1000); process.stdout.write('ready\\n'); }\n"
	for _, c := range []struct {
		name, program string
		line          []string
		both          bool // streams are one
		code          int
	}{
		{"prints on", print + "for (;;) print();", nil, false, exitUnread},
		{"prints on, with its table", print + "for (;;) print();", []string{"--timeout", "1h"}, true, exitUnread},
		{"prints and ends", print + "for (let i = 0; i < 1e5; i++) print(); process.exit(3)", nil, false, exitUnread},
		{"catches", print + "for (;;) try { console.log('x') } catch {}", nil, false, exitUnread},
		{"prints on in Node", print + "setInterval(print)", []string{"--engine", "node"}, false, exitFailure},
	} {
		if _, err := exec.LookPath("node"); err != nil && len(c.line) > 0 && c.line[0] == "--engine" {
			t.Log("SKIPPED: node is missing")
			continue
		}
		folder := t.TempDir()
		must.Write(t, folder, "app.js", c.program)
		cmd := exec.Command("instrument", append(append([]string{"run", "-o", "app.cpuprofile"}, c.line...), "app.js")...)
		cmd.Dir = folder
		var told bytes.Buffer
		out, in, err := os.Pipe()
		must.Do(t, err)
		cmd.Stdout, cmd.Stderr = in, &told
		if c.both {
			cmd.Stderr = in
		}
		must.Do(t, cmd.Start())
		in.Close()
		must.Get(io.ReadFull(out, make([]byte, 1)))(t)
		out.Close()
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !must.Exists(filepath.Join(folder, "app.cpuprofile")) {
			t.Errorf("%s: it ended with %v: %s", c.name, cmd.ProcessState, told.String())
		}
		if code := cmd.ProcessState.ExitCode(); code == exitUnread && strings.Contains(told.String(), "instrument: ") {
			t.Errorf("%s: it said %s", c.name, told.String())
		}
	}
}

// The service ends with its build, and when it alone is told to.
func TestServiceIsEnded(t *testing.T) {
	cmd := exec.Command("instrument", "service")
	in := must.Get(cmd.StdinPipe())(t)
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	hello := fmt.Sprintf(`{"kind":"hello","protocol":%d,"version":%q}`, service.Protocol, release.Version)
	frame := binary.LittleEndian.AppendUint32(nil, uint32(len(hello)))
	frame = append(binary.LittleEndian.AppendUint32(frame, 0), hello...)
	must.Get(in.Write(frame))(t)
	must.Get(io.ReadFull(out, make([]byte, len(frame))))(t) // it is at work
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	must.Do(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v", cmd.ProcessState)
	}
	in.Close()
}

// An upload and a question that are interrupted have not failed.
func TestAskingIsInterrupted(t *testing.T) {
	reached := make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that a client is gone
		select {
		case reached <- true:
			<-r.Context().Done()
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	t.Setenv(urlVariable, server.URL)
	t.Setenv(tokenVariable, collectorToken)
	folder := t.TempDir()
	must.WriteTree(t, folder, map[string]string{"dist/app.js.map": `{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}`})
	for _, line := range []string{"query", "query profile -o " + folder + "/out.pprof", "upload --release 1 " + folder + "/dist"} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-reached; cancel() }()
		var stdout, stderr bytes.Buffer
		code := execute(ctx, strings.Fields(line), &stdout, &stderr)
		if code != exitInterrupted || stdout.Len() > 0 || !strings.HasPrefix(stderr.String(), "instrument: interrupted") {
			t.Errorf("%s: code %d: %s%s", line, code, &stdout, &stderr)
		}
		if entries := must.Get(os.ReadDir(folder))(t); len(entries) != 1 {
			t.Errorf("%s: files are left: %v", line, entries)
		}
	}
}
