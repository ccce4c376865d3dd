package stacks

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// The marks that count units of work in the exact programs are the places at
// which those programs note their stack.
var mark = regexp.MustCompile(`/\* unit [^*]*\*/`)

// bundle takes a program through two layers of maps.
func bundle(t *testing.T, path string) (code, sourceMap []byte) {
	t.Helper()
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{path}, AbsWorkingDir: filepath.Dir(path), Outfile: "bundle.js",
		Bundle: true, Format: api.FormatIIFE, Platform: api.PlatformBrowser, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		Define:   map[string]string{"process.env.NODE_ENV": `"production"`},
		LogLevel: api.LogLevelSilent,
		Plugins:  []api.Plugin{translate},
	})
	for _, m := range result.Errors {
		t.Fatalf("%s: %s", path, m.Text)
	}
	for _, f := range result.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			sourceMap = f.Contents
		} else {
			code = f.Contents
		}
	}
	return code, sourceMap
}

// translate is the first layer: TypeScript and JavaScript to older and denser
// JavaScript with a map of its own, which the bundler takes in.
var translate = api.Plugin{Name: "translate", Setup: func(build api.PluginBuild) {
	build.OnLoad(api.OnLoadOptions{Filter: `\.(ts|js|mjs|cjs)$`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		text, err := os.ReadFile(args.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		if args.With["type"] == "text" { // imported for its text
			code := string(text)
			return api.OnLoadResult{Contents: &code, Loader: api.LoaderText}, nil
		}
		loader := api.LoaderJS
		if filepath.Ext(args.Path) == ".ts" {
			loader = api.LoaderTS
		}
		result := api.Transform(mark.ReplaceAllString(string(text), "$$trip();"), api.TransformOptions{
			Loader: loader, Target: api.ES2020, Supported: map[string]bool{"import-attributes": true}, Sourcefile: filepath.Base(args.Path),
			MinifyWhitespace: true, Sourcemap: api.SourceMapInline, SourcesContent: api.SourcesContentExclude,
			LogLevel: api.LogLevelSilent,
		})
		code := string(result.Code)
		return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS, Errors: result.Errors}, nil
	})
}}
