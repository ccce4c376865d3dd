package goja

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/sourcemap"
)

// bundle is a program as one script with its map.
type bundle struct {
	file string // the name the script runs under
	code []byte
	// sourceMap leads from the script to the sources.
	sourceMap []byte
	warnings  []string
}

// bundleName is the file the bundle would be; it is never written.
const bundleName = "(bundle).js"

// What goja lacks is rewritten by esbuild; all else stays as its author wrote
// it, so that the profile shows that and not a translation.
var lacking = map[string]bool{
	"async-generator":      false,
	"for-await":            false,
	"dynamic-import":       false,
	"import-meta":          false,
	"decorators":           false,
	"using":                false,
	"regexp-match-indices": false,
	"regexp-set-notation":  false,
}

// Node modules that goja_nodejs brings. A package of that name wins.
var hostModules = []string{"buffer", "console", "process", "url", "util"}

// makeBundle bundles an entry file. The error is a SourceError where the
// sources are at fault.
func makeBundle(path string) (*bundle, error) {
	if err := checkEntry(path); err != nil {
		return nil, err
	}
	directory, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{absolute},
		AbsWorkingDir:     directory,
		Outfile:           bundleName,
		Bundle:            true,
		Write:             false,
		Format:            api.FormatIIFE,
		Platform:          api.PlatformBrowser,
		Target:            api.ES2022,
		Supported:         lacking,
		Charset:           api.CharsetASCII,
		Sourcemap:         api.SourceMapExternal,
		SourcesContent:    api.SourcesContentInclude,
		LogLevel:          api.LogLevelSilent,
		LegalComments:     api.LegalCommentsNone,
		IgnoreAnnotations: false,
		Loader:            map[string]api.Loader{".txt": api.LoaderText, ".md": api.LoaderText, ".html": api.LoaderText},
		Define:            map[string]string{"process.env.NODE_ENV": nodeEnv(), "global": "globalThis"},
		Plugins:           []api.Plugin{hostModulesPlugin(), mainGuardPlugin(absolute)},
	})
	if len(result.Errors) > 0 {
		return nil, &SourceError{messages: result.Errors}
	}
	b := &bundle{file: bundleName}
	for _, file := range result.OutputFiles {
		switch filepath.Ext(file.Path) { // styles that were imported have no use here
		case ".map":
			if strings.HasSuffix(file.Path, ".js.map") {
				b.sourceMap = file.Contents
			}
		case ".js":
			b.code = file.Contents
		}
	}
	for _, m := range result.Warnings {
		b.warnings = append(b.warnings, formatMessage(m))
	}
	b.sourceMap, err = namePlainly(b.sourceMap, directory)
	return b, err
}

// namePlainly gives sources outside the working directory their full path;
// those inside stay relative to it.
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

// checkEntry says in plain words what is wrong with an entry file.
func checkEntry(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file: name a JavaScript or TypeScript file to run", path)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a directory: name the file in it that starts the program", path)
	case info.Size() == 0:
		return fmt.Errorf("%s is empty: there is nothing to run", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// hostModulesPlugin leaves modules that the host brings to its require, unless
// a package of that name is installed.
func hostModulesPlugin() api.Plugin {
	type asked struct{}
	filter := `^(node:)?(` + strings.Join(hostModules, "|") + `)$`
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
					return api.OnResolveResult{Path: found.Path, Namespace: found.Namespace}, nil
				}
			}
			return api.OnResolveResult{Path: name, External: true}, nil
		})
	}}
}

// SourceError is what esbuild found wrong with the sources: a syntax error, an
// import that leads nowhere.
type SourceError struct {
	messages []api.Message
}

// Error gives each message as file:line:col: what, and the line with a caret.
func (e *SourceError) Error() string {
	shown := e.messages[:min(len(e.messages), 10)]
	texts := make([]string, 0, len(shown)+1)
	for _, m := range shown {
		texts = append(texts, formatMessage(m))
	}
	if more := len(e.messages) - len(shown); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "\n")
}
