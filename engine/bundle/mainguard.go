package bundle

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"

	"github.com/evanw/esbuild/pkg/api"
)

// mainGuard is how a CommonJS program asks whether it is the entry file.
var mainGuard = regexp.MustCompile(`\brequire\.main(\s*===?\s*module\b)`)

// mainGuardPlugin makes that true in the entry file of a bundle, which has no
// require.main, and only there: a package's own guard stays false. The replacement has
// the same length, so positions stay.
func mainGuardPlugin(entry string) api.Plugin {
	return api.Plugin{Name: "main-guard", Setup: func(build api.PluginBuild) {
		if extension := filepath.Ext(entry); extension != ".js" && extension != ".cjs" {
			return
		}
		build.OnLoad(api.OnLoadOptions{Filter: "^" + regexp.QuoteMeta(entry) + "$"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			source, err := os.ReadFile(entry)
			if err != nil || !bytes.Contains(source, []byte("require.main")) {
				return api.OnLoadResult{}, nil // esbuild loads the file, and reports errors
			}
			contents := string(mainGuard.ReplaceAll(source, []byte("module      $1")))
			return api.OnLoadResult{Contents: &contents, ResolveDir: filepath.Dir(entry), Loader: api.LoaderJS}, nil
		})
	}}
}
