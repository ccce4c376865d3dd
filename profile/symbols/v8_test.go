package symbols

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
)

// V8's own profile of a minified program shows the functions of the sources.
func TestMinifiedProgramInV8(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing")
		}
		t.Skip("SKIPPED: node is missing")
	}
	dist, profiles := t.TempDir(), t.TempDir()
	app := filepath.Join(dist, "app.js")
	built := api.Build(api.BuildOptions{EntryPoints: []string{"../../fixtures/real/raytrace/main.ts"}, Bundle: true, Write: true, Outfile: app,
		MinifyIdentifiers: true, MinifySyntax: true, MinifyWhitespace: true, Sourcemap: api.SourceMapLinked, Platform: api.PlatformNode})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	if out, err := exec.Command(node, "--cpu-prof", "--cpu-prof-interval", "100", "--cpu-prof-dir", profiles, app, "4").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := must.Get(filepath.Glob(filepath.Join(profiles, "*.cpuprofile")))(t)
	must.Equal(t, len(files), 1)
	p := must.Get(format.ReadFile(files[0]))(t)
	found := must.Get(Find(p, []string{dist}, nil))(t)
	var names, before []string
	for _, r := range view.Flat(p) {
		before = append(before, r.Name)
	}
	for _, r := range view.Flat(found.Symbolize(p, false)) {
		if filepath.Base(r.File) == "scene.ts" {
			names = append(names, r.Name)
		}
	}
	if slices.Contains(before, "least") {
		t.Error("the program was not minified")
	}
	// A function that was minified, and a method, which was not.
	for _, want := range []string{"least", "colour"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s among %v; before %v; %v", want, names, before, found.Warnings)
		}
	}
}
