package gojahost

import (
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// Functions show the text of their source, and run wherever it is evaluated again.
func TestFunctionsShowTheirSources(t *testing.T) {
	const program = `
	function outer(list) {
		"a directive"
		function inner(a) { let n = 0; for (const x of a) n += x; while (n > 100) { n-- } return n }
		const arrow = (a) => inner(a) + 1;
		const later = async (p) => await p;
		class Point { constructor(x) { this.x = x } get twice() { return this.x * 2 } *steps() { yield this.x; yield } }
		return [inner, arrow, later, Point, Object.getOwnPropertyDescriptor(Point.prototype, 'twice').get, Point.prototype.steps];
	}
	var all = [outer].concat(outer([])), é = 'ü😀'.length;
	var texts = all.map((f) => [f + '', String(f), f.toString(), Function.prototype.toString.call(f), ` + "`${f}`" + `]);
	var evaluated = [new Function('return ' + all[1])()([1, 2, 200]), (0, eval)('(' + all[4] + ')'), new Function('inner', 'return ' + all[2])((a) => a.length)([1, 2])];
	evaluated[1] = new evaluated[1](21).twice;
	JSON.stringify([texts, evaluated]);`
	plain := must.Get(goja.New().RunString(program))(t).String()
	_, h, _ := newHost(t, coordinator.Options{})
	compiled, result, err := h.CompileWith([]byte(program), transform.Options{File: "program.js", Selection: transform.Selection{Preset: transform.Precise}})
	if err != nil || len(result.Insertions) < 10 {
		t.Fatal(err, len(result.Insertions))
	}
	must.Equal(t, must.Get(h.vm.RunProgram(compiled))(t).String(), plain)
}

// The method itself looks unchanged.
func TestToStringLooksNative(t *testing.T) {
	const look = `
	const { toString } = Function.prototype, caught = (run) => { try { return run() } catch (e) { return e instanceof TypeError && e.message } };
	JSON.stringify([
		toString.name, toString.length, 'prototype' in toString, Object.getOwnPropertyNames(toString).sort(), Object.getOwnPropertyDescriptor(Function.prototype, 'toString'),
		toString.toString(), toString.call(toString), '' + toString, caught(() => new toString()), [undefined, null, 1, 'a', {}, Symbol()].map((v) => caught(() => toString.call(v))),
		'' + Math.max, '' + (() => 1), String(class A { b() {} }), Math.max.bind(1) + '', new Proxy(Map, {}) + '',
	])`
	plain := must.Get(goja.New().RunString(look))(t).String()
	vm, _, _ := newHost(t, coordinator.Options{})
	must.Equal(t, must.Get(vm.RunString(look))(t).String(), plain)
}
