package jsscan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// bodies are function bodies whose meaning may depend on where their function
// declarations are. Each returns what can be told from it.
var bodies = []string{
	`return g(3); function g(x) { return x <= 0 ? 0 : x + g(x - 1) }`,
	`var r = []; for (var i = 0; i < 3; i++) { r.push(mk(i)) } function mk(i) { return function () { return i + h() } } function h() { return 10 } return r.map(function (f) { return f() }).join()`,
	`if (a) { h = function () { return 5 } } function h() { return 1 } return h()`,
	`var r = typeof h; function h() {} return r`,
	`h = 5; function h() {} return typeof h`,
	`var o = {}; o.f = f; f = 3; return typeof o.f + typeof f; function f() {}`,
	`{ function q() { return 1 } } return typeof q`,
	`if (true) { function q() { return 1 } } try { return q() } catch (e) { return 'none' }`,
	`return typeof q; { function q() {} }`,
	`function q() { return 1 } { function q() { return 2 } } return q()`,
	`function q() { return 1 } switch (a) { case 1: function q() { return 2 } } return q()`,
	`function q() { return 1 } function q() { return 2 } return q()`,
	`function q() { return 1 } var q; return typeof q`,
	`function q() { return 1 } for (var q of [7]) ; return typeof q`,
	`function q() { return 1 } try { throw 2 } catch (q) { var q = 3 } return typeof q`,
	`function a() { return 1 } return typeof a`,
	`function a() { return 1 } return typeof arguments[0]`,
	`function arguments() { return 1 } return typeof arguments`,
	`return typeof arguments; function k() {}`,
	`a = 9; return arguments[0] + k(); function k() { return a }`,
	`l: function k() { return 1 } return typeof k`,
	`function k() { return 1 } eval('var k = 2'); return typeof k`,
	`function k() { return 1 } return eval('k()')`,
	`function k() { return 1 } (0, eval)('var k = 2'); return typeof k`,
	`var s = 0; for (let i = 0; i < 3; i++) { const z = () => i; s += z() + k() } function k() { return s } return s`,
	`class A { m() { return n() } } function n() { return 4 } return new A().m()`,
	`let x = 1; const y = 2; function k() { return x + y } return k()`,
	`return function () { return typeof k }(); function k() {}`,
	`function* k() { yield 1; yield 2 } return Array.from(k()).join()`,
	`async function k() { return 1 } return typeof k()`,
	`function k() { k = 5; return typeof k } return k() + typeof k`,
	`return [typeof k, k && k.name, k && k.length].join(); function k(a, b) {}`,
	`delete k; return typeof k; function k() {}`,
	`return new F().x + new F().m(); function F() { this.x = G(1) } function G(x) { F.prototype.m = function () { return 2 }; return x + 1 }`,
	`const { p, q = k() } = { p: 1 }; function k() { return 8 } return p + q`,
	`function f(n) { return n ? f(n - 1) : 'end' } return f(3)`,
	`var fs = []; for (var i = 0; i < 2; i++) { function inner() { return i } fs.push(inner) } return fs[0]() + ',' + (fs[0] === fs[1])`,
	`function t1() { try { return t2() } finally { a++ } } function t2() { return a } return t1() + ',' + a`,
	`function let_() {} { let k = 1; { function k() {} } } return typeof k`,
	`var k = k || 1; { function k() {} } return typeof k`,
}

// shapes put a body into a function called f with a parameter a.
var shapes = []string{
	"function f(a) {%s}",
	"var f = (a) => {%s}",
	"var f = function f(a) {%s}",
	"var f = function (a, b = () => a) {%s}",
	"var f = { async(a) {%s} }.async",
	"function f(a) {'use strict';%s}",
}

// TestTryUnsafe runs bodies as they are and inside try{}finally{}, in goja and
// in Node: where TryUnsafe is not set, both must come to the same.
func TestTryUnsafe(t *testing.T) {
	type program struct {
		Plain, Wrapped string
		unsafe         bool
	}
	var programs []program
	for _, shape := range shapes {
		for _, body := range bodies {
			plain := fmt.Sprintf(shape, body) + "; String(f(1))"
			script, err := Scan([]byte(plain), Options{Goal: AsScript})
			if err != nil {
				t.Fatalf("%s: %v", plain, err)
			}
			f := &script.Functions[0]
			programs = append(programs, program{
				Plain:   plain,
				Wrapped: plain[:f.Insert] + "try{" + plain[f.Insert:f.BodyEnd] + "}finally{}" + plain[f.BodyEnd:],
				unsafe:  f.TryUnsafe,
			})
		}
	}
	check := func(t *testing.T, p program, plain, wrapped string) {
		if plain != wrapped && !p.unsafe {
			t.Errorf("%s\nas it is: %s\nin try:   %s", p.Plain, plain, wrapped)
		}
	}
	t.Run("goja", func(t *testing.T) {
		for _, p := range programs {
			check(t, p, inGoja(p.Plain), inGoja(p.Wrapped))
		}
	})
	t.Run("node", func(t *testing.T) {
		haveOracle(t)
		out := must.AskNode(t, must.Get(json.Marshal(programs))(t), "-e", `
			const vm = require('node:vm');
			const run = (src) => { try { return vm.runInNewContext(src) } catch (e) { return e.name } };
			const programs = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
			console.log(JSON.stringify(programs.map((p) => [run(p.Plain), run(p.Wrapped)])));`)
		var results [][2]string
		if err := json.Unmarshal(out, &results); err != nil || len(results) != len(programs) {
			t.Fatalf("%d results: %v", len(results), err)
		}
		changed := 0
		for i, p := range programs {
			check(t, p, results[i][0], results[i][1])
			if p.unsafe && results[i][0] != results[i][1] {
				changed++
			}
		}
		if changed == 0 {
			t.Error("no body changed: the test shows nothing")
		}
	})
}

// inGoja runs a program and returns its value, or the name of its error.
func inGoja(src string) string {
	v, err := goja.New().RunString(src)
	if err != nil {
		name, _, _ := strings.Cut(err.Error(), ":")
		return name
	}
	return v.String()
}
