package builddir

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Folders and files of an old site whose names are not UTF-8 are instrumented like any others, again and again.
func TestNamesThatAreNotUTF8(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names are UTF-8 there")
	}
	folder := t.TempDir()
	input := filepath.Join(folder, "dist")
	must.Do(t, os.MkdirAll(filepath.Join(input, "caf\xe9", "x"), 0o755))
	name := filepath.Join("caf\xe9", "x", "\xe9t\xe9.js")
	must.Do(t, os.WriteFile(filepath.Join(input, name), []byte(loop("summer")), 0o644))
	for range 2 {
		report := must.Get(Run(t.Context(), Options{Input: input}))(t)
		code := must.Get(os.ReadFile(filepath.Join(report.Output, name)))(t)
		if !strings.Contains(string(code), "__fieldprof") {
			t.Errorf("it has no checks: %s", code)
		}
	}
}
