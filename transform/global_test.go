package transform

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Programs that have a globalThis of their own run, and their checks find the runtime.
func TestOwnGlobal(t *testing.T) {
	const body = "function work(n) { var s = 0; while (n-- > 0) s += n; return s } var self_ = 5, got = work(4);"
	for _, declaration := range []string{
		"var globalThis = self_;", "const globalThis = 0;", "let a = 1, globalThis\n", "let globalThis\n!function(){}()\n", "function globalThis() {}", "class globalThis {}", "var { globalThis } = { globalThis: 1 };",
		"var [...globalThis] = [];", "var globalThis = typeof globalThis !== 'undefined' ? globalThis : {};", "let globalThis;",
		"var self, // why?\n  globalThis = self_;",
	} {
		src := body + declaration + " return got"
		for _, options := range []Options{
			{}, {Require: "/checks.cjs"}, {Require: "/checks.cjs", Loader: "/runtime.js"}, {Selection: Selection{Form: Compact}}, {Selection: Selection{Train: true}}, {fewestBound: 1},
		} {
			options.Preset, options.Goal = Precise, FunctionBody
			result := clean(t, []byte(src), options)
			assertReversible(t, []byte(src), result)
			if got := runBody(t, string(result.Code)); got != "6 true" {
				t.Errorf("it gives %s, not 6, or no check counts:\n%s", got, result.Code)
			}
		}
	}
	for _, use := range []string{"x = typeof globalThis", "globalThis.x", "globalThis === x", "globalThis !== x", "globalThis != x", "x.globalThis = 1", "globalThis?.x", "globalThises = 1", "return globalThis", "globalThis && 1", "globalThis['x']", "a ? globalThis : b", "x = globalThis", "() => globalThis", "a || globalThis"} {
		if declaresGlobal([]byte(use)) {
			t.Errorf("%q declares nothing", use)
		}
	}
}

// White space at the end costs what it takes to read it, however often the name is there.
func TestOwnGlobalIsFound(t *testing.T) {
	src := strings.Repeat("globalThis.a;", 1<<16) + strings.Repeat(" \n", 1<<20)
	if declaresGlobal([]byte(src)) || !declaresGlobal([]byte(src+"let globalThis")) {
		t.Error("it is not found, or where there is none")
	}
}

// runBody gives what the body of a function returns, and whether a check found the runtime.
func runBody(t *testing.T, code string) string {
	t.Helper()
	vm := goja.New()
	must.Get(vm.RunString(`
		var captured = false, flag = [1, 0];
		flag.c = { c: function () { captured = true } };
		function checked(v) { captured = true; return v }
		var __fieldprof = { flag: flag, entry: checked, loop: checked, exit: checked, train: function () { return flag } };`))(t)
	value := must.Get(vm.RunString("(function () {" + code + "\n})()"))(t)
	return fmt.Sprint(value, " ", vm.Get("captured"))
}
