package bundle

import (
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// maker bundles a program. A program that runs may have what esbuild refuses: so it is built until there is nothing more to
// learn.
type maker struct {
	target           *Target
	directory, entry string

	awaits    bool // at its top: it becomes an ES module
	constants assignments
	complete  bool // modules that are imported must be there
}

func (m *maker) build() api.BuildResult {
	for {
		result := api.Build(m.options())
		if !m.learn(&result) {
			return result
		}
	}
}

// learn reports whether the next build would be another.
func (m *maker) learn(result *api.BuildResult) bool {
	switch {
	case len(result.Errors) == 0:
	case !m.awaits && m.target.Await && awaitsAtTop(result.Errors):
		m.awaits = true
		return true
	default:
		return m.constants.learn(result.Errors, m.directory)
	}
	if !m.complete && readMetafile(result.Metafile).importsAbsent() {
		m.complete = true
		return true
	}
	return false
}

// options are esbuild's.
func (m *maker) options() api.BuildOptions {
	options := api.BuildOptions{
		EntryPoints:   []string{m.entry},
		AbsWorkingDir: m.directory,
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
		SourcesContent: api.SourcesContentInclude,
		LogLevel:       api.LogLevelSilent,
		LegalComments:  api.LegalCommentsNone,
		// Packages say for bundlers that they have no effects. Node runs all that is imported.
		IgnoreAnnotations: m.target.Node,
		Loader:            map[string]api.Loader{".txt": api.LoaderText, ".md": api.LoaderText, ".html": api.LoaderText},
		Define:            map[string]string{"process.env.NODE_ENV": nodeEnv(), "global": "globalThis"},
		Plugins:           []api.Plugin{sourcesPlugin(m.entry, m.constants)},
	}
	for _, syntax := range m.target.Lacks {
		options.Supported[syntax] = false
	}
	if m.target.Node {
		options.Format, options.Platform, options.Target = api.FormatCommonJS, api.PlatformNode, api.ESNext
		options.Define = map[string]string{"import.meta": metaName, "__filename": quote(m.entry), "__dirname": quote(filepath.Dir(m.entry))}
		options.Conditions, options.ResolveExtensions = conditions, extensions(m.entry)
	} else {
		options.Plugins = append(options.Plugins, hostModulesPlugin(m.target.HostModules))
	}
	if m.awaits {
		options.Format = api.FormatESModule
	}
	options.Plugins = append(options.Plugins, m.absentPlugin())
	return options
}

// conditions are those of packages' exports that Node has besides those that esbuild knows of. The oldest versions of Node 20 lack
// the second, with which a package gives them the same module in two ways.
var conditions = []string{"node-addons", "module-sync"}

// extensions are tried in order for a module that is named without one: first Node's. The author of a program in TypeScript means
// that, even beside files that were compiled from it.
func extensions(entry string) []string {
	switch filepath.Ext(entry) {
	case ".ts", ".mts", ".cts", ".tsx":
		return []string{".tsx", ".ts", ".jsx", ".js", ".json", ".node", ".css"}
	}
	return []string{".js", ".json", ".node", ".tsx", ".ts", ".jsx", ".css"}
}
