package transform

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Calls of a function expression: F is the function, A are its arguments.
var callingContexts = []string{
	"out = (F)(A)", "out = (F(A))", "out = !F(A)", "void F(A); out = 1", "var out = F(A), other = 1", "let [one] = [F(A)]; out = one",
	"out = 0 || F(A)", "out = {a: F(A)}.a", "out = new (F)(A)", "out = new Object((F)(A))", "out = (F)?.(A)", "out = (F).call(this, A)",
	"out = (0, F)(A)", "out = ((F))(A)", "out = (F)(A)\n(x => x)", "for (var i = 0; i < 2; i++) out = (F)(A)", "out = `${typeof (F)(A)}`",
	"out = class extends (F)(A) { static m() {} }.name.length", "out = { [(F)(A)]() { } }", "out = typeof (F)`A`",
	"out = (function () { return (F)(A) })()", "out = ((a = (F)(A)) => a)()", "out = (x => x)((F)(A))", "with ({ x: 1 }) out = (F)(A)",
}

// The functions: P are parameters, B the body.
var calledFunctions = []string{
	"function (P) {B}", "(P) => {B}", "function named(P) {B}", "async function (P) {B}", "async (P) => {B}", "function* (P) {B}", "one => {B}",
	"function (P) {'use strict'\nB}",
}

var calledParameters = []string{"", "one", "one, two", "one, two,", "one, one", "one /* ) */ // )\n", "one = 7", "...one", "{ one }"}

var calledArguments = []string{"", "1", "1,", "1, () => 2", "...[1, 2]", "1, 2, 3", "function () { return 3 } // )\n"}

var calledBodies = []string{
	"seen(typeof one, () => typeof two); return () => 1",
	"seen(arguments.length, arguments[1])",
	"seen((() => typeof arguments)(), this === globalThis)",
	"seen(eval('typeof arguments == \"object\" && arguments.length'))",
	"function shows() { return shows.caller && shows.caller.length } seen(shows())",
	"var two = 2; function one() { return two } seen(one(), two); return [() => this, () => two].map((f) => typeof f())",
}

// Programs that call functions where they are written behave the same. A program has one
// function and body in all contexts, with all parameters and arguments.
func TestCalledFunctionsBehaveTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs side by side")
	}
	type run struct{ Name, Original, Instrumented string }
	var runs []run
	calls, given := 0, 0
	for f, function := range calledFunctions {
		for b, body := range calledBodies {
			src := "function seen(...what) { print(JSON.stringify(what)) }\nvar out\n"
			for c, context := range callingContexts {
				for p, parameters := range calledParameters {
					for a, arguments := range calledArguments {
						called := strings.NewReplacer("P", parameters, "B", body).Replace(function)
						if (f+b+c+p+a)%7 != 0 || !isProgram(context, called, parameters) {
							continue // a seventh will do
						}
						src += fmt.Sprintf("print(%d); try { %s\nprint(typeof out, typeof out == 'function' ? out.length : String(out)) } catch (e) { print(e.name) }\n", calls,
							strings.NewReplacer("F", called, "A", arguments).Replace(context))
						calls++
					}
				}
			}
			options := Options{Selection: Selection{Preset: Precise, Form: Form((f + b) % 2)}, Goal: Script, fewestBound: 1 + (f+b)%2}
			result := clean(t, []byte(src), options)
			assertReversible(t, []byte(src), result)
			given += len(gettingBindings.FindAll(result.Code, -1))
			runs = append(runs, run{src + "\nis\n" + string(result.Code), src, string(result.Code)})
		}
	}
	var results []struct{ Name, Original, Idle, Armed, Inert string }
	must.Do(t, json.Unmarshal(must.AskNode(t, must.Get(json.Marshal(runs))(t), "testdata/behaviour/node.mjs"), &results))
	for _, r := range results {
		if strings.Contains(r.Original, "SyntaxError") {
			t.Fatalf("%s\nis no program: %s", r.Name, r.Original)
		}
		for how, got := range map[string]string{"idle": r.Idle, "armed": r.Armed, "inert": r.Inert} {
			if got != r.Original {
				t.Errorf("%.300s\n%s: %s", r.Name, how, difference(got, r.Original))
			}
		}
	}
	t.Logf("%d calls, %d of them with the names as arguments", calls, given)
	if calls < 5000 || given < 500 || len(results) != len(runs) {
		t.Error("too few programs")
	}
}

// gettingBindings matches the end of parameters that are bindings.
var gettingBindings = regexp.MustCompile(`\$(f|_[elx])\) (=> )?\{`)

// isProgram reports whether engines accept a function in a context.
func isProgram(context, called, parameters string) bool {
	arrow := strings.Contains(called, "=> {")
	simple := !strings.ContainsAny(parameters, "={.")
	switch {
	case arrow && !strings.HasPrefix(called, "function") && !strings.Contains(context, "(F)") && !strings.Contains(context, ", F)"):
		return false // an arrow is called in parentheses only
	case strings.Contains(called, "use strict") && !simple, parameters == "one, one" && (arrow || strings.Contains(context+called, "class") || strings.Contains(called, "use strict")):
		return false
	}
	return true
}
