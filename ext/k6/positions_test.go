package k6

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The check at the end of a function may come right after the end of another function
// within it, as it does in minified code. Its samples are those of the outer one.
func TestFunctionsThatEndTogether(t *testing.T) {
	const named = "function outer() { for (let i = 0; i < 3; i++) i += 0; return inner; function inner() { for (let i = 0; i < 5; i++) i += 0 }}\n"
	const unnamed = "const o = {}, all = [function () { for (let i = 0; i < 3; i++) i += 0;\n o.f = function () { for (let i = 0; i < 5; i++) i += 0 }\n}];\n"
	const head = "exports.default = function () { "
	minified := api.Transform("export default function () { all[0](); o.f() }\n"+unnamed, api.TransformOptions{
		MinifyWhitespace: true, MinifySyntax: true, Format: api.FormatESModule, Sourcemap: api.SourceMapInline, Sourcefile: "src.js",
	})
	must.Equal(t, len(minified.Errors), 0)
	for name, c := range map[string]struct {
		script string
		want   map[string]int
	}{
		"by name":       {"export default function () { outer()() }\n" + named, map[string]int{"main.js:2 outer": 4, "main.js:2 inner": 6}},
		"in one line":   {"export default function () { outer()() } " + named, map[string]int{"main.js:1 outer": 4, "main.js:1 inner": 6}},
		"of CommonJS":   {head + "outer()() }; " + named, map[string]int{"main.js:1 outer": 4, "main.js:1 inner": 6}},
		"without names": {string(minified.Code), map[string]int{"src.js:2 ": 4, "src.js:3 o.f": 6}},
	} {
		t.Run(name, func(t *testing.T) {
			folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
			must.Write(t, folder, "main.js", c.script)
			got := counted(folder, recorded(t, folder, "main.js"))
			for f, n := range c.want {
				must.Equal(t, got[f+" scenario=default vu=1"], n, f, got)
			}
		})
	}
}

// Functions without checks are on the stacks of those that have some, and profiles name both alike.
func TestCallersWithoutChecks(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	must.WriteTree(t, folder, map[string]string{
		"main.js": "import { first } from './esm.js';\nconst { second } = require('./common.js');\nimport { third } from './types.ts';\n" +
			"export default function () { first(busy); second(busy); third(busy) }\n" + loop("busy", 3),
		"esm.js":    "\nexport const first = (f) => f();",
		"common.js": "exports.second = (f) => f();",
		"types.ts":  "interface I { (): number }\n\nexport const third = (f: I) => f();",
	})
	p := recorded(t, folder, "main.js")
	at := map[string]string{}
	for i := range p.Frames.Function {
		f := p.Function(p.Frames.Function[i])
		at[f.Name] = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	must.Equal(t, at["first"], folder+"/esm.js:2")
	must.Equal(t, at["exports.second"], folder+"/common.js:1")
	must.Equal(t, at["third"], folder+"/types.ts:3")
}
