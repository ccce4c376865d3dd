package transform

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A program must behave the same uninstrumented, with checks that never fire, and
// with the flag up at every check. Each file of testdata/behaviour prints what
// it sees of itself; goja runs it here, V8 through Node.

var everySetting = []Options{
	{Selection: Selection{Preset: Precise}}, {Selection: Selection{Preset: Fine}}, {Selection: Selection{Preset: Balanced}}, {Selection: Selection{Preset: Classic}},
	{Selection: Selection{Preset: Precise, Checks: 2}}, {Selection: Selection{Preset: Precise, Checks: 4}}, {Selection: Selection{Preset: Precise, Checks: 3}},
}

// behaviours returns the programs by name.
func behaviours(t testing.TB) map[string][]byte {
	t.Helper()
	sources := map[string][]byte{}
	for name, text := range must.ReadTree(t, "testdata/behaviour") {
		if strings.HasSuffix(name, ".js") {
			sources[name] = []byte(text)
		}
	}
	if len(sources) == 0 {
		t.Fatal("no programs")
	}
	return sources
}

func TestBehaviourInGoja(t *testing.T) {
	for name, src := range behaviours(t) {
		if strings.HasPrefix(name, "v8-") {
			continue // goja does not know its syntax
		}
		want, _ := runInGoja(t, src, Result{}, false)
		if strings.Contains(want, "threw") {
			t.Fatalf("%s: %s", name, want)
		}
		if want == "" {
			t.Fatalf("%s prints nothing", name)
		}
		for _, options := range everySetting {
			options.Target, options.File = Goja, name
			result := clean(t, src, options)
			assertReversible(t, src, result)
			for _, armed := range []bool{false, true} {
				got, taken := runInGoja(t, result.Code, result, armed)
				if got != want {
					t.Errorf("%s, %v, checks %b, armed %v:\n%s", name, options.Preset, options.Checks, armed, difference(got, want))
				}
				if armed && options.Checks == 0 && options.Preset == Precise && taken == 0 {
					t.Errorf("%s: no check saw the raised flag", name)
				}
			}
		}
	}
}

// runInGoja gives what a program printed, and how many checks called capture.
func runInGoja(t *testing.T, code []byte, result Result, armed bool) (string, int) {
	t.Helper()
	var out strings.Builder
	taken := 0
	vm := goja.New()
	set := func(name string, value any) {
		must.Do(t, vm.GlobalObject().DefineDataProperty(name, vm.ToValue(value), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	set("print", func(c goja.FunctionCall) goja.Value {
		words := make([]string, len(c.Arguments))
		for i, a := range c.Arguments {
			words[i] = a.String()
		}
		fmt.Fprintln(&out, strings.Join(words, " "))
		return nil
	})
	var later goja.Callable
	set("done", func(c goja.FunctionCall) goja.Value { later, _ = goja.AssertFunction(c.Argument(0)); return nil })
	if result.Bindings.GlobalFlag != "" {
		set(result.Bindings.GlobalFlag, armed)
		set(result.Bindings.GlobalCapture, func(goja.FunctionCall) goja.Value { taken++; return nil })
	}
	if _, err := vm.RunString(string(code)); err != nil {
		fmt.Fprintln(&out, "threw", strings.SplitN(err.Error(), "\n", 2)[0])
	}
	if later != nil {
		must.Get(later(goja.Undefined()))(t)
	}
	return out.String(), taken
}

func TestBehaviourInNode(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs side by side")
	}
	type run struct {
		Name, Original, Instrumented string
	}
	var runs []run
	for name, src := range behaviours(t) {
		for _, options := range everySetting {
			for _, options.Form = range []Form{Inline, Compact} {
				options.File = name
				result := clean(t, src, options)
				assertReversible(t, src, result)
				runs = append(runs, run{fmt.Sprintf("%s, %v, %v, checks %b", name, options.Form, options.Preset, options.Checks), string(src), string(result.Code)})
			}
		}
	}
	var results []struct {
		Name                  string
		Original, Idle, Armed string
		Inert                 string // without a runtime
		Taken                 int
	}
	must.Do(t, json.Unmarshal(must.AskNode(t, must.Get(json.Marshal(runs))(t), "testdata/behaviour/node.mjs"), &results))
	if len(results) != len(runs) {
		t.Fatalf("%d results of %d runs", len(results), len(runs))
	}
	for _, r := range results {
		if r.Original == "" || strings.Contains(r.Original, "threw") {
			t.Errorf("%s prints %q", r.Name, r.Original)
		}
		for how, got := range map[string]string{"idle": r.Idle, "inert": r.Inert, "armed": r.Armed} {
			if got != r.Original {
				t.Errorf("%s, %s:\n%s", r.Name, how, difference(got, r.Original))
			}
		}
		if r.Taken == 0 && strings.Contains(r.Name, "precise, checks 0") {
			t.Errorf("%s: no check saw the raised flag", r.Name)
		}
	}
}

// difference shows the first line in which two outputs differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got  %q\n        want %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
