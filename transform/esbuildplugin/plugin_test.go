package esbuildplugin

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// project is a directory of sources: path to content.
type project map[string]string

// app has what a build may hold: TypeScript and JSX, a shared module, a dynamic
// import, CommonJS, styles and an asset.
var app = project{
	"app.tsx":  "import { work } from './lib';\nimport './app.css';\nimport logo from './logo.svg';\nexport function main(n: number) {\n  const el = <p>{work(n)}</p>;\n  import('./lazy').then((m) => m.lazy(n, logo));\n  return el;\n}\nconst React = { createElement: (...a: unknown[]) => a };\nglobalThis.result = main(3);\n",
	"page.ts":  "import { work } from './lib';\nimport old from './old.cjs';\nglobalThis.other = old(work(5));\n",
	"lib.ts":   "export function work(n: number): number {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += i;\n  return sum;\n}\n",
	"lazy.js":  "export function lazy(n, logo) { while (n--) globalThis.lazy = logo; return n; }\n",
	"old.cjs":  "module.exports = function old(n) { while (n % 7) n++; return n; };\n",
	"app.css":  "p { color: red }\n",
	"logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>\n",
}

func (p project) write(t testing.TB) string {
	t.Helper()
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.WriteTree(t, dir, p)
	return dir
}

// usual are the options of a build of app.
func usual(dir string, plugins ...api.Plugin) api.BuildOptions {
	return api.BuildOptions{
		Plugins:     plugins,
		EntryPoints: []string{"app.tsx", "page.ts"}, AbsWorkingDir: dir, Outdir: "dist", Bundle: true, Format: api.FormatESModule,
		Loader: map[string]api.Loader{".svg": api.LoaderFile}, LogLevel: api.LogLevelSilent,
	}
}

// onEnd is a plugin that looks at the result of a build.
func onEnd(name string, look func(*api.BuildResult)) api.Plugin {
	return api.Plugin{Name: name, Setup: func(b api.PluginBuild) {
		b.OnEnd(func(result *api.BuildResult) (api.OnEndResult, error) {
			look(result)
			return api.OnEndResult{}, nil
		})
	}}
}

// build builds and fails the test on errors.
func build(t testing.TB, options api.BuildOptions) api.BuildResult {
	t.Helper()
	result := api.Build(options)
	if len(result.Errors) > 0 {
		t.Fatalf("%+v", result.Errors)
	}
	return result
}

// outputs are a build's, by their path below a folder.
func outputs(t testing.TB, folder string, files []api.OutputFile) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, f := range files {
		path, ok := within(folder, f.Path)
		if !ok {
			t.Errorf("%s lies outside %s", f.Path, folder)
		}
		if _, twice := all[path]; twice {
			t.Errorf("%s is there twice", path)
		}
		all[path] = string(f.Contents)
	}
	return all
}

// ways are builds of all kinds, that the plugin must treat as the command line
// treats their outputs.
var ways = map[string]func(*api.BuildOptions){
	"plain":     func(*api.BuildOptions) {},
	"splitting": func(o *api.BuildOptions) { o.Splitting = true },
	"hashes": func(o *api.BuildOptions) {
		o.Splitting, o.EntryNames, o.ChunkNames, o.AssetNames = true, "[dir]/[name]-[hash]", "chunks/[name]-[hash]", "assets/[name]-[hash]"
	},
	"minified": func(o *api.BuildOptions) { o.MinifyWhitespace, o.MinifySyntax, o.MinifyIdentifiers = true, true, true },
	"iife":     func(o *api.BuildOptions) { o.Format = api.FormatIIFE },
	"default":  func(o *api.BuildOptions) { o.Format = api.FormatDefault },
	"cjs":      func(o *api.BuildOptions) { o.Format, o.Platform = api.FormatCommonJS, api.PlatformNode },
	"node": func(o *api.BuildOptions) {
		o.Platform, o.OutExtension = api.PlatformNode, map[string]string{".js": ".mjs"}
	},
	"neutral":     func(o *api.BuildOptions) { o.Platform = api.PlatformNeutral },
	"linked":      func(o *api.BuildOptions) { o.Sourcemap = api.SourceMapLinked },
	"external":    func(o *api.BuildOptions) { o.Sourcemap = api.SourceMapExternal },
	"inline":      func(o *api.BuildOptions) { o.Sourcemap = api.SourceMapInline },
	"both":        func(o *api.BuildOptions) { o.Sourcemap = api.SourceMapInlineAndExternal },
	"folders":     func(o *api.BuildOptions) { o.EntryNames = "js/[name]" },
	"odd names":   func(o *api.BuildOptions) { o.EntryNames = "[name]/{[ext]}*" },
	"public path": func(o *api.BuildOptions) { o.PublicPath = "https://cdn.example/app" },
	"legal":       func(o *api.BuildOptions) { o.Banner = map[string]string{"js": "/* (c) */", "css": "/* (c) */"} },
	"not bundled": func(o *api.BuildOptions) { o.Bundle, o.EntryPoints = false, []string{"lib.ts", "lazy.js"} },
}

