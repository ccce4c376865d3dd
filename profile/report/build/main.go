// Build writes profile/report/dist from its sources. `go generate ./profile/report`
// runs it, in that folder.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	result := api.Build(api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "src/main.ts", OutputPath: "report"}, {InputPath: "style.css", OutputPath: "report"},
			{InputPath: "src/live/main.ts", OutputPath: "panel"}, {InputPath: "src/live/panel.css", OutputPath: "panel"},
		},
		Outdir:            "dist",
		Bundle:            true,
		Write:             true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		TsconfigRaw:       `{"compilerOptions":{"useDefineForClassFields":false}}`, // shorter
		LegalComments:     api.LegalCommentsNone,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
	})
	if len(result.Errors) > 0 {
		fmt.Fprintln(os.Stderr, strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
		os.Exit(1)
	}
}
