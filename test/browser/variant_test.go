package browser

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// variant is a way to deploy a page of testdata.
type variant string

const (
	original variant = "original" // as it is
	idle     variant = "idle"     // instrumented, nothing profiles
	armed    variant = "armed"    // every check captures, see testdata/arm.js
	compact  variant = "compact"  // armed, with checks in the compact form
	bare     variant = "bare"     // instrumented, and the runtime is not there
)

// deploy gives a page's files as a variant has them.
func deploy(t *testing.T, page string, v variant) fs.FS {
	t.Helper()
	options := builddir.Options{
		Input:     filepath.Join("testdata", page),
		Selection: transform.Selection{Preset: transform.Precise},
	}
	if v == original {
		return os.DirFS(options.Input)
	}
	if v == compact {
		options.Form = transform.Compact
	}
	output := Instrument(t, options)
	var arm []byte
	if v == armed || v == compact {
		arm = must.Get(os.ReadFile("testdata/arm.js"))(t)
	}
	// Arming is in the runtime's own files: another module would be another
	// page to WebKit, which loses its place among modules with top-level await.
	for _, name := range []string{"runtime.js", "module.js", "checks.js", "checks.mjs"} {
		path := filepath.Join(output, "fieldprof", name)
		text := must.Get(os.ReadFile(path))(t)
		if text = append(text, arm...); v == bare {
			text = nil
		}
		must.Do(t, os.WriteFile(path, text, 0o644))
	}
	return os.DirFS(output)
}