// takes is a plugin that keeps the bundle before ours changes it.
func takes(dist string, bundle *[]builddir.File) api.Plugin {
	return onEnd("takes", func(result *api.BuildResult) {
		*bundle = nil
		for _, f := range result.OutputFiles {
			path, _ := within(dist, f.Path)
			*bundle = append(*bundle, builddir.File{Path: path, Data: slices.Clone(f.Contents)})
		}
	})
}

// The output is what `instrument dist/` makes of the same bundle, in memory as on
// disk, and the same whenever it is made.
func TestOutputIsThatOfTheCommandLine(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			dir := app.write(t)
			dist := filepath.Join(dir, "dist")
			var bundle []builddir.File
			var report *builddir.Report
			options := usual(dir, takes(dist, &bundle), New(Options{OnReport: func(r *builddir.Report) { report = r }}))
			way(&options)
			options.Write = true
			result := build(t, options)
			if len(result.Warnings) > 0 {
				t.Errorf("the warnings are %+v", result.Warnings)
			}
			got := outputs(t, dist, result.OutputFiles)
			must.Match(t, "on disk", must.ReadTree(t, dist), got)

			clean := filepath.Join(dir, "clean")
			for _, f := range bundle {
				must.WriteFile(t, filepath.Join(clean, f.Path), string(f.Data))
			}
			var embed []string
			if options.Platform == api.PlatformDefault {
				embed = []string{"*.js"}
			}
			if options.Splitting { // lazy.js is imported when it is needed
				embed = []string{"app*.js", "page*.js", "lazy-*.js"}
			}
			commandLine := must.Get(builddir.Run(context.Background(), builddir.Options{Input: clean, NoSizes: true, Embed: embed}))(t)
			must.Match(t, "the command line", got, must.ReadTree(t, commandLine.Output))
			if report.Instrumented != commandLine.Instrumented || report.Instrumented == 0 {
				t.Errorf("%d instrumented, the command line says %d", report.Instrumented, commandLine.Instrumented)
			}

			again := build(t, options)
			must.Match(t, "again", outputs(t, dist, again.OutputFiles), got)
			options.Write = false
			must.Do(t, os.RemoveAll(dist))
			must.Match(t, "not written", outputs(t, dist, build(t, options).OutputFiles), got)
			if _, err := os.Stat(dist); err == nil {
				t.Error("it was written all the same")
			}
		})
	}
}

// A build without scripts has no use for the runtime.
func TestStylesAlone(t *testing.T) {
	dir := app.write(t)
	for variant, want := range map[Variant][]string{Profiled: {"dist/app.css"}, Both: {"dist-profiled/app.css", "dist/app.css"}} {
		options := usual(dir, New(Options{Variant: variant}))
		options.EntryPoints = []string{"app.css"}
		got := slices.Sorted(maps.Keys(outputs(t, dir, build(t, options).OutputFiles)))
		if !slices.Equal(got, want) {
			t.Errorf("there is %q, want %q", got, want)
		}
	}
}

