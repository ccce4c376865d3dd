package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// full takes nothing, as a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A command whose answer is lost says so and fails, also where the answer is help.
func TestLostAnswers(t *testing.T) {
	t.Chdir(t.TempDir())
	must.WriteTree(t, ".", map[string]string{"dist/a.js": "function a() {}\n", "dist/a.js.map": `{"version":3,"sources":["a.ts"],"mappings":"AAAA"}`, "a.folded": "main 9\n", "budgets.yaml": "budgets:\n- {sources: a, max: 5%}\n"})
	for _, line := range []string{
		"", "-h", "--version", "help", "help top", "top -h", "dist", "dist --list", "dist --json", "top a.folded", "tree a.folded", "diff a.folded a.folded",
		"budget budgets.yaml a.folded", "merge -o b.folded a.folded", "convert --to pprof a.folded -", "report -o - a.folded", "upload --release 1 --dry-run dist",
	} {
		var told strings.Builder
		if code := execute(t.Context(), strings.Fields(line), full{}, &told); code == exitOK || !strings.Contains(told.String(), "no space left on device") {
			t.Errorf("instrument %s: %d\n%s", line, code, told.String())
		}
	}
}
