//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// An interrupted build leaves no files.
func TestBuildIsInterrupted(t *testing.T) {
	program := filepath.Join(t.TempDir(), "instrument")
	must.Run(t, ".", "go", "build", "-o", program, ".")
	parent := t.TempDir()
	dir := filepath.Join(parent, "dist")
	must.Do(t, os.Mkdir(dir, 0o755))
	script := []byte(strings.Repeat("function f(n) { while (n--); return n; }\n", 2000))
	for i := range 500 {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.js", i)), script, 0o644))
	}
	for _, flag := range []string{"--no-sizes", "--in-place"} {
		var stderr bytes.Buffer
		cmd := exec.Command(program, dir, flag)
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
