package symbols

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/view"
)

// V8's own profile of a minified program shows the functions of the sources.
func TestMinifiedProgramInV8(t *testing.T) {
	node := must.HaveNode(t)
	dist := t.TempDir()
	app := filepath.Join(dist, "app.js")
	built := api.Build(api.BuildOptions{EntryPoints: []string{"../../fixtures/real/raytrace/main.ts"}, Bundle: true, Write: true, Outfile: app,
		MinifyIdentifiers: true, MinifySyntax: true, MinifyWhitespace: true, Sourcemap: api.SourceMapLinked, Platform: api.PlatformNode})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	// A function that was minified, and a method, which was not. On a busy machine V8 may
	// take no sample in one of them: then the program runs again, for longer.
	wanted := []string{"least", "colour"}
	var names []string
	for pictures := 4; pictures <= 256; pictures *= 2 {
		profiles := t.TempDir()
		must.Run(t, dist, node, "--cpu-prof", "--cpu-prof-dir", profiles, app, strconv.Itoa(pictures))
		files := must.Get(filepath.Glob(filepath.Join(profiles, "*.cpuprofile")))(t)
		must.Equal(t, len(files), 1)
		p := must.Get(format.ReadFile(files[0]))(t)
		for _, r := range view.Flat(p) {
			if r.Name == "least" {
				t.Fatal("the program was not minified")
			}
		}
		found := must.Get(Find(p, []string{dist}, nil))(t)
		must.Equal(t, len(found.Warnings), 0, found.Warnings)
		for _, r := range view.Flat(found.Symbolize(p, false)) {
			if filepath.Base(r.File) == "scene.ts" {
				names = append(names, r.Name)
			}
		}
		if !slices.ContainsFunc(wanted, func(name string) bool { return !slices.Contains(names, name) }) {
			return
		}
	}
	t.Errorf("the functions are %v, without one of %v", names, wanted)
}
