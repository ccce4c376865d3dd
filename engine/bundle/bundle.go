// Package bundle turns a program, which is an entry file and all that it imports (ES
// modules, CommonJS, TypeScript, JSX, packages), into one script with a source map, by
// means of esbuild.
package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/sourcemap"
)

// Bundle is a program as one script with its source map.
type Bundle struct {
	Code []byte
	// Module says that the script is an ES module, because it has a top-level await;
	// otherwise it is a classic script or, for Node, a CommonJS module.
	Module bool
	// SourceMap maps the script to the sources: by a path relative to the working
	// directory, or by the full path if they are outside of it.
	SourceMap []byte
	Warnings  []string
}

// Target says what the script is made for.
type Target struct {
	Engine string // its name in messages
	// Node: the script runs in Node, with Node's own modules.
	Node bool
	// HostModules are modules of Node that another engine provides to require. A
	// package of the same name has priority.
	HostModules []string
	// Lacks lists syntax (by esbuild's names) that must be rewritten. Everything else
	// stays as its author wrote it, so that the profile shows the code and not a
	// translation of it.
	Lacks []string
	// Await: a top-level await makes the program an ES module. If it is false, one is
	// an error.
	Await bool
	// Define replaces global names by expressions, as esbuild does.
	Define map[string]string
}

// name is the bundle's file name; no such file is written.
const name = "(bundle).js"

// Make bundles an entry file. The error is a SourceError if the sources are at fault.
func Make(path string, target Target) (*Bundle, error) {
	if err := checkEntry(path); err != nil {
		return nil, err
	}
	directory, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	directory = withoutLinks(directory)
	entry, err := Entry(path)
	if err != nil {
		return nil, err
	}
	options := target.options(directory, entry)
	result := api.Build(options)
	module := target.Await && awaitsAtTop(result.Errors)
	if module {
		options.Format = api.FormatESModule
		if target.Node {
			options.Banner = map[string]string{"js": requireBanner(entry)}
		}
		result = api.Build(options)
	} else if len(result.Errors) == 0 && isStrict(result.Metafile) {
		options.Banner = map[string]string{"js": `"use strict";`}
		result = api.Build(options)
	}
	if len(result.Errors) > 0 {
		return nil, &SourceError{messages: result.Errors, target: &target}
	}
	b := &Bundle{Module: module}
	for _, file := range result.OutputFiles {
		switch filepath.Ext(file.Path) { // imported styles are of no use here
		case ".map":
			if strings.HasSuffix(file.Path, ".js.map") {
				b.SourceMap = file.Contents
			}
		case ".js":
			b.Code = file.Contents
		}
	}
	for _, m := range result.Warnings {
		b.Warnings = append(b.Warnings, formatMessage(m, &target))
	}
	if b.Code, err = restoreClassNames(b.Code, b.SourceMap); err != nil {
		return nil, err
	}
	b.SourceMap, err = namePlainly(b.SourceMap, directory)
	return b, err
}

// Entry is the absolute path of an entry file without symbolic links: what esbuild and Node
// call it.
func Entry(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	return withoutLinks(absolute), err
}

// withoutLinks resolves the symbolic links in a path, as esbuild does in all its paths. One
// that cannot be resolved stays as it is, there too.
func withoutLinks(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}

// options returns esbuild's options for an entry file.
func (t *Target) options(directory, entry string) api.BuildOptions {
	options := api.BuildOptions{
		EntryPoints:   []string{entry},
		AbsWorkingDir: directory,
		Outfile:       name,
		Bundle:        true,
		Write:         false,
		Format:        api.FormatIIFE,
		Platform:      api.PlatformBrowser,
		Target:        api.ES2022,
		Supported:     map[string]bool{"decorators": false, "using": false},
		Charset:       api.CharsetASCII,
		Sourcemap:     api.SourceMapExternal,
		Metafile:      true,
		// Errors are shown with their line.
		SourcesContent:    api.SourcesContentInclude,
		LogLevel:          api.LogLevelSilent,
		LegalComments:     api.LegalCommentsNone,
		IgnoreAnnotations: false,
		Loader:            map[string]api.Loader{".txt": api.LoaderText, ".md": api.LoaderText, ".html": api.LoaderText},
		Define:            map[string]string{"process.env.NODE_ENV": nodeEnv(), "global": "globalThis"},
		Plugins:           []api.Plugin{mainGuardPlugin(entry)},
	}
	for _, syntax := range t.Lacks {
		options.Supported[syntax] = false
	}
	if t.Node {
		options.Format, options.Platform, options.Target = api.FormatCommonJS, api.PlatformNode, api.ESNext
		options.Define = map[string]string{}
		options.Plugins = append(options.Plugins, addonsPlugin())
	} else {
		options.Plugins = append(options.Plugins, hostModulesPlugin(t.HostModules))
	}
	maps.Copy(options.Define, t.Define)
	return options
}

