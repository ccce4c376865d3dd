package esbuildplugin

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Sources are overwritten where esbuild would overwrite them, which is where it is
// told to.
func TestNoSourceIsOverwritten(t *testing.T) {
	const source = "for (let i = 0; i < 9; i++) console.log(i)\n"
	for name, change := range map[string]func(*api.BuildOptions){
		"folder": func(o *api.BuildOptions) { o.Outdir = "src" },
		"file":   func(o *api.BuildOptions) { o.Outfile = "src/app.js" },
		"whole paths in the metafile": func(o *api.BuildOptions) {
			o.Outdir, o.Metafile, o.AbsPaths = "src", true, api.MetafileAbsPath
		},
		"whole paths in messages": func(o *api.BuildOptions) { o.Outdir, o.AbsPaths = "src", api.LogAbsPath },
	} {
		dir := project{"src/app.js": source, "src/more.js": source}.write(t)
		options := api.BuildOptions{EntryPoints: []string{"src/app.js"}, AbsWorkingDir: dir, Bundle: true, Write: true, LogLevel: api.LogLevelSilent}
		change(&options)
		want := api.Build(options)
		options.Plugins = []api.Plugin{New(Options{})}
		got := api.Build(options)
		if len(got.Errors) != 1 || len(want.Errors) != 1 || got.Errors[0].Text != want.Errors[0].Text {
			t.Errorf("%s: the errors are %+v\nwant %+v", name, got.Errors, want.Errors)
		}
		must.Match(t, name, must.ReadTree(t, filepath.Join(dir, "src")), map[string]string{"app.js": source, "more.js": source})
		options.Write = false
		if got := build(t, options); len(got.OutputFiles) < 2 {
			t.Errorf("%s, in memory: there are %d outputs", name, len(got.OutputFiles))
		}
		options.Write, options.AllowOverwrite = true, true
		build(t, options)
		if must.ReadTree(t, filepath.Join(dir, "src"))["app.js"] == source {
			t.Errorf("%s: nothing is written where it may be", name)
		}
	}
}

// A file that comes with the checks is an output, too.
func TestNoSourceIsOverwrittenByOurs(t *testing.T) {
	const source = "while (globalThis.more) globalThis.more--;\n"
	p := project{
		"app.js":                    "import './made/app.js'; import './out/fieldprof/trace.js'; import table from './out/app.js.functions.json'; console.log(table);\n",
		"made/app.js":               source,
		"out/fieldprof/trace.js":    source,
		"out/app.js.functions.json": "{}",
	}
	for name, c := range map[string]struct {
		options Options
		want    []string
	}{
		"next to the outputs": {Options{}, []string{"out/app.js.functions.json", "out/fieldprof/trace.js"}},
		"in the copy":         {Options{Variant: Both, ProfiledOutdir: "made"}, []string{"made/app.js"}},
	} {
		dir := p.write(t)
		result := api.Build(api.BuildOptions{
			EntryPoints: []string{"app.js"}, AbsWorkingDir: dir, Outdir: "out", Bundle: true, Write: true, LogLevel: api.LogLevelSilent,
			Plugins: []api.Plugin{New(c.options)},
		})
		var got []string
		for _, e := range result.Errors {
			_, rest, _ := strings.Cut(e.Text, `"`)
			file, _, _ := strings.Cut(rest, `"`)
			got = append(got, file)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: the errors are %+v\nwant %s", name, result.Errors, c.want)
		}
		must.Match(t, name, must.ReadTree(t, dir), p)
	}
}
