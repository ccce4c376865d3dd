package esbuildplugin_test

import (
	"fmt"
	"log"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/esbuildplugin"
)

// A build with the plugin gives the bundle with its checks, its function table and
// the runtime next to it.
func Example() {
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{
			Contents:   "export function total(list) { let sum = 0; for (const n of list) sum += n; return sum }",
			Sourcefile: "total.js",
		},
		Bundle:  true,
		Format:  api.FormatESModule,
		Outfile: "dist/total.js",
		Plugins: []api.Plugin{esbuildplugin.New(esbuildplugin.Options{Selection: transform.Selection{Preset: transform.Fine}})},
	})
	if len(result.Errors) > 0 {
		log.Fatal(result.Errors)
	}
	for _, f := range result.OutputFiles[:4] {
		fmt.Println(filepath.Base(filepath.Dir(f.Path)) + "/" + filepath.Base(f.Path))
	}
	// Output:
	// dist/total.js
	// fieldprof/checks.cjs
	// fieldprof/checks.js
	// fieldprof/checks.mjs
}