// isStrict reports whether a bundle has ES modules alone, whose code is strict. In one that has other scripts as well, whose code
// may not be, all of it is sloppy.
func isStrict(metafile string) bool {
	var meta struct {
		Inputs map[string]struct{ Format string }
	}
	if json.Unmarshal([]byte(metafile), &meta) != nil {
		return false
	}
	modules := 0
	for path, input := range meta.Inputs {
		switch {
		case input.Format == "esm":
			modules++
		case slices.Contains(programs, filepath.Ext(path)):
			return false
		}
	}
	return modules > 0
}

// awaitsAtTop reports whether all errors are about top-level awaits.
func awaitsAtTop(messages []api.Message) bool {
	for _, m := range messages {
		if !strings.HasPrefix(m.Text, topLevelAwait) {
			return false
		}
	}
	return len(messages) > 0
}

// requireBanner gives an ES module in Node what bundled CommonJS needs.
func requireBanner(entry string) string {
	return fmt.Sprintf("import{createRequire as $createRequire}from'node:module';const require=$createRequire(%q);", entry)
}

// namePlainly names sources outside the working directory by their full path; those
// inside stay relative to it.
func namePlainly(sourceMap []byte, directory string) ([]byte, error) {
	if !bytes.Contains(sourceMap, []byte(`"../`)) {
		return sourceMap, nil
	}
	m, err := sourcemap.Parse(sourceMap)
	if err != nil {
		return nil, err
	}
	for i, source := range m.Sources {
		if strings.HasPrefix(source, "../") {
			m.Sources[i] = filepath.ToSlash(filepath.Join(directory, filepath.FromSlash(source)))
		}
	}
	return m.Encode()
}

func nodeEnv() string {
	if env := os.Getenv("NODE_ENV"); env != "" {
		return fmt.Sprintf("%q", env)
	}
	return `"production"`
}

// programs are the extensions of files that a program can start with. Of others that can be
// imported, such as .json and .html, nothing would run.
var programs = []string{"", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}

// checkEntry says in plain language what is wrong with an entry file.
func checkEntry(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file: name a JavaScript or TypeScript file to run", path)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: name the file in it that starts the program", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is a pipe or a device: name a file", path)
	case info.Size() == 0:
		return fmt.Errorf("%s is empty: there is nothing to run", path)
	case !slices.Contains(programs, filepath.Ext(path)):
		return fmt.Errorf("%s is no program, by its name: name a JavaScript or TypeScript file to run (%s)", path, strings.Join(programs[1:], ", "))
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// hostModulesPlugin leaves modules that the host provides to its require, unless a
// package of the same name is installed.
func hostModulesPlugin(modules []string) api.Plugin {
	if len(modules) == 0 {
		return api.Plugin{Name: "no-host-modules", Setup: func(api.PluginBuild) {}}
	}
	type asked struct{}
	filter := `^(node:)?(` + strings.Join(modules, "|") + `)$`
	return api.Plugin{Name: "host-modules", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: filter}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if _, again := args.PluginData.(asked); again {
				return api.OnResolveResult{}, nil
			}
			name := strings.TrimPrefix(args.Path, "node:")
			if name == args.Path {
				found := build.Resolve(name, api.ResolveOptions{
					Importer: args.Importer, ResolveDir: args.ResolveDir, Kind: args.Kind, PluginData: asked{},
				})
				if len(found.Errors) == 0 && !found.External {
					return api.OnResolveResult{}, nil // let esbuild resolve it: a package may do without it in pages
				}
			}
			return api.OnResolveResult{Path: name, External: true}, nil
		})
	}}
}

// addonsPlugin leaves addons, which are not JavaScript, to Node's require.
func addonsPlugin() api.Plugin {
	return api.Plugin{Name: "addons", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `\.node$`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			path := args.Path
			if strings.HasPrefix(path, ".") {
				path = filepath.Join(args.ResolveDir, filepath.FromSlash(path))
			}
			return api.OnResolveResult{Path: path, External: true}, nil
		})
	}}
}

// SourceError reports what is wrong with the sources: a syntax error, or an import that
// cannot be resolved.
type SourceError struct {
	messages []api.Message
	target   *Target
}

// Error formats each message as file:line:col: text, and the line with a caret.
func (e *SourceError) Error() string {
	shown := e.messages[:min(len(e.messages), 10)]
	texts := make([]string, 0, len(shown)+1)
	for _, m := range shown {
		texts = append(texts, formatMessage(m, e.target))
	}
	if more := len(e.messages) - len(shown); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "\n")
}
