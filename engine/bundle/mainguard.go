package bundle

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// mainGuard is how a program asks whether it is the entry file: in CommonJS, whose idiom
// TypeScript has, too, and in ES modules.
var mainGuard = regexp.MustCompile(`\b(?:require\.main\s*[!=]==?\s*module|module\s*[!=]==?\s*require\.main|import\.meta\.main)\b`)

// moduleParent is how a CommonJS module asks who requires it: nobody, if it is the entry file. It may be assigned to.
var moduleParent = regexp.MustCompile(`\bmodule\.parent\b(?:\s*=[^=>])?`)

// withParent says who that is, in a source.
func withParent(source []byte, is string) []byte {
	return moduleParent.ReplaceAllFunc(source, func(asked []byte) []byte {
		if len(asked) > len("module.parent") {
			return asked
		}
		return fmt.Appendf(nil, "%-*s", len(asked), is)
	})
}

// mainGuardPlugin makes that true in the entry file of a bundle, which has neither
// require.main nor import.meta.main, and only there: a package's own guard stays false. And it gives
// CommonJS modules that CommonJS requires a parent. The replacement has the same length and lines, so positions stay.
func mainGuardPlugin(entry string) api.Plugin {
	return api.Plugin{Name: "main-guard", Setup: func(build api.PluginBuild) {
		imported := false // the entry file imports, and what it imports has no parent
		build.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$|[/\\][^./\\]+$`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			source, err := os.ReadFile(args.Path)
			if err != nil {
				return api.OnLoadResult{}, nil // esbuild loads the file, and reports errors
			}
			changed := source
			if args.Path == entry {
				imported = isModule.Match(source)
				changed = withParent(mainGuard.ReplaceAllFunc(source, answer), "null")
			} else if !imported {
				changed = withParent(source, "module")
			}
			if bytes.Equal(changed, source) {
				return api.OnLoadResult{}, nil
			}
			contents := string(changed)
			return api.OnLoadResult{Contents: &contents, ResolveDir: filepath.Dir(args.Path), Loader: api.LoaderDefault}, nil
		})
	}}
}

// isModule finds the syntax of an ES module.
var isModule = regexp.MustCompile(`(?m)^\s*(?:import\b\s*[^\s(.]|export\b)`)

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
