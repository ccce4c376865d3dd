package esbuildplugin

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// An asset that is a script, but not esbuild's, cannot be read: it is left as it
// is, and said so, where.
func TestWhatCannotBeReadIsSaid(t *testing.T) {
	sources := maps.Clone(app)
	sources["page.ts"] = "import url from './broken.txt';\nglobalThis.url = url;\n"
	sources["broken.txt"] = "// ünï 🙂\nvar 🙂 = ;\n"
	for _, strict := range []bool{false, true} {
		dir := sources.write(t)
		copies := onEnd("copies", func(result *api.BuildResult) {
			result.OutputFiles = append(result.OutputFiles, api.OutputFile{Path: filepath.Join(dir, "dist", "sub", "broken.js"), Contents: []byte(sources["broken.txt"])})
		})
		options := usual(dir, copies, New(Options{Strict: strict}))
		options.Write, options.EntryPoints = true, []string{"page.ts", "app.tsx"}
		options.Loader[".txt"] = api.LoaderFile
		result := api.Build(options)
		said := result.Warnings
		if strict {
			said = result.Errors
			if _, err := os.Stat(filepath.Join(dir, "dist")); err == nil {
				t.Error("a build with errors wrote its output")
			}
		} else {
			files := must.ReadTree(t, filepath.Join(dir, "dist"))
			if files["sub/broken.js"] != sources["broken.txt"] || !strings.Contains(files["app.js"], "$f.c.c(") {
				t.Errorf("sub/broken.js is %q, app.js %.200s", files["sub/broken.js"], files["app.js"])
			}
		}
		if len(said) != 1 || said[0].PluginName != "fieldprof" || said[0].Location == nil {
			t.Fatalf("strict %t: %+v, %+v", strict, result.Errors, result.Warnings)
		}
		at := *said[0].Location
		if at.File != "dist/sub/broken.js" || at.Line != 2 || at.LineText != "var 🙂 = ;" || at.Column != len("var ") {
			t.Errorf("it is said of %+v", at)
		}
	}
}

func TestWrongOptionsAreErrors(t *testing.T) {
	for want, o := range map[string]Options{
		"no preset 9":          {Selection: transform.Selection{Preset: 9}},
		`"[" is not a glob`:    {Exclude: []string{"["}},
		"must not be negative": {Selection: transform.Selection{MaxGzip: -1}},
		"no variant 7":         {Variant: 7},
		"no stage 7":           {Stage: 7},
		"needs stage Output":   {Stage: Source, Variant: Both},
		"is for variant Both":  {ProfiledOutdir: "x"},
		"is the output folder": {Variant: Both, ProfiledOutdir: "dist"},
		"no site kinds":        {Selection: transform.Selection{Checks: 1 << 6}},
		"MinStatements is -1":  {Selection: transform.Selection{MinStatements: -1}},
	} {
		result := api.Build(usual(app.write(t), New(o)))
		if len(result.Errors) != 1 || !strings.Contains(result.Errors[0].Text, want) || result.Errors[0].PluginName != "fieldprof" {
			t.Errorf("%+v: %+v, want %q", o, result.Errors, want)
		}
	}
}

// An output without a known folder, and one in the way, leave a build as it would be without
// the plugin.
func TestBuildsThatStayClean(t *testing.T) {
	dir := project{"a.js": "export function a(n) { while (n--); }\n"}.write(t)
	for name, c := range map[string]struct {
		change func(*api.BuildOptions)
		want   string
	}{
		"standard output": {func(o *api.BuildOptions) { o.Outdir = "" }, "there is no place for the runtime"},
		"our folder":      {func(o *api.BuildOptions) { o.EntryNames = "fieldprof/[name]" }, "the folder fieldprof is where the runtime goes: rename yours"},
	} {
		options := api.BuildOptions{EntryPoints: []string{"a.js"}, AbsWorkingDir: dir, Outdir: "dist", LogLevel: api.LogLevelSilent}
		c.change(&options)
		want := build(t, options)
		options.Plugins = []api.Plugin{New(Options{})}
		got := build(t, options)
		if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Text, c.want) {
			t.Errorf("%s: the warnings are %+v", name, got.Warnings)
		}
		if fmt.Sprintf("%s", got.OutputFiles) != fmt.Sprintf("%s", want.OutputFiles) {
			t.Errorf("%s: the outputs are %s\nwant %s", name, got.OutputFiles, want.OutputFiles)
		}
		options.Plugins = []api.Plugin{New(Options{Strict: true})}
		if strict := api.Build(options); len(strict.Errors) != 1 || !strings.Contains(strict.Errors[0].Text, c.want) {
			t.Errorf("%s, strict: the errors are %+v", name, strict.Errors)
		}
	}
}

// An error of esbuild's is all that is reported.
func TestErrorsOfTheBuildStayAlone(t *testing.T) {
	dir := project{"a.js": "let let = ;"}.write(t)
	options := api.BuildOptions{EntryPoints: []string{"a.js"}, AbsWorkingDir: dir, Outdir: "dist", Write: true, LogLevel: api.LogLevelSilent}
	want := api.Build(options)
	options.Plugins = []api.Plugin{New(Options{Strict: true})}
	if got := api.Build(options); fmt.Sprint(len(got.Errors), got.Warnings, got.OutputFiles) != fmt.Sprint(len(want.Errors), want.Warnings, want.OutputFiles) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "dist")); err == nil {
		t.Error("something was written")
	}
}
