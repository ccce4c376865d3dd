package transform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// exporting are texts that define an export, in all places where white space and comments may stand.
// ~ is such a place.
func exporting() []string {
	return []string{
		"Object~.~defineProperty(~exports~,~'answer'~,~{~enumerable~:~true~,~get~:~function~()~{~return y.a;~}~}~)~;",
		"Object.defineProperty(~module~.~exports~,~\"answer\",~{~enumerable:~true,~get~(~)~{~return y.a~}~})",
		"Object.keys(y).forEach(function (k) { y[k] = y[k] }); Object.defineProperty(exports,~'a'~,~{enumerable:true,~get:~function ()~{~return exports.b || y.a}})",
		"Object.defineProperty(exports,~'a)('~,~{enumerable:true,~get:~function ()~{~return y.a}})",
		"Object.defineProperty(exports,~'Object.keys('~,~{enumerable:true,~get:~function ()~{~return y.a}})",
		"Object.defineProperty(exports,~'" + strings.Repeat("long", 100) + "',~{enumerable:true,get:~function()~{return y.a}})",
		"Object~.keys(y)~.forEach(~function~(k)~{~if (k !== 'default' && !exports.hasOwnProperty(k)) exports[k] = y[k];~}~)",
		"Object.keys(y)~.~forEach(function (k) {~if (k === 'default' || k === '__esModule') return; exports[k] = y[k];~})",
	}
}

// Node's lexer finds the same exports in CommonJS modules as in their sources, which imports by name depend on.
func TestNodeFindsTheSameExports(t *testing.T) {
	must.Have(t, "node")
	folder := t.TempDir()
	must.Write(t, folder, "y.cjs", "exports.a = 1; exports.b = 2")
	var names []string
	for _, text := range exporting() {
		places := strings.Count(text, "~")
		for _, space := range []string{"", " ", "\n  ", "\t", "/* :) */", "/**/ ", "// get(\n"} {
			for at := -1; at < places; at++ { // everywhere, or in one place
				if at >= 0 && space == "" {
					continue
				}
				parts := strings.Split(text, "~")
				source := parts[0]
				for i, part := range parts[1:] {
					if at < 0 || i == at {
						source += space
					}
					source += part
				}
				name := fmt.Sprint("m", len(names))
				names = append(names, name)
				source = "var y = require('./y.cjs'); function loops(n) { while (n--); }\n" + source + "\n"
				result := must.Get(Transform([]byte(source), Options{
					Selection: Selection{Preset: Precise, MinStatements: 1}, Goal: FunctionBody, Require: "./none.cjs",
				}))(t)
				must.Write(t, folder, name+".cjs", source)
				must.Write(t, folder, name+"p.cjs", string(result.Code))
			}
		}
	}
	must.Write(t, folder, "main.mjs", `
import { readFileSync } from 'node:fs';
for (const name of JSON.parse(readFileSync('names.json'))) {
	const [clean, profiled] = await Promise.all([name, name + 'p'].map(async (file) => Object.keys(await import('./' + file + '.cjs')).join()));
	if (clean !== profiled) console.log(name, clean, 'but with checks', profiled);
}`)
	must.Write(t, folder, "names.json", `["`+strings.Join(names, `","`)+`"]`)
	for line := range strings.Lines(must.Run(t, folder, "node", "main.mjs")) {
		name, _, _ := strings.Cut(line, " ")
		t.Errorf("%s%s", line, must.Get(os.ReadFile(filepath.Join(folder, name+"p.cjs")))(t))
	}
}
