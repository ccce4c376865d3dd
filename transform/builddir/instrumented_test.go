package builddir

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// Each kind of beginning that checks have is recognised, and only scripts of such a kind are left out.
func TestScriptsOfAnEarlierRunAreRecognised(t *testing.T) {
	in := site{
		"index.html": `<script src=classic.js></script><script src=bundle.js></script><script src=strict.js></script><script type=module src=module.js></script><script>new Worker("worker.js");new Worker("entry.js",{type:"module"})</script>`,
		"classic.js": loop("classic"), "large.js": "(function(){" + strings.Repeat(loop("inner"), 9) + "})()", "module.js": `import"./a.js";export ` + loop("module"),
		"bundle.js": "(function(){" + strings.Repeat(loop("inner"), 9) + "})()", "strict.js": "(()=>{'use strict';var globalThis=this;" + loop("inner") + "})()",
		"a.js": `import"./b.js";export ` + loop("a"), "b.js": `import"./a.js";export ` + loop("b"), "worker.js": loop("worker"), "bare.js": "postMessage(1)",
		"entry.js": `import"./x.js";` + loop("entry"), "x.js": `import"./y.js";export ` + loop("x"), "y.js": `import"./x.js";export ` + loop("y"),
		"common.cjs": "exports.x=" + loop("common"), "main.mjs": "export " + loop("main"), "own.js": "var globalThis=this;" + loop("own"), "carries.js": loop("carries"),
	}
	for name, selection := range map[string]transform.Selection{"inline": {}, "compact": {Form: transform.Compact}, "counting": {Train: true}, "precise": {Preset: transform.Precise}} {
		out := memorySite(t, in, Options{Selection: selection, Embed: []string{"carries.js"}})
		for p, src := range in {
			if strings.HasSuffix(p, ".html") {
				continue
			}
			if text := out[p]; text != src && !instrumented([]byte(text)) {
				t.Errorf("%s: this %s is taken for clean: %.300s", name, p, text)
			}
			if instrumented([]byte(src)) {
				t.Errorf("%s is taken for instrumented", p)
			}
		}
	}
}

// A bundle with the runtime in it is not one of an earlier run.
func TestBundlesWithTheRuntimeHaveChecks(t *testing.T) {
	for _, name := range must.Get(fs.Glob(runtime.Files(), "*.js"))(t) {
		text := string(must.Get(fs.ReadFile(runtime.Files(), name))(t))
		out, report := site{"app.js": text + "\n;" + loop("app"), "index.html": `<script type=module src=app.js></script>`}.inMemory(t, Options{})
		if report.Instrumented != 2 || strings.Contains(out["app.js"], "while (n--);") {
			t.Errorf("with %s an app has no checks: %v", name, report.Warnings)
		}
	}
}

// Functions that a source map attributes to the runtime get no checks.
func TestTheRuntimeInABundleHasNoChecks(t *testing.T) {
	const sent = "function sent(n) { while (n--); return globalThis.__fieldprof?.tape; }\n"
	in := site{
		"index.html": `<script src=app.js></script>`,
		"app.js":     sent + loop("app") + "//# sourceMappingURL=app.js.map\n",
		"app.js.map": `{"version":3,"sources":["webpack://app/node_modules/@fieldprof/runtime/dist/send.js","app.ts"],"names":[],"mappings":"AAAA;ACAA"}`,
	}
	for _, options := range []Options{{}, {Include: []string{"**"}}, {Exclude: []string{"other/**"}}} {
		out := memorySite(t, in, options)
		must.Contain(t, "app.js", out["app.js"], sent, "c(1)")
	}
	if out := memorySite(t, in, Options{Exclude: []string{"app.ts"}}); strings.Contains(out["app.js"], "c(1)") {
		t.Errorf("app.ts is excluded: %s", out["app.js"])
	}
}
