package transform

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// TestLoader runs prologues in Node, in contexts that stand for pages and
// workers and with a require of our own: the runtime is loaded where it can be,
// and where it cannot nothing is thrown and the program runs.
func TestLoader(t *testing.T) {
	const program = "function work(a) { for (var i = 0; i < 1; i++) a += 1; return a + i }"
	var input struct {
		Scripts map[string]string `json:"scripts"`
		Bodies  map[string]string `json:"bodies"`
	}
	input.Scripts, input.Bodies = map[string]string{}, map[string]string{}
	for _, form := range []Form{Inline, Compact} {
		options := Options{Selection: Selection{Preset: Precise, Form: form}, Loader: "/runtime.js"}
		script := must.Get(Transform([]byte("'use strict'\n"+program+" work(40)"), options))(t)
		options.Goal, options.Require = FunctionBody, "/checks.cjs"
		body := must.Get(Transform([]byte("'use strict'; "+program+" return work(40)"), options))(t)
		input.Scripts[form.String()+" script"] = string(script.Code)
		input.Bodies[form.String()+" body"] = string(body.Code)
	}
	got := must.AskNode(t, must.Get(json.Marshal(input))(t), "testdata/loader.mjs")
	var want strings.Builder
	for _, form := range []string{"compact", "inline"} {
		for _, line := range []string{
			"page: 42, loaded [], took []",
			"worker: 42, loaded [/runtime.js], took [0,1,2]",
			"module worker: 42, loaded [], took []",
			"worker with the wrong URL: 42, loaded [/runtime.js], took []",
			"not a function: 42, loaded [], took []",
			"loaded before: 42, loaded [], took [0,1,2]",
		} {
			want.WriteString(form + " script, " + line + "\n")
		}
	}
	for _, form := range []string{"compact", "inline"} {
		for _, line := range []string{
			"found: 42, loaded [/checks.cjs], took [0,1,2]",
			"empty: 42, loaded [/checks.cjs], took []",
			"missing: 42, loaded [], took []",
			"no require: 42, loaded [], took []",
		} {
			want.WriteString(form + " body, " + line + "\n")
		}
	}
	if string(got) != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, want.String())
	}
}

// A loader's URL cannot end the script element that the code may be in.
func TestLoaderIsQuoted(t *testing.T) {
	result := must.Get(Transform([]byte(ten), Options{Loader: "a\"b\\c\n\u2028</script>"}))(t)
	assertReversible(t, []byte(ten), result)
	if !bytes.Contains(result.Code, []byte(`importScripts("a\"b\\c\n\u2028\u003c/script\u003e")`)) {
		t.Errorf("%s", result.Code)
	}
	module, err := Transform([]byte("export "+ten), Options{Loader: "/runtime.js", Require: "/runtime.js"})
	if err != nil || bytes.Contains(module.Code, []byte("runtime.js")) {
		t.Errorf("a module needs no loader: %v\n%s", err, module.Code)
	}
}
