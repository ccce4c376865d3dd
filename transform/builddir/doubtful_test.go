package builddir

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Declarations that import NAME, statements that only seem to, and what may stand between them.
var (
	importing = []string{
		`import"NAME"`, `import 'NAME';`, `import a from"NAME";`, "import/*x*/*as b from\n'NAME'", `import c,{d as e,"x y"as f}from"NAME"`,
		`export*from"NAME"`, `export*as g from'NAME';`, `export*as"from"from"NAME"`, `export{h as default,i}from"NAME"with{type:"json"}`,
		`import from from"NAME";`, `import{from}from'NAME'`, "import j // from 'other'\nfrom \"NAME\"", `export{from as"import"}from"NAME"`,
	}
	seeming = []string{
		`// import x from "./NAME"`, `/* export * from './NAME' */`, "var k=`import './NAME'`", "var l=`\nimport './NAME'\n${`from './NAME'`}`", `say("import './NAME'")`,
		`var m=["from","./NAME"]`, `var n={from:"./NAME",import:'./NAME'}`, `o.from("./NAME")`, `p.from="./NAME"`, `var q=/from"NAME"/`, `r=s?import.meta:"./NAME"`,
		`import("./NAME")`, `import(/* from "./NAME" */"./NAME")`, "t`from './NAME'`", `var from;from
"./NAME"`, `class u{from="./NAME";"import"='./NAME'}`, `export var v="from './NAME'"`, `"use from './NAME'"`,
	}
	between = []string{"\n", ";\n", "\n/**/", "\r\n", "\n;\n", "\n//\n"}
)

// Text that only seems an import is told from one, whatever is around it, and reading the text alone misses none.
func TestImportsAmongWhatSeemsSo(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		var text strings.Builder
		var want []string
		for i := range 1 + random.IntN(6) {
			name := string(rune('a'+i)) + ".js"
			if random.IntN(3) == 0 {
				text.WriteString(strings.ReplaceAll(importing[random.IntN(len(importing))], "NAME", name))
				want = append(want, name)
			} else {
				text.WriteString(strings.ReplaceAll(seeming[random.IntN(len(seeming))], "NAME", name))
			}
			text.WriteString(between[random.IntN(len(between))])
		}
		src := []byte(text.String())
		names, err := jsscan.Imports(src)
		if got := namedBy(names, nil); err != nil || !slices.Equal(got.named, want) || got.odd {
			t.Fatalf("%s\nimports %q, not %q: %v", src, names, want, err)
		}
		seems := importsIn(src)
		if i := slices.IndexFunc(want, func(name string) bool { return !slices.Contains(seems.named, name) }); i >= 0 && !seems.odd {
			t.Fatalf("%s\nimports %s, which does not seem so: %q", src, want[i], seems.named)
		}
	}
}

// A parser's comments and messages, which name modules that are nowhere, do not make its module a part of a cycle.
func TestSeemingImportsMakeNoCycle(t *testing.T) {
	for text, want := range map[string]bool{
		"// export * from '...'\n":                               true,
		"var message = `import './m.js'`;":                       true,
		`import"\x2e/m.js";`:                                     false,
		`var message = "import '\x2e/m.js'"`:                     true,
		`import"./nowhere.js";`:                                  false,
		`// import "./nowhere.js"` + "\n" + `import"./m.js";`:    false,
		"// export * from '...'\nnew Worker(`import './x.js'`);": true,
		"// import '...'\nsyntax error;":                         false,
	} {
		out := memorySite(t, site{"index.html": "<script type=module src=m.js></script>", "m.js": text + "\n" + loop("f")}, Options{})
		if bindsAhead(out["m.js"]) != want {
			t.Errorf("%s: %s", text, out["m.js"])
		}
	}
}
