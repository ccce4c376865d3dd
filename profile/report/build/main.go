// Build writes profile/report/dist from its sources. `go generate ./profile/report`
// runs it, in that folder.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	build("report", "src/main.ts", "style.css", false)
	build("panel", "src/live/main.ts", "src/live/panel.css", true)
}

// build bundles a script and a style sheet. LIVE says whether its data can change.
func build(name, script, style string, live bool) {
	result := api.Build(api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: script, OutputPath: name}, {InputPath: style, OutputPath: name}},
		Outdir:              "dist",
		Bundle:              true,
		Write:               true,
		Define:              map[string]string{"LIVE": strconv.FormatBool(live)},
		Format:              api.FormatIIFE,
		Target:              api.ES2022,
		TsconfigRaw:         `{"compilerOptions":{"useDefineForClassFields":false}}`, // shorter
		Charset:             api.CharsetUTF8,
		LegalComments:       api.LegalCommentsNone,
		MinifyWhitespace:    true,
		MinifySyntax:        true,
		MinifyIdentifiers:   true,
	})
	if len(result.Errors) > 0 {
		fmt.Fprintln(os.Stderr, strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
		os.Exit(1)
	}
}
