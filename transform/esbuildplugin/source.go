package esbuildplugin

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// checksModule is what instrumented sources import their bindings from.
const checksModule = "fieldprof:checks"

// atSource lets the plugin work on each source of the project as it is loaded.
func atSource(build api.PluginBuild, options Options) {
	initial := build.InitialOptions
	base, _ := baseOf(initial) // esbuild fails without one
	build.OnResolve(api.OnResolveOptions{Filter: "^" + checksModule + "$"}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: checksModule, Namespace: "fieldprof"}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: "fieldprof"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := fs.ReadFile(runtime.Files(), "checks.js")
		contents := string(text)
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderJS}, err
	})
	build.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		name, isBelow := within(base, args.Path)
		isPackage := slices.Contains(strings.Split(filepath.ToSlash(args.Path), "/"), "node_modules")
		if !isBelow || isPackage || len(args.With) > 0 || !isScript(initial, args.Path) || !builddir.Selects(options.Include, options.Exclude, name) {
			return api.OnLoadResult{}, nil // other plugins and esbuild go on
		}
		return options.load(initial, args.Path, name)
	})
}

// isScript reports whether esbuild would load a file as a script.
func isScript(initial *api.BuildOptions, path string) bool {
	loader, given := initial.Loader[filepath.Ext(path)]
	return !given || slices.Contains([]api.Loader{api.LoaderJS, api.LoaderJSX, api.LoaderTS, api.LoaderTSX, api.LoaderDefault}, loader)
}

// load returns a source with checks, its map inline.
func (o *Options) load(initial *api.BuildOptions, path, name string) (api.OnLoadResult, error) {
	code, ok := plain(initial, path)
	if !ok {
		return api.OnLoadResult{}, nil // esbuild reports the error better
	}
	sourceMap, err := sourcemap.Inline(code)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	result, err := transform.Transform(code, transform.Options{
		File: name, Selection: o.Selection,
		SourceMap: sourceMap, ChecksModule: checksModule, Require: checksModule,
	})
	if err != nil {
		return api.OnLoadResult{}, err
	}
	code = result.Code
	if len(result.Insertions) > 0 {
		code, _ = sourcemap.ReplaceURL(code, sourcemap.InlineURL(result.Map))
	}
	contents := string(code)
	loaded := api.OnLoadResult{Contents: &contents, Loader: api.LoaderJS, ResolveDir: filepath.Dir(path)}
	for _, v := range result.Warnings {
		loaded.Warnings = append(loaded.Warnings, said(name, code, v))
	}
	if o.Strict {
		loaded.Errors, loaded.Warnings = loaded.Warnings, nil
	}
	return loaded, nil
}

// plain returns a source as JavaScript with its map inline. It builds the source
// instead of transforming it, so that esbuild respects the same tsconfig.json as in
// the build: the nearest one, and what that extends.
func plain(initial *api.BuildOptions, path string) ([]byte, bool) {
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{path}, Outdir: filepath.Dir(path), AllowOverwrite: true,
		AbsWorkingDir: initial.AbsWorkingDir, Tsconfig: initial.Tsconfig, TsconfigRaw: initial.TsconfigRaw,
		JSX: initial.JSX, JSXFactory: initial.JSXFactory, JSXFragment: initial.JSXFragment, JSXImportSource: initial.JSXImportSource,
		JSXDev: initial.JSXDev, JSXSideEffects: initial.JSXSideEffects,
		Target: initial.Target, Engines: initial.Engines, Supported: initial.Supported, Loader: initial.Loader,
		Sourcemap: api.SourceMapInline, SourceRoot: initial.SourceRoot, Charset: api.CharsetUTF8, Platform: api.PlatformNeutral, LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 || len(result.OutputFiles) == 0 {
		return nil, false
	}
	return result.OutputFiles[0].Contents, true
}
