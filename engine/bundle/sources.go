package bundle

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// sourcesPlugin has esbuild read what we make of files: of the entry, and of those that assign to constants.
func sourcesPlugin(entry string, constants assignments) api.Plugin {
	return api.Plugin{Name: "sources", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$|[/\\][^./\\]+$`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			if args.Path != entry && constants[args.Path] == nil {
				return api.OnLoadResult{}, nil
			}
			source, err := os.ReadFile(args.Path)
			if err != nil {
				return api.OnLoadResult{}, nil // esbuild loads the file, and reports errors
			}
			text := source
			if args.Path == entry {
				text = answerGuards(source)
			}
			text = constants[args.Path].edited(text)
			if bytes.Equal(text, source) {
				return api.OnLoadResult{}, nil
			}
			contents := string(text)
			return api.OnLoadResult{Contents: &contents, ResolveDir: filepath.Dir(args.Path), Loader: api.LoaderDefault}, nil
		})
	}}
}
