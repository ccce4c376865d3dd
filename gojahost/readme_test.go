package gojahost_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The README's program is whole: it compiles as it is, and writes a profile.
func TestProgramOfTheREADME(t *testing.T) {
	must.Have(t, "go")
	if testing.Short() {
		t.Skip("short: the program has no races of ours to show")
	}
	readme := string(must.Get(os.ReadFile("../README.md"))(t))
	_, program, found := strings.Cut(readme, "## For Go\n\n")
	program, _, ended := strings.Cut(program, "\n    }\n\n")
	if !found || !ended {
		t.Fatal("the README has no program for Go")
	}
	program = strings.ReplaceAll(program+"\n    }\n", "\n    ", "\n")
	folder := t.TempDir()
	must.Write(t, folder, "main.go", strings.TrimPrefix(program, "    "))
	must.Run(t, ".", "go", "build", "-o", filepath.Join(folder, "program"), filepath.Join(folder, "main.go"))
	cmd := exec.Command(filepath.Join(folder, "program"))
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	must.Contain(t, "what pprof shows", must.Run(t, folder, "go", "tool", "pprof", "-top", "app.pb.gz"), "Type: time", "(top level) app.js")
}
