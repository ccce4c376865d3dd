package gojahost

import (
	"encoding/base64"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// A host that does not bracket its scripts learns from entries and from Waiting what was not
// work, and has the tags that the script runs for when a sample is taken.
func TestRestWithoutBrackets(t *testing.T) {
	h := New(goja.New(), coordinator.New(coordinator.Options{Interval: 1 << 40}))
	_ = h.vm.Set("F", h.flag)
	_ = h.vm.Set("C", h.capture)
	_ = h.vm.Set("raise", h.counter.Raise)
	_ = h.vm.Set("wait", h.Native("wait", func(back goja.Callable) {
		h.Waiting(func() {
			h.counter.Raise()
			if back != nil {
				must.Get(back(nil))(t)
			}
			h.counter.Raise()
		})
	}))
	_ = h.vm.Set("call", h.Native("call", func(back goja.Callable) {
		h.Waiting(func() {
			h.counter.Raise()
			h.Working(func() { must.Get(back(nil))(t) })
			h.counter.Raise()
		})
	}))
	route := ""
	h.TagBy(func() *Task { return h.As("route", route) })
	must.Get(h.vm.RunString(`
		if (F) C(1);
		function work() { if (F) C(0); raise(); if (F) C(1); raise(); inner(); if (F) C(2) }
		function inner() { if (F) C(0) }
		function waits() { raise(); wait(work); wait(null); if (F) C(1) }
		function calls() { call(() => raise()); call(work); if (F) C(1) }
		const later = () => { if (F) C(1) };
	`))(t)
	call := func(name string) {
		fn, _ := goja.AssertFunction(h.vm.Get(name))
		must.Get(fn(nil))(t)
	}
	account := func() map[string]int64 { return byTags(h.Drain()) }
	h.counter.Raise()
	route = "a"
	call("work") // the first tick fell before it; work has the next, and the one before inner
	must.Equal(t, account(), map[string]int64{" idle": 1, "route=a loop": 1, "route=a entry": 1})
	route = "b"
	call("waits")
	must.Equal(t, account(), map[string]int64{" idle": 4, "route=b own": 1, "route=b loop": 1, "route=b entry": 1})
	route = "c"
	call("calls") // a callback works, too, where it has no check
	must.Equal(t, account(), map[string]int64{" idle": 4, "route=c native": 1, "route=c loop": 1, "route=c entry": 1})
	h.counter.Raise()
	h.Rested()
	h.Rested()
	must.Get(h.vm.RunString(`later()`))(t)
	must.Equal(t, account(), map[string]int64{" idle": 1})
	h.TagBy(func() *Task { return nil })
	call("work")
	must.Equal(t, account(), map[string]int64{" loop": 1, " entry": 1})
}

// A script that something else compiles is found by its name, in what the engine says of
// its positions.
func TestAdopt(t *testing.T) {
	const source = "function f() {\n  for (let i = 0; i < 9; i++) raise();\n}\nf();"
	pool := NewPool(coordinator.New(coordinator.Options{Interval: 1 << 40}), Options{})
	made := must.Get(instrumented.Make([]byte(source), transform.Options{File: "a.js", Target: transform.Goja, Goal: transform.Script}))(t)
	// The engine follows a map that says nothing but the line, doubled.
	code := string(made.Code) + "\n//# sourceMappingURL=data:application/json;base64," + base64.StdEncoding.EncodeToString(
		[]byte(`{"version":3,"sources":["b.ts"],"names":[],"mappings":"AAAA;AAEA;AAEA;AAEA"}`))
	must.Do(t, pool.Adopt(made, func(_, file string, line, column int) (int, int) {
		must.Equal(t, file, "b.ts")
		return (line + 1) / 2, column + 1
	}))
	must.Do(t, pool.Adopt(made, nil)) // the same again
	other := must.Get(instrumented.Make([]byte("f()"), transform.Options{File: "a.js", Target: transform.Goja, Goal: transform.Script}))(t)
	must.Fail(t, pool.Adopt(other, nil), "gojahost: there are two texts of a.js")
	vm := goja.New()
	h := must.Get(pool.Host(vm))(t)
	_ = vm.Set("raise", h.counter.Raise)
	must.Do(t, h.Install(made.Bindings))
	must.Do(t, h.Run(func() error {
		_, err := vm.RunScript("a.js", code)
		return err
	}))
	p := profile.Attribute(pool.Profile(), profile.BySite)
	s := p.Sample(0)
	f := p.Frames.Function[p.Stacks.Frame[s.Stack]]
	must.Equal(t, p.Function(f).Name, "f")
	must.Equal(t, p.Frames.Line[p.Stacks.Frame[s.Stack]], 3)
}
