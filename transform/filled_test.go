package transform

import (
	"strings"
	"testing"
)

// Only work before the body makes a function's entry samples its own.
func TestFilledFirst(t *testing.T) {
	const inNone, inGoja, inBoth = 0, 1, 2
	for params, want := range map[string]int{
		"a, b":                    inNone,
		"a = 1, b = [], {c} = {}": inNone,
		"{a, b: {c = 'new ('}}":   inNone,
		"[a, , b]":                inNone,
		"a = () => f(), b = class {m() { return g() }}": inNone,
		"a = function () { f() }":                       inNone,
		"a /* (see b) */ = 1":                           inNone,
		"a = 1 // f()\n":                                inNone,
		"a = renew , b = 4 / 2":                         inNone,
		`a = "\"("`:                                     inNone,
		"...rest":                                       inGoja,
		"a = f()":                                       inBoth,
		"a = (b, c)":                                    inBoth,
		"a = () => 1, b = f()":                          inBoth,
		"a = new X ":                                    inBoth,
		"a = `x`":                                       inBoth,
		"[...items]":                                    inBoth,
		"{a, ...others}":                                inBoth,
		"a = [...b]":                                    inBoth,
	} {
		for _, form := range []string{"function x(%) { g() }", "const x = (%) => { g() }", "const x = async (%) => g()", "({async x(%) { g() }})"} {
			code := strings.Replace(form, "%", params, 1)
			for _, options := range []Options{{Target: Web, Selection: Selection{Preset: Precise}}, {Target: Goja, Selection: Selection{Preset: Precise}}, {Target: Goja}} {
				least := inBoth
				if options.Target == Goja && options.Preset == Precise {
					least = inGoja
				}
				result := clean(t, []byte(code), options)
				found := false
				for _, f := range result.Table.Functions {
					if f.Name != "x" && f.Inferred != "x" {
						continue
					}
					found = true
					if f.FilledFirst != (want >= least) {
						t.Errorf("%s for %v, %v: filled first %v", code, options.Target, options.Preset, f.FilledFirst)
					}
				}
				if !found {
					t.Errorf("%s: no x", code)
				}
			}
		}
	}
}
