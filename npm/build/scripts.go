package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/release"
)

const tsc = "test/lint/node_modules/.bin/tsc"

// buildScripts bundles the files in dist that package.json names from the sources of the
// same name, each entry by itself, and writes the declarations.
func buildScripts(p *pack) error {
	var modules, commonjs []string
	for _, name := range p.named() {
		entry, ok := strings.CutPrefix(name, "dist/")
		if !ok || strings.Contains(entry, "/") {
			continue
		}
		switch path.Ext(entry) {
		case ".js":
			if entry == "wasm_exec.js" {
				continue
			}
			modules = append(modules, strings.TrimSuffix(entry, ".js"))
		case ".cjs":
			commonjs = append(commonjs, strings.TrimSuffix(entry, ".cjs"))
		}
	}
	source := filepath.Join(p.source, "src")
	for _, entries := range []struct {
		names  []string
		format api.Format
		suffix string
	}{{modules, api.FormatESModule, ".js"}, {commonjs, api.FormatCommonJS, ".cjs"}} {
		slices.Sort(entries.names)
		names := slices.Compact(entries.names)
		if len(names) == 0 {
			continue
		}
		err := bundle(source, names, filepath.Join(p.folder, "dist"), api.BuildOptions{
			Format:       entries.format,
			OutExtension: map[string]string{".js": entries.suffix},
			Packages:     api.PackagesExternal,
			// Code that uses import.meta.url first checks for __filename.
			LogOverride: map[string]api.LogLevel{"empty-import-meta": api.LogLevelSilent},
		})
		if err != nil {
			return err
		}
	}
	return declareScripts(p)
}

// bundle bundles entries without minifying them: users' builds do.
func bundle(source string, entries []string, folder string, options api.BuildOptions) error {
	for _, entry := range entries {
		options.EntryPoints = append(options.EntryPoints, filepath.Join(source, entry+".ts"))
	}
	options.Outdir = folder
	options.Bundle = true
	options.Write = true
	options.Target = api.ES2022
	options.Platform = api.PlatformNeutral
	if options.Format == api.FormatCommonJS {
		options.Platform = api.PlatformNode // tells Node the names, for imports
	}
	options.External = []string{"node:*", "./wasm_exec.js"} // Go's, which buildWASM copies
	options.Define = map[string]string{"FIELDPROF_VERSION": strconv.Quote(release.Version)}
	options.Charset = api.CharsetUTF8
	options.TsconfigRaw = `{"compilerOptions":{"useDefineForClassFields":false}}`
	result := api.Build(options)
	if len(result.Errors) > 0 {
		return errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return nil
}

// declareScripts writes the declarations of all sources in the folder, but not of other
// packages that sources import by name.
func declareScripts(p *pack) error {
	temp, err := os.MkdirTemp("", "fieldprof-types-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := declare(filepath.Join(p.source, "tsconfig.json"), "npm", temp); err != nil {
		return err
	}
	types := filepath.Join(p.folder, "dist/types")
	if err := os.CopyFS(types, os.DirFS(filepath.Join(temp, filepath.Base(p.source), "src"))); err != nil {
		return err
	}
	if shared := filepath.Join(temp, "plugin"); isFolder(shared) {
		if err := os.CopyFS(filepath.Join(types, "plugin"), os.DirFS(shared)); err != nil {
			return err
		}
	}
	return forNode(types)
}

// declare has tsc write the declarations of a project. It does not check the types in them,
// which takes longer: `make lint` does, for the same projects.
func declare(project, root, out string) error {
	cmd := exec.Command(tsc, "--project", project, "--noCheck", "--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--rootDir", root, "--outDir", out)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tsc: %w\n%s", err, said)
	}
	return nil
}

// imports finds relative imports without an extension.
var imports = regexp.MustCompile(`((?:from|import) ["']|import\(["'])(\.[^"']*)(["'])`)

// forNode gives the imports of declarations the extensions that Node requires, and each
// file a twin for CommonJS.
func forNode(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("../../plugin/"), []byte("./plugin/")) // shared files are in each
		twin := strings.TrimSuffix(path, ".d.ts") + ".d.cts"
		for file, extension := range map[string]string{path: ".js", twin: ".cjs"} {
			if err := os.WriteFile(file, imports.ReplaceAll(text, []byte(`${1}${2}`+extension+`${3}`)), 0o644); err != nil {
				return err
			}
		}
		return nil
	})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
