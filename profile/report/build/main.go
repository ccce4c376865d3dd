// Build bundles a script and a style sheet into a dist folder: for reports and panels in
// profile/report, and for the dashboard in collect/ui. `go generate` runs it in their folders.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	live := flag.Bool("live", false, "whether the data of the page can change: LIVE in its script")
	flag.Parse()
	if flag.NArg() != 3 {
		fmt.Fprintln(os.Stderr, "usage: build [-live] NAME SCRIPT STYLE")
		os.Exit(2)
	}
	build(flag.Arg(0), flag.Arg(1), flag.Arg(2), *live)
}

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
