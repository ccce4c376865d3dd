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
	"time"
)

// An interrupted build leaves no files.
func TestBuildIsInterrupted(t *testing.T) {
	program := filepath.Join(t.TempDir(), "instrument")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "dist")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	script := []byte(strings.Repeat("function f(n) { while (n--); return n; }\n", 2000))
	for i := range 500 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.js", i)), script, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, flag := range []string{"--no-sizes", "--in-place"} {
		var stderr bytes.Buffer
		cmd := exec.Command(program, dir, flag)
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// The build is under way when some of the output exists.
		for end := time.Now().Add(5 * time.Minute); ; time.Sleep(time.Millisecond) {
			if some, _ := filepath.Glob(filepath.Join(parent, ".dist*", "*.js")); len(some) > 5 {
				break
			}
			if time.Now().After(end) {
				t.Fatal("it never began")
			}
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
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
