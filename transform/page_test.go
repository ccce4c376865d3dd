package transform

import (
	"fmt"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// kindsOfPages are the kinds of scripts that read the flag from the page's global.
var kindsOfPages = map[string]Options{
	"a script": {Goal: Script}, "a module": {Goal: Module, Preloaded: true, Acyclic: true},
	"a script that loads": {Goal: Script, Loader: "runtime.js"}, "one for both": {Goal: Script, Loader: "runtime.js", Require: "checks.cjs"},
}

// All scripts of a page share one flag. The first one to find a runtime takes its flag, for those before
// it as well, and none after it writes it again: JSC would no longer fold it into the code.
func TestScriptsOfAPageShareTheFlag(t *testing.T) {
	const comes = `globalThis.__fieldprof = {flag: Object.assign([1, 0], {c: {c() { taken++ }}})};`
	for first, one := range kindsOfPages {
		for second, other := range kindsOfPages {
			for at := range 4 { // before which script the runtime comes, if any
				vm := goja.New()
				run := func(text string) goja.Value { return must.Get(vm.RunString(text))(t) }
				run(`var taken = 0, written = 0, held;
					Object.defineProperty(globalThis, "_$f", {get: () => held, set(flag) { held = flag; written++ }, configurable: true});`)
				for i, options := range []Options{one, other, one} {
					if i == at {
						run(comes)
					}
					options.Preset = Precise
					source := fmt.Sprintf("globalThis.f%d = function (x) { return x + %[1]d }", i)
					run(string(must.Get(Transform([]byte(source), options))(t).Code))
				}
				result := run(`f0(1) + f1(1) + f2(1)`).ToInteger()
				taken, written := run("taken").ToInteger(), run("written").ToInteger()
				wantTaken, wantWritten := int64(6), int64(at+1)
				if at == 3 {
					wantTaken, wantWritten = 0, 3
				}
				if result != 6 || taken != wantTaken || written != wantWritten {
					t.Errorf("%s, %s and the first kind again, the runtime before script %d: %d, taken %d, not %d, written %d times, not %d", first, second, at, result, taken, wantTaken, written, wantWritten)
				}
			}
		}
	}
}

// A page that gives all objects a property c, as the flag has, still gets the flag, and runs.
func TestPropertiesOfAllObjectsAreNoFlag(t *testing.T) {
	for _, given := range []string{"function () {}", "1", "{ c: 1 }"} {
		for kind, options := range kindsOfPages {
			vm := goja.New()
			run := func(text string) goja.Value { return must.Get(vm.RunString(text))(t) }
			run(`Object.prototype.c = ` + given + `; var taken = 0; var __fieldprof = {flag: Object.assign([1, 0], {c: {c() { taken++ }}})};`)
			options.Preset = Precise
			run(string(must.Get(Transform([]byte("'use strict'; globalThis.f = function (x) { return x + 1 }"), options))(t).Code))
			if result, taken := run("f(1)").ToInteger(), run("taken").ToInteger(); result != 2 || taken != 2 {
				t.Errorf("%s, with %s: %d, taken %d, not 2", kind, given, result, taken)
			}
		}
	}
}
