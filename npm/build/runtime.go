package main

import (
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// runtimeSource is where the scripts of package runtime are built from, too.
const runtimeSource = "runtime/src"

// runtimeModules are the entries, by file name. Shared code is in chunks, so that it is also
// shared at run time.
var runtimeModules = []string{"index", "checks", "trace", "mozilla", "send", "interactions", "sentry", "datadog", "performance", "register", "finish", "service"}

// runtimeCommonJS are the entries that can be required. They find each other through the
// realm's object.
var runtimeCommonJS = []string{"index", "checks", "service"}

// buildRuntime builds @fieldprof/runtime.
func buildRuntime(p *pack) error {
	dist := filepath.Join(p.folder, "dist")
	if err := bundle(runtimeSource+"/entry", runtimeModules, dist, api.BuildOptions{Format: api.FormatESModule, Splitting: true}); err != nil {
		return err
	}
	if err := bundle(runtimeSource+"/entry", runtimeCommonJS, dist, api.BuildOptions{Format: api.FormatCommonJS, OutExtension: map[string]string{".js": ".cjs"}}); err != nil {
		return err
	}
	types := filepath.Join(dist, "types")
	if err := declare("npm/runtime/tsconfig.json", runtimeSource, types); err != nil {
		return err
	}
	return forNode(types)
}
