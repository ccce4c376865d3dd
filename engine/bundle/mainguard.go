package bundle

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// mainGuard is how a program asks whether it is the entry file: in CommonJS, whose idiom
// TypeScript has, too, and in ES modules.
var mainGuard = regexp.MustCompile(`\b(?:require\.main\s*[!=]==?\s*module|module\s*[!=]==?\s*require\.main|import\.meta\.main)\b`)

// mainGuardPlugin makes that true in the entry file of a bundle, which has neither
// require.main nor import.meta.main, and only there: a package's own guard stays false. The
// replacement has the same length and lines, so positions stay.
func mainGuardPlugin(entry string) api.Plugin {
	return api.Plugin{Name: "main-guard", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$|[/\\][^./\\]+$`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			if args.Path != entry {
				return api.OnLoadResult{}, nil
			}
			source, err := os.ReadFile(entry)
			if err != nil || !mainGuard.Match(source) {
				return api.OnLoadResult{}, nil // esbuild loads the file, and reports errors
			}
			contents := string(mainGuard.ReplaceAllFunc(source, answer))
			return api.OnLoadResult{Contents: &contents, ResolveDir: filepath.Dir(entry), Loader: api.LoaderDefault}, nil
		})
	}}
}

// answer is what a guard in the entry file is, in its length and with its line breaks.
func answer(guard []byte) []byte {
	is := "true"
	if bytes.Contains(guard, []byte("!=")) {
		is = "false"
	}
	rest := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}, string(guard[len(is):]))
	return append([]byte(is), rest...)
}
