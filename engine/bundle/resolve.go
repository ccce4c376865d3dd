package bundle

import (
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// asked marks the questions of our own plugins, which none of them answers.
type asked struct{}

// ask asks esbuild where a module is.
func ask(build api.PluginBuild, args api.OnResolveArgs) api.ResolveResult {
	return build.Resolve(args.Path, api.ResolveOptions{
		Importer: args.Importer, Namespace: args.Namespace, ResolveDir: args.ResolveDir, Kind: args.Kind, With: args.With, PluginData: asked{},
	})
}

// hostModulesPlugin leaves modules that the host provides to its require, unless a
// package of the same name is installed.
func hostModulesPlugin(modules []string) api.Plugin {
	if len(modules) == 0 {
		return api.Plugin{Name: "no-host-modules", Setup: func(api.PluginBuild) {}}
	}
	filter := `^(node:)?(` + strings.Join(modules, "|") + `)$`
	return api.Plugin{Name: "host-modules", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: filter}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if _, again := args.PluginData.(asked); again {
				return api.OnResolveResult{}, nil
			}
			name := strings.TrimPrefix(args.Path, "node:")
			if name == args.Path {
				found := ask(build, args)
				if len(found.Errors) == 0 && !found.External {
					return api.OnResolveResult{}, nil // let esbuild resolve it: a package may do without it in pages
				}
			}
			return api.OnResolveResult{Path: name, External: true}, nil
		})
	}}
}
