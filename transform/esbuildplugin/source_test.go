package esbuildplugin

import (
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// check is one, by whatever names.
var check = regexp.MustCompile(`(\w+)\[1\] = \w+\[0\]`)

// Checks go into sources as they are loaded, one runtime for all of them; names
// and places lead to the sources through the map.
func TestSourceStage(t *testing.T) {
	sources := maps.Clone(app)
	sources["tsconfig.json"] = `{ "extends": "./base.json" /* JSX is set there */ }`
	sources["base.json"] = `{ "compilerOptions": { "jsxFactory": "React.make", }, }`
	sources["app.tsx"] = strings.Replace(app["app.tsx"], "createElement:", "make:", 1)
	sources["node_modules/pkg/index.js"] = "export function pkg(n) { while (n--); }\n"
	sources["page.ts"] += "import { pkg } from 'pkg'; pkg(2);\n"
	dir := sources.write(t)
	options := usual(dir, New(Options{Stage: Source, Exclude: []string{"lazy.js"}}))
	options.Sourcemap = api.SourceMapLinked
	files := outputs(t, filepath.Join(dir, "dist"), build(t, options).OutputFiles)
	text := files["app.js"]
	must.Contain(t, "app.js", text, "React.make(") // as tsconfig.json says
	if n := strings.Count(text, "SharedArrayBuffer"); n != 1 {
		t.Errorf("the runtime is there %d times", n)
	}
	for function, want := range map[string]bool{"work": true, "lazy": false, "pkg": false} {
		_, body, there := strings.Cut(text+files["page.js"], "function "+function+"(")
		body, _, _ = strings.Cut(body, "\n}")
		if !there || check.MatchString(body) != want {
			t.Errorf("checks in %s: %t, want %t: %s", function, !want, want, body)
		}
	}
	m := must.Get(sourcemap.Parse([]byte(files["app.js.map"])))(t)
	for i, source := range m.Sources {
		if own, ok := sources[strings.TrimPrefix(source, "../")]; ok && (m.SourcesContent[i] == nil || *m.SourcesContent[i] != own) {
			t.Errorf("the map's %s is not the source", source)
		}
	}
	for _, line := range []string{"for (let i", "sum += i"} {
		at := strings.Index(text, line)
		if at < 0 {
			t.Fatalf("no %q in %s", line, text)
		}
		before := text[:at]
		column := len(before) - strings.LastIndexByte(before, '\n') - 1
		original, ok := m.Find(strings.Count(before, "\n"), column)
		if want := strings.Count(sources["lib.ts"][:strings.Index(sources["lib.ts"], line)], "\n"); !ok || !strings.HasSuffix(original.Source, "lib.ts") || original.Line != want {
			t.Errorf("%q leads to %+v, not to line %d of lib.ts", line, original, want)
		}
	}
}

// A CommonJS source requires its bindings, from the same runtime.
func TestSourceStageOfCommonJS(t *testing.T) {
	dir := app.write(t)
	options := usual(dir, New(Options{Stage: Source}))
	options.EntryPoints, options.Format = []string{"page.ts"}, api.FormatIIFE
	text := outputs(t, filepath.Join(dir, "dist"), build(t, options).OutputFiles)["page.js"]
	if n := strings.Count(text, "SharedArrayBuffer"); n != 1 || strings.Contains(text, `require("fieldprof:checks")`) {
		t.Errorf("the runtime is there %d times: %s", n, text)
	}
}

// Errors that esbuild finds in a source are reported by esbuild, once.
func TestSourceStageLeavesErrorsToEsbuild(t *testing.T) {
	dir := project{"a.ts": "let x: = 1;\n"}.write(t)
	options := api.BuildOptions{EntryPoints: []string{"a.ts"}, AbsWorkingDir: dir, Outdir: "dist", LogLevel: api.LogLevelSilent, Plugins: []api.Plugin{New(Options{Stage: Source})}}
	result := api.Build(options)
	if len(result.Errors) != 1 || result.Errors[0].PluginName != "" || result.Errors[0].Location.File != "a.ts" {
		t.Errorf("%+v", result.Errors)
	}
}
