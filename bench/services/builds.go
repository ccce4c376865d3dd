package services

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	npm "github.com/fieldprof/fieldprof/bench/node"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// The parts of a folder in which a service was built. The package with the runtime is in its
// node_modules.
const (
	cleanFolder    = "clean"
	profiledFolder = "profiled"
	script         = "server.cjs"
)

// build builds a service as a user would: bundled, then instrumented. The clean script has a
// function table as well, so that functions have the same names in the profiles of both.
func build(ctx context.Context, program fixtures.Program, folder string) error {
	if err := npm.Packages(ctx, folder, "none", "@fieldprof/runtime"); err != nil {
		return err
	}
	b, err := node.Bundle(program.Path)
	if err != nil {
		return err
	}
	if b.Module {
		return fmt.Errorf("%s: it awaits at its top level, so it is no script", program.Name)
	}
	code := append(b.Code, "//# sourceMappingURL="+script+".map\n"...)
	described, err := instrumented.Make(code, transform.Options{File: script, SourceMap: b.SourceMap, Keep: func(string) bool { return false }})
	if err != nil {
		return err
	}
	table, err := described.Table.Encode()
	if err != nil {
		return err
	}
	clean := filepath.Join(folder, cleanFolder)
	if err := os.Mkdir(clean, 0o700); err != nil {
		return err
	}
	for name, text := range map[string][]byte{script: code, script + ".map": b.SourceMap} {
		if err := os.WriteFile(filepath.Join(clean, name), text, 0o600); err != nil {
			return err
		}
	}
	if _, err := builddir.Run(ctx, builddir.Options{Input: clean, Output: filepath.Join(folder, profiledFolder), NoSizes: true}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(clean, script+".functions.json"), table, 0o600) // not there before: it is not of the build
}
