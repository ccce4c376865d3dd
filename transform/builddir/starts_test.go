package builddir

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Every form of a worker's URL, with every form of its options, between every kind of
// neighbours: the call's own arguments say how it starts, and nothing around them.
func TestStartsAreReadFromTheCallAlone(t *testing.T) {
	urls := []string{
		`"w.js"`, `'w.js'`, "`w.js`", `/* , {type:"module"} */ "w.js"`, `new URL("w.js",import.meta.url)`, `new URL("w.js", "https://x.example/{type:'module'}/b.js")`,
		`""+new URL("w.js",import.meta.url).href`, "new URL(`w.js`,``+import.meta.url)", `base+"w.js"`, `a.b("x,y)").c/2+"w.js"`, `("w.js")`, "`${f({type:`module`})}`+\"w.js\"",
		"\"w.js\" // , {type:\"module\"}\n", `/[/,)"]/.test(x)?y:"w.js"`,
	}
	const modules, classics, either = "modules", "classics", "either"
	options := map[string]string{
		``: classics, `,`: classics, `,undefined`: classics, `,{}`: classics, `,{name:"module"}`: classics, `,{name:"type:'module'"}`: classics, `,"name"`: classics,
		`,{type:"classic"}`: classics, `,{name:f({type:"module"})}`: either, `,{name:{type:"module"}}`: either, `,{/*type:"module"*/}`: classics, `,{credentials:"omit",name:"x"}`: classics,
		`,options`: either, `,f("module")`: either, `,{type:a?"module":"classic"}`: either, `,{type:void 0}`: either, `,{...o}`: either, `,{subtype:"module"}`: classics, `,{type:"module"+x}`: either,
		`,f({type:"module"})`: either, `,[{type:"module"}]`: either, `,{type:kind}`: either, `,{type}`: either, `,{["type"]:k}`: either,
		`,{type:"module"}`: modules, `,{type:'module'}`: modules, ",{type:`module`}": modules, `,{"type":"module"}`: modules, `,{["type"]:"module"}`: modules, `, { name : "x.y" , type : "module" } `: modules,
		`,{name:e?.name,type:"module"}`: modules, `,{type:"module",...o}`: modules, `,{...o,type:"module"}`: modules, `,{...{type:"module"}}`: modules, `,({type:"module"})`: modules,
		`,Object.assign({type:"module"},o)`: modules, `,o||{type:"module"}`: modules, `,{name:f(a,b),/*,*/type:"module",}`: modules, `,{name:"a)",type:"module"},`: modules,
	}
	neighbours := []struct{ before, behind string }{
		{"", ""}, {"x=", ",s=Object.assign(z,{type:\"module\"})"}, {`f({type:"module"}),`, ";"}, {"", `.onmessage=f({type:"module"})`}, {"[", `,{type:"module"}]`}, {"f(", `,{type:"module"})`},
		{`new Worker("o.js"),`, `,new Worker("p.js",{type:"module"})`}, {"`${", "}`+{type:'module'}"},
	}
	for _, name := range []string{"Worker", "SharedWorker"} {
		for _, u := range urls {
			for o, want := range options {
				for _, n := range neighbours {
					src := n.before + "new " + name + "(" + u + o + ")" + n.behind
					s := startsOf([]byte(src))
					for kind, found := range map[string][]string{modules: s.modules, classics: s.classics, either: s.either} {
						if slices.Contains(found, "w.js") != (kind == want) {
							t.Errorf("%s\nstarts modules %q, classic scripts %q, either %q; want it among the %s", src, s.modules, s.classics, s.either, want)
						}
					}
					if t.Failed() && testing.Short() {
						return
					}
				}
			}
		}
	}
}

// Calls that are cut off or make no sense start nothing, whatever their length.
func TestStartsOfOddCalls(t *testing.T) {
	for _, src := range []string{`new Worker("w.js"`, `new Worker("w.js",{`, `new Worker("w.js"]`, `new Worker("w.js`, "new Worker(`w.js${", `new Worker(/w.js`, `new Worker(")")`, "new Worker('w.js'\n,{(})"} {
		if s := startsOf([]byte(src)); len(s.modules)+len(s.classics)+len(s.either) > 0 {
			t.Errorf("%s starts %+v", src, s)
		}
	}
	many := strings.Repeat("Worker(", 20_000)
	if s := startsOf([]byte(many)); len(s.either) > 0 {
		t.Errorf("%d started", len(s.either))
	}
}

// A worker that is started both ways says itself what it is; with neither import nor
// export it is a script, which runs in both.
func TestWorkersStartedBothWays(t *testing.T) {
	for i, call := range []string{`new Worker("w.js"),s=Object.assign(t,{type:"module"})`, `new Worker("w.js");new Worker("w.js",{type:"module"})`} {
		in := site{"a.js": call, "w.js": loop("w"), "index.html": "<script src=a.js></script>"}
		if out := memorySite(t, in, Options{}); strings.Contains(out["w.js"], "import{") || !strings.Contains(out["w.js"], "importScripts(") {
			t.Error(fmt.Sprint(i), out["w.js"])
		}
	}
}
