package runtime_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// The scripts that goja must pass, too (gojahost/mozilla).
func TestMozilla(t *testing.T) {
	for _, name := range []string{"api.js", "frame.js", "sampling.js", "events.js", "statistics.js"} {
		t.Run(strings.TrimSuffix(name, ".js"), func(t *testing.T) {
			source, err := os.ReadFile("testdata/mozilla/" + name)
			if err != nil {
				t.Fatal(err)
			}
			runMozilla(t, name, string(source))
		})
	}
}

// The document's own example prints what the document shows.
func TestMozillaExample(t *testing.T) {
	source, err := os.ReadFile("testdata/mozilla/example.js")
	if err != nil {
		t.Fatal(err)
	}
	runMozilla(t, "input.js", strings.Replace(string(source), "foo(4000000)", "foo(40000000)", 1), "EXAMPLE=1") // V8 is faster than it was
}

// runMozilla runs a script with every function checked.
func runMozilla(t *testing.T, name, source string, environment ...string) {
	t.Helper()
	result, err := transform.Transform([]byte(source), transform.Options{File: name, Selection: transform.Selection{Preset: transform.Precise}, Goal: transform.FunctionBody})
	if err != nil || len(result.Warnings) > 0 {
		t.Fatal(err, result.Warnings)
	}
	table, err := result.Table.Encode()
	if err != nil {
		t.Fatal(err)
	}
	module, err := fs.ReadFile(runtime.Files(), "mozilla.js")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, modulePath := filepath.Join(dir, name), filepath.Join(dir, "mozilla.mjs")
	for file, text := range map[string][]byte{path: result.Code, path + ".functions.json": table, modulePath: module} {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	harness, err := filepath.Abs("testdata/mozilla/harness.js")
	if err != nil {
		t.Fatal(err)
	}
	runNodeIn(t, append(environment, "MOZILLA="+modulePath, "HARNESS="+harness), "--import", "./testdata/mozilla/node.mjs", path)
}

// Node reports when its collector ran.
func TestMozillaCollector(t *testing.T) {
	runNode(t, "--expose-gc", bundle(t, "testdata/mozilla/collector.ts"))
}

// The rate is an upper bound, whatever the clock did.
func TestMozillaRate(t *testing.T) {
	runNode(t, bundle(t, "testdata/mozilla/rate.ts"))
}