// A build is the same one where a symbolic link is its working directory, as a path or as the
// name of the process's own.
func TestWorkingDirectoryIsALink(t *testing.T) {
	dir := app.write(t)
	dist, link := filepath.Join(dir, "dist"), filepath.Join(t.TempDir(), "link")
	must.Do(t, os.Symlink(dir, link))
	for _, stage := range []Stage{Output, Source} {
		options := usual(dir, New(Options{Stage: stage}))
		options.Splitting = true
		want := outputs(t, dist, build(t, options).OutputFiles)
		for _, base := range []string{link, ""} {
			t.Chdir(link)
			options.AbsWorkingDir = base
			result := build(t, options)
			if len(result.Warnings) > 0 {
				t.Errorf("stage %d, %q: %+v", stage, base, result.Warnings)
			}
			must.Match(t, "by the link "+base, outputs(t, dist, result.OutputFiles), want)
		}
	}
}

// The metafile lists what there is, with its size, and is the text that esbuild
// wrote but for that.
func TestMetafileStaysTrue(t *testing.T) {
	for _, splitting := range []bool{false, true} {
		for _, variant := range []Variant{Profiled, Both} {
			dir := app.write(t)
			options := usual(dir, New(Options{Variant: variant}), api.Plugin{Name: "none", Setup: func(api.PluginBuild) {}})
			options.Metafile, options.Splitting, options.Sourcemap = true, splitting, api.SourceMapLinked
			result := build(t, options)
			options.Plugins = nil
			clean := build(t, options).Metafile

			var meta, was struct {
				Inputs  map[string]any
				Outputs map[string]struct {
					Bytes      int
					EntryPoint string
					Inputs     map[string]any
					Imports    []struct{ Path, Kind string }
				}
			}
			if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
				t.Fatalf("%v: %s", err, result.Metafile)
			}
			must.Do(t, json.Unmarshal([]byte(clean), &was))
			if len(meta.Inputs) != len(was.Inputs) {
				t.Errorf("the inputs are %v", meta.Inputs)
			}
			for _, f := range result.OutputFiles {
				name, _ := filepath.Rel(dir, f.Path)
				if o, ok := meta.Outputs[filepath.ToSlash(name)]; !ok || o.Bytes != len(f.Contents) {
					t.Errorf("%s has %d bytes; the metafile says %+v, %t", name, len(f.Contents), o, ok)
				}
			}
			ofRuntime := 0
			for name, o := range meta.Outputs {
				for _, i := range o.Imports {
					if _, ok := meta.Outputs[i.Path]; !ok {
						t.Errorf("%s imports %+v, which is no output", name, i)
					}
					if strings.Contains(i.Path, "/fieldprof/") && i.Kind == "import-statement" {
						ofRuntime++
					}
				}
			}
			if isModule := options.Format == api.FormatESModule; (ofRuntime > 0) != isModule {
				t.Errorf("modules: %t; %d outputs import the runtime", isModule, ofRuntime)
			}
			if len(meta.Outputs) != len(result.OutputFiles) || meta.Outputs["dist/app.js"].EntryPoint != "app.tsx" {
				t.Errorf("%d outputs, %d files", len(meta.Outputs), len(result.OutputFiles))
			}
			if !strings.HasPrefix(result.Metafile, clean[:strings.Index(clean, `"outputs"`)]) {
				t.Errorf("more than the outputs changed: %s", result.Metafile)
			}
			if analysed := api.AnalyzeMetafile(result.Metafile, api.AnalyzeMetafileOptions{}); !strings.Contains(analysed, "trace.js") {
				t.Errorf("esbuild reads %q", analysed)
			}
		}
	}
	options := usual(app.write(t), New(Options{}))
	options.Splitting = true
	if result := build(t, options); result.Metafile != "" {
		t.Error("there is a metafile that nobody asked for")
	}
}

// Contents have the hash that esbuild gives them, wherever they come from.
func TestHashesAreEsbuilds(t *testing.T) {
	for _, f := range build(t, usual(app.write(t))).OutputFiles {
		if got := hashOf(f.Contents); got != f.Hash {
			t.Errorf("%s has the hash %s, esbuild says %s", f.Path, got, f.Hash)
		}
	}
}

