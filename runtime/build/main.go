// Build writes runtime/dist from runtime/src. `go generate ./runtime` runs it,
// in the folder runtime.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// The coordinator's worker goes into its realm's script as text, so that a page needs no
// file for it, and into dist for pages whose policy requires one.
const (
	workerEntry = "src/clock/coordinator.worker.ts"
	workerText  = "src/clock/coordinator.text.ts"
)

// outputs are the files of dist, and the runners next to it. The module form has two names,
// since a server may know only one of them as JavaScript.
var outputs = []struct {
	file, entry string
	format      api.Format
}{
	{"runtime.js", "src/entry/runtime.ts", api.FormatIIFE},
	{"module.js", "src/entry/module.ts", api.FormatESModule},
	{"checks.js", "src/entry/checks.ts", api.FormatESModule},
	{"checks.mjs", "src/entry/checks.ts", api.FormatESModule},
	{"checks.cjs", "src/entry/checks.ts", api.FormatCommonJS},
	{"performance.js", "src/entry/performance.ts", api.FormatESModule},
	{"trace.js", "src/entry/trace.ts", api.FormatESModule},
	{"coordinator.js", workerEntry, api.FormatIIFE},
	{"../additions/policy.js", "src/entry/policy.ts", api.FormatIIFE},
	{"../additions/workers.js", "src/entry/workers.ts", api.FormatIIFE},
	{"../runners/node.cjs", "src/run/node.ts", api.FormatCommonJS},
	{"../runners/page.js", "src/run/page.ts", api.FormatIIFE},
	{"../runners/console.cjs", "src/run/console.ts", api.FormatCommonJS},
	{"mozilla.js", "src/entry/mozilla.ts", api.FormatESModule},
	{"send.js", "src/entry/send.ts", api.FormatESModule},
	{"interactions.js", "src/entry/interactions.ts", api.FormatESModule},
	{"live.js", "src/entry/live.ts", api.FormatIIFE},
	{"../counting/counting.js", "src/entry/counting.ts", api.FormatIIFE},
	{"../goja/mozilla.js", "src/mozilla/goja.ts", api.FormatCommonJS},
}

func main() {
	if err := embedWorker(); err != nil {
		fail(workerText, err)
	}
	for _, o := range outputs {
		var globals []string
		if slices.Contains(laterScripts, o.file) {
			globals = []string{"src/core/globals.ts"}
		}
		script, err := build(o.entry, o.format, globals...)
		if o.format == api.FormatIIFE && o.file != "coordinator.js" && o.file != "../runners/page.js" {
			script = contained(script)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join("dist", o.file), script, 0o644)
		}
		if err != nil {
			fail(o.file, err)
		}
	}
}

// laterScripts may be loaded after scripts of the page, which have taken names for themselves.
var laterScripts = []string{"trace.js", "send.js", "interactions.js", "performance.js"}

// contained keeps a script's errors from the page, which may have replaced or frozen
// globals.
func contained(script []byte) []byte {
	return fmt.Appendf(nil, "try{%s}catch{}\n", bytes.TrimRight(script, ";\n"))
}

func fail(file string, err error) {
	fmt.Fprintf(os.Stderr, "building %s: %v\n", file, err)
	os.Exit(1)
}

// embedWorker writes the worker's text as a module, if it has changed: the file is a source
// of the others.
func embedWorker() error {
	script, err := build(workerEntry, api.FormatIIFE)
	if err != nil {
		return err
	}
	quoted, err := json.Marshal(strings.TrimSpace(string(script)))
	if err != nil {
		return err
	}
	text := fmt.Sprintf("// Written by go generate from %s.\nexport const source = %s;\n", filepath.Base(workerEntry), quoted)
	if old, err := os.ReadFile(workerText); err == nil && string(old) == text {
		return nil
	}
	return os.WriteFile(workerText, []byte(text), 0o644)
}

// build bundles one entry. Where a free name in the bundle is an export of one of the files in globals,
// it refers to that export.
func build(entry string, format api.Format, globals ...string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Inject:            globals,
		Format:            format,
		Target:            api.ES2020,
		Platform:          api.PlatformBrowser,
		External:          []string{"node:*", "./interactions.js"}, // send.js loads its neighbour
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		TsconfigRaw:       `{"compilerOptions":{"useDefineForClassFields":false}}`, // shorter
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("%s", strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return result.OutputFiles[0].Contents, nil
}
