package transform

import (
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A function require of the source's own is there before the prologue runs. It sees the program's requests
// alone, and the runtime is loaded nevertheless where there is a module.
func TestOwnRequire(t *testing.T) {
	const tail = "; function work() { for (var i = 0; i < 2; i++); return i } require('part'); return asked + ' ' + work()"
	for _, declared := range []string{
		"function require(id) { asked.push(id) }",
		"asked.length = 0; function /* the loader's */ r\\u0065quire(id) { asked.push(id) }",
		"function* other() {} { asked.push() } function require(id) { return asked.push(id) }",
	} {
		src := declared + tail
		for _, form := range []Form{Inline, Compact} {
			for _, loader := range []string{"", "runtime.js"} {
				for _, train := range []bool{false, true} {
					if train && form == Compact {
						continue
					}
					result := must.Get(Transform([]byte(src), Options{
						Selection: Selection{Preset: Balanced, Form: form, Train: train}, Goal: FunctionBody, Require: "checks.cjs", Loader: loader,
					}))(t)
					if got := askModule(t, string(result.Code)); got != "part 2 checks.cjs" {
						t.Errorf("%v, loader %q, train %v: %s\n%s", form, loader, train, got, result.Code)
					}
				}
			}
		}
	}
}

// The module's require loads the runtime where the source declares no other at its top level.
func TestModulesRequire(t *testing.T) {
	for _, src := range []string{
		"var require = require || 0;", "var o = { require() {} };", "(function () { function require() {} });", "class A { require() {} }",
	} {
		result := must.Get(Transform([]byte(src+"while (0);"), Options{Goal: FunctionBody, Require: "checks.cjs"}))(t)
		if got := askModule(t, string(result.Code)); got != "undefined checks.cjs" {
			t.Errorf("%s: %s\n%s", src, got, result.Code)
		}
	}
}

// askModule runs a CommonJS module, and gives what it returns and what was loaded for it.
func askModule(t *testing.T, code string) string {
	t.Helper()
	vm := goja.New()
	must.Get(vm.RunString("var asked = [], loaded = []; function load(id) { loaded.push(id) }"))(t)
	value := must.Get(vm.RunString("(function (require, module) {" + code + "\n})(load, { require: load })"))(t)
	return value.String() + " " + vm.Get("loaded").String()
}
