package runtime_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// The scripts that goja must pass, too (gojahost/mozilla).
func TestMozilla(t *testing.T) {
	for _, name := range []string{"api.js", "frame.js", "sampling.js", "events.js", "statistics.js"} {
		t.Run(strings.TrimSuffix(name, ".js"), func(t *testing.T) {
			source := must.Get(os.ReadFile("testdata/mozilla/" + name))(t)
			runMozilla(t, name, string(source))
		})
	}
}

// The document's own example prints what the document shows.
func TestMozillaExample(t *testing.T) {
	source := must.Get(os.ReadFile("testdata/mozilla/example.js"))(t)
	runMozilla(t, "input.js", strings.Replace(string(source), "foo(4000000)", "foo(40000000)", 1), "EXAMPLE=1") // V8 is faster than it was
}

// runMozilla runs a script with every function checked.
func runMozilla(t *testing.T, name, source string, environment ...string) {
	t.Helper()
	result, err := transform.Transform([]byte(source), transform.Options{File: name, Selection: transform.Selection{Preset: transform.Precise}, Goal: transform.FunctionBody})
	if err != nil || len(result.Warnings) > 0 {
		t.Fatal(err, result.Warnings)
	}
	table := must.Get(result.Table.Encode())(t)
	module := must.Get(fs.ReadFile(runtime.Files(), "mozilla.js"))(t)
	dir := t.TempDir()
	path, modulePath := filepath.Join(dir, name), filepath.Join(dir, "mozilla.mjs")
	for file, text := range map[string][]byte{path: result.Code, path + ".functions.json": table, modulePath: module} {
		must.WriteFile(t, file, string(text))
	}
	harness := must.Get(filepath.Abs("testdata/mozilla/harness.js"))(t)
	runNodeIn(t, append(environment, "MOZILLA="+modulePath, "HARNESS="+harness), "--import", "./testdata/mozilla/node.mjs", path)
}

// A profile that is shown as it is made has what the program attaches to it.
func TestMozillaAttached(t *testing.T) {
	runNode(t, bundle(t, "testdata/mozilla/attached.ts"))
}

// Node reports when its collector ran.
func TestMozillaCollector(t *testing.T) {
	runNode(t, "--expose-gc", bundle(t, "testdata/mozilla/collector.ts"))
}
