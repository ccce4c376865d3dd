// Build writes runtime/dist from runtime/src. `go generate ./runtime` runs it,
// in the folder runtime.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// outputs are the files of dist. The module form comes under two names, since
// a server may know only one of them as JavaScript.
var outputs = []struct {
	file, entry string
	format      api.Format
}{
	{"runtime.js", "src/runtime.ts", api.FormatIIFE},
	{"checks.js", "src/checks.ts", api.FormatESModule},
	{"checks.mjs", "src/checks.ts", api.FormatESModule},
	{"checks.cjs", "src/checks.ts", api.FormatCommonJS},
	{"../goja/mozilla.js", "src/mozilla/goja.ts", api.FormatCommonJS},
}

func main() {
	for _, o := range outputs {
		if err := build(o.file, o.entry, o.format); err != nil {
			fmt.Fprintf(os.Stderr, "building %s: %v\n", o.file, err)
			os.Exit(1)
		}
	}
}

func build(file, entry string, format api.Format) error {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Format:            format,
		Target:            api.ES2017,
		Platform:          api.PlatformBrowser,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s", strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return os.WriteFile(filepath.Join("dist", file), result.OutputFiles[0].Contents, 0o644)
}
