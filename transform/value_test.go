package transform

import (
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The value of a script, which eval gives, is that of its source.
func TestValueOfScript(t *testing.T) {
	const (
		declared = "function f(n) { while (n-- > 0) n--; return n }"
		turns    = "for (var i = 0; i < 2; i++) "
	)
	for _, src := range []string{
		declared, "'use strict'; " + declared, "7; " + declared, declared + " f(3)",
		turns + "{ var a = i }", turns + "var b = i", turns + "{}", turns + "i + 5", turns + "{ i + 5; continue }",
		"do { break } while (0)", "4; while (0) { var c = 1 }", "'use strict'; " + turns + "{ let d = i }", "8; l: { " + turns + "{ break l } }",
	} {
		want := valueOf(t, src)
		for _, options := range []Options{
			{}, {Loader: "/runtime.js"}, {Selection: Selection{Form: Compact}}, {Selection: Selection{Form: Compact}, Loader: "/runtime.js"}, {Selection: Selection{Train: true}},
			{Selection: Selection{Train: true}, Loader: "/runtime.js"}, {Loader: "/runtime.js", Entry: true, Keep: func(string) bool { return false }},
		} {
			options.Preset = Precise
			result := clean(t, []byte(src), options)
			assertReversible(t, []byte(src), result)
			if got := valueOf(t, string(result.Code)); got != want {
				t.Errorf("the value of %s is %v, and it was %v", result.Code, got, want)
			}
		}
	}
}

func valueOf(t *testing.T, script string) any {
	t.Helper()
	return must.Get(goja.New().RunString(script))(t).Export()
}
