package builddir

import (
	"slices"
	"strings"
	"testing"
)

func TestStartedModules(t *testing.T) {
	for src, want := range map[string][]string{
		"new Worker(new URL(`/app/assets/worker-1.js`,``+import.meta.url),{type:`module`})":           {"/app/assets/worker-1.js"},
		`new SharedWorker(new URL("./shared.mjs", import.meta.url), { name: "x.y", type: 'module' })`: {"./shared.mjs"},
		`navigator.serviceWorker.register("./sw.js?v=1",{type:"module",scope:"/"})`:                   {"./sw.js?v=1"},
		`new Worker("a.js",{"type":"module"});new Worker("b.js");f({type:"module"})`:                  {"a.js"},
		`new Worker(new URL(n.p+n.u(7),n.b),{type:void 0})`:                                           nil,
		`new Worker("` + strings.Repeat("x", startReach) + `.js",{type:"module"})`:                    nil,
		`Worker(`: nil,
	} {
		if got := startedModules([]byte(src)); !slices.Equal(got, want) {
			t.Errorf("%s starts %q, want %q", src, got, want)
		}
	}
}

// A worker says nothing of how it is started; an import stands in those that
// are modules, and only there.
func TestWorkersLoadTheRuntimeAsTheyCan(t *testing.T) {
	in := site{
		"index.html": `<script src="js/app.js"></script><script>new Worker("js/inline.js",{type:"module"})</script>` +
			`<script src="js/both.js"></script>`,
		"js/app.js": `new Worker(new URL("m.js",import.meta.url),{type:"module"});new Worker("c.js");` +
			`new Worker("/deployed/js/root.js",{type:"module"});new Worker("js/both.js",{type:"module"});` + loop("app"),
		"js/m.js": loop("m"), "js/c.js": loop("c"), "js/root.js": loop("root"), "js/inline.js": loop("inline"), "js/both.js": loop("both"),
		"js/common.js": "exports.x=" + loop("common"), "js/always.mjs": loop("always"), "node.cjs": "exports.x=" + loop("node"),
	}
	out, _ := in.instrument(t, Options{})
	for p, want := range map[string]string{
		"js/m.js":       `import{flag as $f,capture as $c}from"../fieldprof/checks.js"`,
		"js/root.js":    `import{`,
		"js/inline.js":  `import{`,
		"js/always.mjs": `import{`,
		"js/c.js":       `importScripts("../fieldprof/runtime.js")`,
		"js/both.js":    `var{flag:$f=[0,0],capture:$c}=globalThis.__fieldprof||0`,
		"js/common.js":  `(globalThis.importScripts?importScripts("../fieldprof/runtime.js")||__fieldprof:require("../fieldprof/checks.cjs"))`,
		"node.cjs":      `__fieldprof||require("./fieldprof/checks.cjs")`,
	} {
		if !strings.Contains(out[p], want) {
			t.Errorf("%s lacks %s: %s", p, want, out[p])
		}
	}
}
