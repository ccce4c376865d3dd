package gojahost

import (
	"fmt"
	"runtime"
	"testing"
	"time"

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

// A runtime that has one host after another has one method, which knows the sources of all, and
// keeps no host that is closed.
func TestOneHostAfterAnother(t *testing.T) {
	vm, clock := goja.New(), coordinator.New(coordinator.Options{})
	pool, gone := NewPool(clock, Options{}), make(chan struct{})
	defer runtime.KeepAlive(vm)
	var method goja.Value
	want := ""
	for i := range 3 {
		source := fmt.Sprintf("function f%d(n) { for (let i = 0; i < n; i++); return n }", i)
		want += source
		func() {
			h := must.Get(pool.Host(vm))(t)
			defer h.Close()
			must.Get(h.RunProgram(compile(t, h, fmt.Sprint(i, ".js"), source)))(t)
			if i == 0 {
				runtime.AddCleanup(h, func(gone chan struct{}) { close(gone) }, gone)
			}
		}()
		must.Equal(t, must.Get(vm.RunString("{ let all = ''; for (let i = 0; globalThis['f' + i]; i++) all += globalThis['f' + i]; all }"))(t).String(), want)
		now := must.Get(vm.RunString("Function.prototype.toString"))(t)
		if i > 0 && now != method {
			t.Fatal("another host has put another method in the place of toString")
		}
		method = now
	}
	for end := time.Now().Add(hang); ; runtime.GC() {
		select {
		case <-gone:
			return
		default:
			if time.Now().After(end) {
				t.Fatal("the runtime keeps its first host")
			}
		}
	}
}