// A name with a hash belongs to one file forever: the clean one, or one preset's.
func TestHashesTellOptionsApart(t *testing.T) {
	dir := app.write(t)
	options := usual(dir)
	options.EntryNames, options.Splitting = "[name]-[hash]", true
	scripts := func(plugins ...api.Plugin) map[string]string {
		options.Plugins = plugins
		all := outputs(t, filepath.Join(dir, "dist"), build(t, options).OutputFiles)
		maps.DeleteFunc(all, func(path, _ string) bool {
			return !strings.HasSuffix(path, ".js") || strings.HasPrefix(path, "fieldprof/")
		})
		return all
	}
	seen := scripts()
	for name, o := range map[string]Options{"balanced": {}, "fine": {Selection: transform.Selection{Preset: transform.Fine}}, "another form": {Selection: transform.Selection{Form: transform.Compact}}, "less": {Exclude: []string{"lazy*"}}} {
		for path, text := range scripts(New(o)) {
			if other, ok := seen[path]; ok && other != text {
				t.Errorf("%s: %s is two files", name, path)
			}
			seen[path] = text
		}
	}
	if len(seen) < 5*4 {
		t.Errorf("only %v", slices.Sorted(maps.Keys(seen)))
	}
}

// The comment in scripts goes with the caller's own banner, which stays the
// caller's.
func TestBanners(t *testing.T) {
	for own, want := range map[string]string{
		"":                    "/* fieldprof %s balanced */\n",
		"/* own */":           "/* fieldprof %s balanced */\n/* own */\n",
		"#!/usr/bin/env node": "#!/usr/bin/env node\n/* fieldprof %s balanced */\n",
	} {
		options := usual(app.write(t), New(Options{}))
		options.EntryNames, options.Platform = "[name]-[hash]", api.PlatformNode
		if own != "" {
			options.Banner = map[string]string{"js": own}
		}
		salt := (&Options{}).salt()
		want = strings.Replace(want, "fieldprof %s balanced", salt, 1)
		for _, f := range build(t, options).OutputFiles {
			if strings.Contains(f.Path, "app-") && strings.HasSuffix(f.Path, ".js") {
				text := string(f.Contents)
				if own == "#!/usr/bin/env node" {
					text = strings.Replace(text, `import"./fieldprof/checks.js";const{flag:$f=[0,0]}=globalThis.__fieldprof||0;`, "", 1)
				}
				if !strings.HasPrefix(text, want) && !strings.Contains(text, strings.TrimSuffix(want, "\n")) {
					t.Errorf("with %q: %.200s", own, text)
				}
				if own != "" && !strings.HasPrefix(own, "/*") && !strings.HasPrefix(text, own) {
					t.Errorf("the program does not begin with %q: %.200s", own, text)
				}
			}
		}
		if options.Banner["js"] != own {
			t.Errorf("the caller's banner is %q now", options.Banner["js"])
		}
	}
	for _, f := range build(t, usual(app.write(t), New(Options{}))).OutputFiles {
		if strings.HasSuffix(f.Path, "app.js") && strings.Contains(string(f.Contents), "balanced") {
			t.Errorf("a name without a hash needs no banner: %.200s", f.Contents)
		}
	}
}

// Clean outputs are those without the plugin, and the copy is as without them.
func TestBothVariants(t *testing.T) {
	dir := app.write(t)
	options := usual(dir)
	options.Write, options.EntryNames, options.Sourcemap = true, "[name]-[hash]", api.SourceMapLinked
	build(t, options)
	clean := must.ReadTree(t, filepath.Join(dir, "dist"))
	must.Do(t, os.RemoveAll(filepath.Join(dir, "dist")))
	for folder, o := range map[string]Options{"dist-profiled": {Variant: Both}, "out": {Variant: Both, ProfiledOutdir: "out"}} {
		options.Plugins = []api.Plugin{New(o)}
		result := build(t, options)
		must.Match(t, "clean", must.ReadTree(t, filepath.Join(dir, "dist")), clean)
		profiled := must.ReadTree(t, filepath.Join(dir, folder))
		if len(result.OutputFiles) != len(clean)+len(profiled) {
			t.Errorf("%d outputs, %d clean and %d profiled files", len(result.OutputFiles), len(clean), len(profiled))
		}
		for path, text := range clean {
			if changes := strings.Contains(path, ".js"); changes != (profiled[path] != text) {
				t.Errorf("%s in %s: %.100s", path, folder, profiled[path])
			}
		}
	}
}

