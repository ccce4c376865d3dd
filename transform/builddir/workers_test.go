package builddir

import (
	"reflect"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestStartsOf(t *testing.T) {
	for src, want := range map[string]starts{
		"new Worker(new URL(`/app/assets/worker-1.js`,``+import.meta.url),{type:`module`})":           {modules: []string{"/app/assets/worker-1.js"}},
		`new SharedWorker(new URL("./shared.mjs", import.meta.url), { name: "x.y", type: 'module' })`: {modules: []string{"./shared.mjs"}},
		`navigator.serviceWorker.register("./sw.js?v=1",{type:"module",scope:"/"})`:                   {modules: []string{"./sw.js?v=1"}},
		`new Worker("a.js",{"type":"module"});new Worker("b.js");f({type:"module"})`:                  {modules: []string{"a.js"}, classics: []string{"b.js"}},
		`new Worker(new URL(n.p+n.u(7),n.b),{type:void 0})`:                                           {},
		`new Worker("` + strings.Repeat("x", startReach) + `.js",{type:"module"})`:                    {},
		`Worker(`:                                          {},
		"new Worker('w.js').onmessage=f":                   {classics: []string{"w.js"}},
		`new Worker(url, "x.js")`:                          {},
		`new Worker(url);load("x.js")`:                     {},
		`new SharedWorker(new URL("/s.js?v=2", location))`: {classics: []string{"/s.js?v=2"}},
		`navigator.serviceWorker.register("sw.js")`:        {},
	} {
		if got := startsOf([]byte(src)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s starts %q, want %q", src, got, want)
		}
	}
}

// A worker says nothing of how it is started; an import is in those that
// are modules, and only there.
func TestWorkersLoadTheRuntimeAsTheyCan(t *testing.T) {
	in := site{
		"index.html": `<script src="js/app.js"></script><script>new Worker("js/inline.js",{type:"module"})</script>` +
			`<script src="js/both.js"></script>`,
		"js/app.js": `new Worker(new URL("m.js",import.meta.url),{type:"module"});new Worker("c.js");` +
			`new Worker("/deployed/js/root.js",{type:"module"});new Worker("js/both.js",{type:"module"});` +
			`new Worker("bare.js");new Worker("baremodule.js",{type:"module"});` + loop("app"),
		"js/bare.js": "postMessage(1)", "js/baremodule.js": "postMessage(2)",
		"js/m.js": loop("m"), "js/c.js": loop("c"), "js/root.js": loop("root"), "js/inline.js": loop("inline"), "js/both.js": loop("both"),
		"js/common.js": "exports.x=" + loop("common"), "js/always.mjs": loop("always"), "node.cjs": "exports.x=" + loop("node"), "module.cjs": "export default 1;" + loop("m"), "umd.cjs": "(typeof exports == \"object\" && exports || this).x = " + loop("umd"),
	}
	out, _ := in.instrument(t, Options{})
	for p, want := range map[string]string{
		"js/m.js":          `import"../fieldprof/runtime.js";const{flag:$f=[0,0]}=globalThis.__fieldprof||0;`,
		"js/root.js":       `"../fieldprof/runtime.js"`,
		"js/inline.js":     `"../fieldprof/runtime.js"`,
		"js/always.mjs":    `const{flag:$f=[0,0]}=globalThis.__fieldprof||0;function`,
		"js/bare.js":       `var{}=globalThis.__fieldprof||(()=>{try{return globalThis.importScripts&&(importScripts("../fieldprof/runtime.js"),__fieldprof)}catch{}})()||0;postMessage(1)`,
		"js/baremodule.js": `import"../fieldprof/runtime.js";postMessage(2)`,
		"js/c.js":          `importScripts("../fieldprof/runtime.js")`,
		"js/both.js":       `var _$f,{}=_$f&&_$f.c||(_$f=(globalThis.__fieldprof||0).flag||[0,0]);`,
		"js/common.js":     `globalThis.importScripts?importScripts("../fieldprof/runtime.js")||__fieldprof:require("../fieldprof/checks.cjs")`,
		"node.cjs":         `const{flag:$f=[0,0]}=globalThis.__fieldprof||(()=>{try{return require("./fieldprof/checks.cjs")}catch{}})()||0;`,
		"module.cjs":       `import"./fieldprof/checks.js";const{flag:`,
		"umd.cjs":          `var _$f,{}=_$f&&_$f.c||(_$f=(globalThis.__fieldprof||(()=>{try{return require("./fieldprof/checks.cjs")}catch{}})()||0).flag||[0,0]);`,
	} {
		must.Contain(t, p, out[p], want)
	}
}

// Browsers without modules could not read the checks.
func TestScriptsForOldBrowsersStay(t *testing.T) {
	in := site{
		"index.html": `<script type="module" src="new.js"></script><script nomodule src="polyfills.js"></script><script nomodule>` + loop("inline") + `</script>`,
		"new.js":     loop("fresh"), "polyfills.js": loop("polyfills"), "lazy-legacy.js": "System.register([], function () {" + loop("lazy") + "});", "lazy.js": loop("lazy"),
	}
	out, _ := in.instrument(t, Options{})
	for _, p := range []string{"polyfills.js", "lazy-legacy.js"} {
		if out[p] != in[p] {
			t.Errorf("%s changed: %s", p, out[p])
		}
	}
	if out["new.js"] == in["new.js"] || out["lazy.js"] == in["lazy.js"] || !strings.Contains(out["index.html"], "<script nomodule>"+loop("inline")) {
		t.Errorf("the page is %s", out["index.html"])
	}
	delete(in, "index.html")
	if out, _ = in.instrument(t, Options{}); out["lazy-legacy.js"] == in["lazy-legacy.js"] {
		t.Error("SystemJS alone is no sign of old browsers")
	}
}

// A runtime from elsewhere is loaded as the scripts from there are.
func TestRuntimeFromElsewhere(t *testing.T) {
	in := site{"index.html": `<script crossorigin="anonymous" src="https://cdn.example/x/app.js"></script>`, "app.js": loop("app")}
	out, _ := in.instrument(t, Options{PublicPath: "https://cdn.example/x/"})
	must.Contain(t, "the page", out["index.html"], `<script src="https://cdn.example/x/fieldprof/runtime.js" crossorigin="anonymous" class="fieldprof"></script>`)
}
