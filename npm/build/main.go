// Build writes npm/runtime/dist, the scripts and types of the npm package
// @fieldprof/runtime, from runtime/src. `make npm` runs it, and packs.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	source = "runtime/src"
	folder = "npm/runtime/dist"
	tsc    = "test/lint/node_modules/.bin/tsc"
)

// modules are the entries, by file name. What they share is in chunks, so that
// they share it at run time, too.
var modules = []string{"index", "checks", "trace", "mozilla", "send", "performance", "register", "finish"}

// commonjs are those that can be required. They find each other through the
// realm's object.
var commonjs = []string{"index", "checks"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "building npm/runtime:", err)
		os.Exit(1)
	}
}

func run() error {
	if _, err := os.Stat(source); err != nil {
		return fmt.Errorf("run it from the top of the repository: %w", err)
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := build(modules, api.BuildOptions{Format: api.FormatESModule, Splitting: true}); err != nil {
		return err
	}
	if err := build(commonjs, api.BuildOptions{Format: api.FormatCommonJS, OutExtension: map[string]string{".js": ".cjs"}}); err != nil {
		return err
	}
	return types()
}

// build bundles entries as options say, readable: whoever builds with the package
// minifies.
func build(entries []string, options api.BuildOptions) error {
	for _, entry := range entries {
		options.EntryPoints = append(options.EntryPoints, filepath.Join(source, entry+".ts"))
	}
	options.Outdir = folder
	options.Bundle = true
	options.Write = true
	options.Target = api.ES2022 // register has an await at its top
	options.Platform = api.PlatformNeutral
	options.External = []string{"node:*"}
	options.Charset = api.CharsetUTF8
	options.TsconfigRaw = `{"compilerOptions":{"useDefineForClassFields":false}}`
	result := api.Build(options)
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s", strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return nil
}

// types writes declarations.
func types() error {
	cmd := exec.Command(tsc, "--project", "npm/runtime/tsconfig.json")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tsc: %w\n%s", err, out)
	}
	return filepath.WalkDir(filepath.Join(folder, "types"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return forNode(path)
	})
}

// imports finds relative imports without an extension.
var imports = regexp.MustCompile(`((?:from|import) "|import\(")(\.[^"]*)"`)

// forNode gives the imports of a declaration file the extensions that Node asks
// for, and the file a twin for CommonJS.
func forNode(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	twin := strings.TrimSuffix(path, ".d.ts") + ".d.cts"
	for file, extension := range map[string]string{path: ".js", twin: ".cjs"} {
		if err := os.WriteFile(file, imports.ReplaceAll(text, []byte(`${1}${2}`+extension+`"`)), 0o644); err != nil {
			return err
		}
	}
	return nil
}