// Others before ours have a say, and those after see what is deployed.
func TestOtherPlugins(t *testing.T) {
	dir := app.write(t)
	options := usual(dir)
	options.Write = true
	before := api.Plugin{Name: "before", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: `lib\.ts$`}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			text := "export function work(n) { for (let i = 0; i < n; i++) globalThis.loaded = i; return n }"
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
		b.OnEnd(func(result *api.BuildResult) (api.OnEndResult, error) {
			page := `<!doctype html><script type=module src="app.js"></script>`
			result.OutputFiles = append(result.OutputFiles, api.OutputFile{Path: filepath.Join(dir, "dist", "index.html"), Contents: []byte(page)})
			return api.OnEndResult{Warnings: []api.Message{{Text: "theirs"}}}, nil
		})
	}}
	after := onEnd("after", func(result *api.BuildResult) {
		must.Match(t, "for the plugin behind", must.ReadTree(t, filepath.Join(dir, "dist")), outputs(t, filepath.Join(dir, "dist"), result.OutputFiles))
	})
	options.Plugins = []api.Plugin{before, New(Options{}), after}
	result := build(t, options)
	files := must.ReadTree(t, filepath.Join(dir, "dist"))
	must.Contain(t, "the page that a plugin added", files["index.html"], `<script defer="" src="./fieldprof/runtime.js" class="fieldprof"></script>`)
	must.Contain(t, "what a plugin loaded", files["app.js"], "$f.c.c(1)", "globalThis.loaded = i")
	if len(result.Warnings) != 1 || result.Warnings[0].PluginName != "before" {
		t.Errorf("the warnings are %+v", result.Warnings)
	}
}

// A plugin before ours may compress what esbuild made: such files are made again, or left out, as the command line does.
func TestCompressedOutputs(t *testing.T) {
	dir := app.write(t)
	dist := filepath.Join(dir, "dist")
	compress := onEnd("compress", func(result *api.BuildResult) {
		for _, f := range result.OutputFiles {
			for _, extension := range []string{".gz", ".br", ".zst"} {
				result.OutputFiles = append(result.OutputFiles, api.OutputFile{Path: f.Path + extension, Contents: []byte("old")})
			}
		}
		result.OutputFiles = append(result.OutputFiles, api.OutputFile{Path: filepath.Join(dir, "elsewhere.js.zst"), Contents: []byte("old")})
	})
	var bundle []builddir.File
	options := usual(dir, compress, takes(dist, &bundle), New(Options{}))
	files := build(t, options).OutputFiles
	outside := slices.IndexFunc(files, func(f api.OutputFile) bool { return f.Path == filepath.Join(dir, "elsewhere.js.zst") })
	if outside < 0 {
		t.Fatal("an output that is not in the tree is gone")
	}
	got := outputs(t, dist, slices.Delete(files, outside, outside+1))
	if _, has := got["app.js.zst"]; has || got["app.css.zst"] != "old" || got["app.js.gz"] == "old" {
		t.Errorf("the outputs are %q", slices.Sorted(maps.Keys(got)))
	}
	bundle = slices.DeleteFunc(bundle, func(f builddir.File) bool { return f.Path == "" })
	made, _, err := builddir.Files(context.Background(), bundle, builddir.Options{NoSizes: true, Embed: []string{"*.js"}})
	must.Do(t, err)
	want := map[string]string{}
	for _, f := range made {
		want[f.Path] = string(f.Data)
	}
	must.Match(t, "the command line", got, want)
}
