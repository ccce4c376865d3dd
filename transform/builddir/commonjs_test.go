package builddir

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A file named .cjs may be a page's script, too, and one that evaluates the text of another, which declares
// the same names: both go on.
func TestCommonJSBesideScripts(t *testing.T) {
	must.Have(t, "node")
	const umd = "(function (g, f) { typeof exports === 'object' ? f(exports) : f(g.X = {}) })(this, function (e) { e.t = " + "function (n) { for (var i = 0; i < n; i++); return i } });"
	for name, in := range map[string]site{
		"a page's": {
			"index.html": "<script src=app.js></script>", "app.js": loop("work") + "load()", "x.umd.cjs": umd, "y.umd.cjs": umd,
			"run.cjs": `const vm = require("vm"), read = (f) => require("fs").readFileSync(__dirname + "/" + f, "utf8");
				globalThis.load = () => {}; vm.runInThisContext(read("x.umd.cjs")); vm.runInThisContext(read("app.js"));
				vm.runInThisContext(read("y.umd.cjs")); vm.runInThisContext(read("x.umd.cjs")); console.log(X.t(3), require("./x.umd.cjs").t(4))`,
		},
		"evaluated": {
			"lib.js": loop("helper"), "part.cjs": "exports.part = " + loop("part"),
			"run.cjs": `eval(require("fs").readFileSync(__dirname + "/lib.js", "utf8")); ` + loop("own") + ` console.log(typeof helper, typeof own, typeof require("./part.cjs").part)`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := in.write(t)
			want := must.Get(exec.Command("node", filepath.Join(dir, "run.cjs")).CombinedOutput())(t)
			out := again(t, dir, Options{}).Output
			got, err := exec.Command("node", filepath.Join(out, "run.cjs")).CombinedOutput()
			must.Equal(t, string(got), string(want), err)
		})
	}
}
