package transform

import (
	"fmt"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// All scripts of a page share one flag. The first one to find a runtime takes its flag, for those before
// it as well, and none after it writes it again: JSC would no longer fold it into the code.
func TestScriptsOfAPageShareTheFlag(t *testing.T) {
	const comes = `globalThis.__fieldprof = {flag: Object.assign([1, 0], {c: {c() { taken++ }}})};`
	kinds := map[string]Options{
		"a script": {Goal: Script}, "a module": {Goal: Module, Preloaded: true, Acyclic: true},
		"a script that loads": {Goal: Script, Loader: "runtime.js"}, "one for both": {Goal: Script, Loader: "runtime.js", Require: "checks.cjs"},
	}
	for first, one := range kinds {
		for second, other := range kinds {
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
