package gojahost

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// The checks in the scripts of this file are written by hand, so that only the host is
// tested.

func newHost(t testing.TB, o coordinator.Options) (*goja.Runtime, *Host, *coordinator.Coordinator) {
	t.Helper()
	vm, co := goja.New(), coordinator.New(o)
	h := New(vm, co)
	must.Do(t, h.Install(handMade))
	_ = vm.Set("tick", tick(h))
	return vm, h, co
}

// hand runs a script with checks of its own as a task.
func hand(t testing.TB, h *Host, name, code string) goja.Value {
	t.Helper()
	table := &functable.Table{File: name, Functions: []functable.Function{{Kind: functable.Script, Parent: -1}}}
	made := must.Get(instrumented.Of(transform.Result{Code: []byte(code), Table: table, Bindings: handMade}))(t)
	program := must.Get(h.compile(made, false))(t)
	return must.Get(h.RunProgram(program))(t)
}

// stackOf formats a sample's stack, outermost frame first, by goja's names.
func stackOf(h *Host, in *segment, s sample) string {
	var names []string
	if s.native >= 0 {
		names = append(names, "["+h.recording.nativeName(s.native)+"]")
	}
	for id := s.stack; id != noStack; id = in.stacks.nodes[id].caller {
		f := &in.stacks.frames[in.stacks.nodes[id].frame]
		name := f.FuncName()
		if isNative(f) {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	slices.Reverse(names)
	return strings.TrimPrefix(strings.Join(names, " "), "<anonymous> ")
}

// taken lists the recording: kind, weight and stack of each sample.
func taken(h *Host) (list []string) {
	each(h, func(in *segment, s sample) {
		list = append(list, fmt.Sprintf("%s %d %s", s.kind, s.weight, stackOf(h, in, s)))
	})
	return list
}

// each sees all samples of the recording.
func each(h *Host, see func(*segment, sample)) {
	for _, in := range h.recording.ring.segments {
		for _, chunk := range in.chunks {
			for _, s := range chunk {
				see(in, s)
			}
		}
	}
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	must.Equal(t, got, want)
}

// tick is a Go function that the host does not know: it raises one tick.
func tick(h *Host) func(goja.FunctionCall) goja.Value {
	return func(goja.FunctionCall) goja.Value { h.counter.Raise(); return nil }
}

// callsIt is a Go function that calls its argument and lets its errors pass.
func callsIt(c goja.FunctionCall) goja.Value {
	fn, _ := goja.AssertFunction(c.Argument(0))
	value, err := fn(goja.Undefined())
	if err != nil {
		panic(err)
	}
	return value
}

func TestEachTickGoesToItsSide(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	_ = vm.Set("native", h.Native("native", tick(h)))
	_ = vm.Set("fails", h.Native("fails", func(goja.FunctionCall) goja.Value {
		h.counter.Raise()
		panic(vm.NewTypeError("no"))
	}))
	_ = vm.Set("Thing", h.Native("Thing", func(c goja.ConstructorCall) *goja.Object {
		h.counter.Raise()
		_ = c.This.Set("kept", c.Argument(0))
		return nil
	}))
	value := hand(t, h, "sides.js", `
		function entry() { if (F) C(0); tick(); tick(); if (F) C(2); }
		function caller() { tick(); native(); tick(); if (F) C(2); }
		function catches() { try { fails() } catch (e) { tick(); if (F) C(1); return e.message } }
		function constructs() { tick(); var t = new Thing(7); return t.kept + " " + (t instanceof Thing); }
		function last() { tick(); }
		entry(); caller();
		var said = catches() + " " + constructs();
		last(); said`)
	must.Equal(t, value.String(), "no 7 true", "the script says")
	expect(t, taken(h),
		"exit 2 entry",
		"own 1 caller", "native 1 caller [native]", "exit 1 caller",
		"native 1 catches [fails]", "loop 1 catches",
		"own 1 constructs", "native 1 constructs [Thing]",
		"program 1 ")
}

// A panic can leave the frames that it passed through on goja's stack. They are not the
// native function's.
func TestNativeTimeBeforeAThrow(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	_ = vm.Set("native", h.Native("native", func(c goja.FunctionCall) goja.Value {
		h.counter.Raise()
		return c.Argument(0).ToObject(vm).Get("getter")
	}))
	hand(t, h, "throw.js", `
		function outer() {
			try { native({get getter() { deeper() }}) } catch (e) { return e.message }
		}
		function deeper() { throw new Error("x") }
		outer()`)
	expect(t, taken(h), "native 1 outer [native]")
}

// Go code that calls back into a script first takes its own time.
func TestTasksWithinNatives(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	_ = vm.Set("each", h.Native("each", func(c goja.FunctionCall) goja.Value {
		fn, _ := goja.AssertFunction(c.Argument(0))
		h.counter.Raise()
		must.Get(h.Callable(fn)(goja.Undefined()))(t)
		h.counter.Raise()
		return nil
	}))
	hand(t, h, "callback.js", `
		function inner() { tick(); if (F) C(2) }
		function outer() { each(inner); tick(); [1].forEach(inner); if (F) C(2) }
		outer()`)
	expect(t, taken(h),
		"native 1 outer [each]", "exit 1 outer [each] inner", "native 1 outer [each]",
		"exit 2 outer [forEach] inner")
}

// Frames of callers that await an async function are captured, too.
func TestAsyncStacks(t *testing.T) {
	_, h, _ := newHost(t, coordinator.Options{})
	hand(t, h, "async.js", `
		async function inner() { await null; tick(); if (F) C(2) }
		async function outer() { await inner() }
		outer(); 0`)
	expect(t, taken(h), "exit 1 outer inner")
}

// Naming a native function can run a script's getter, whose checks must not disturb the
// current capture.
func TestCaptureWithinACapture(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	_ = vm.Set("call", callsIt)
	hand(t, h, "getter.js", `
		var ran = 0;
		Object.defineProperty(call, "name", {get() { ran++; tick(); if (F) C(0); return "odd" }});
		function inner() { tick(); if (F) C(2) }
		call(inner); ran`)
	if n := vm.Get("ran").ToInteger(); n == 0 {
		t.Skip("goja reads names without running getters")
	}
	expect(t, taken(h), "exit 2 [odd] inner")
}

// A getter that fails says nothing to the script, and takes no later sample away. (One that
// always throws ends the process, with or without a profile: goja names it once more for the
// stack of what it throws.)
func TestCaptureWhereAGetterFails(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	_ = vm.Set("call", callsIt)
	_ = vm.Set("broken", func(goja.FunctionCall) goja.Value { panic("broken") })
	for _, fails := range []string{"throw new Error('mine')", "broken()"} {
		h.Reset()
		_ = vm.Set("ran", 0)
		value := hand(t, h, "getter.js", `
			Object.defineProperty(call, "name", {configurable: true, get() { if (++ran == 1) `+fails+`; return "odd" }});
			function inner() { tick(); if (F) C(2); return 7 }
			function after() { tick(); if (F) C(2) }
			var was = [1, call(inner), 3];
			after();
			was.join()`)
		if vm.Get("ran").ToInteger() == 0 {
			t.Skip("goja reads names without running getters")
		}
		must.Equal(t, value.String(), "1,7,3", fails)
		expect(t, taken(h), "program 1 ", "exit 1 after")
	}
}

func TestCallSites(t *testing.T) {
	_, h, _ := newHost(t, coordinator.Options{})
	code := "function leaf() { tick(); if (F) C(0); return 1 }\nfunction caller() {\n  return leaf() +\n    leaf();\n}\ncaller()"
	hand(t, h, "site.js", code)
	p := h.Profile()
	var lines []int32
	for i := range p.Len() {
		caller := p.Stacks.Parent[p.Sample(i).Stack]
		lines = append(lines, p.Frames.Line[p.Stacks.Frame[caller]])
	}
	must.Equal(t, lines, []int32{3, 4}, "the two calls are on lines")
}

// Every tick that was raised is in the profile, in order of time, whatever happened to
// it.
func TestProfileHoldsEveryTick(t *testing.T) {
	for seed := range uint64(3) {
		vm, h, co := newHost(t, coordinator.Options{Interval: 200 * time.Microsecond, Seed: seed})
		h.recording.ring.limit = 4
		_ = vm.Set("collect", func() { runtime.GC() })
		_ = vm.Set("nap", h.Native("nap", func(n int) { time.Sleep(time.Duration(n) * time.Microsecond) }))
		stop := co.Start()
		r := rand.New(rand.NewPCG(seed, 1))
		everything := func() bool {
			ticks := h.counter.Ticks()
			return h.Profile().Meta.Ticks.Dropped > 0 && ticks.Idle > 0 && ticks.Taken > 0
		}
		for end := time.Now().Add(hang); !everything(); {
			hand(t, h, "mix.js", `function f(n) { if (F) C(0); for (var i = 0; i < n; i++) { if (F) C(1); } if (F) C(2); }
				f(3000); nap(300); collect(); f(100)`)
			time.Sleep(time.Duration(r.IntN(2000)) * time.Microsecond)
			if time.Now().After(end) {
				t.Fatalf("account %+v", h.counter.Ticks())
			}
		}
		h.counter.Enter()
		h.counter.Raise() // still pending, perhaps with one of the clock's
		stop()
		p := h.Profile()
		must.Do(t, p.CheckValid())
		ticks := p.Meta.Ticks
		got := map[profile.Kind]int64{}
		for i := range p.Len() {
			s := p.Sample(i)
			got[s.Kind] += int64(s.Weight)
			if s.Time < 0 || s.Time > int64(p.Meta.Duration)+int64(time.Millisecond) {
				t.Errorf("a sample at %v of %v", time.Duration(s.Time), p.Meta.Duration)
			}
		}
		of := func(kinds ...profile.Kind) (n int64) {
			for _, k := range kinds {
				n += got[k]
			}
			return n
		}
		if of(profile.Idle) != ticks.Idle || of(profile.GC) != ticks.GC || of(profile.Lost) != ticks.Lost ||
			of(profile.Own, profile.Entry, profile.Loop, profile.Exit, profile.Native, profile.Program) != ticks.Taken {
			t.Errorf("the profile holds %v, the account is %+v", got, ticks)
		}
		all := h.counter.Ticks()
		if ticks.Raised+ticks.Dropped != all.Raised || ticks.Lost == 0 || ticks.Lost != all.Lost || ticks.Missed != all.Missed {
			t.Errorf("the account is %+v, the clock's %+v", ticks, all)
		}
	}
}

// If the clock starves, one long native call must weigh its duration: as many ticks as
// deadlines passed, but no more than it has intervals.
func TestLongNativeCallWhereTheClockStarves(t *testing.T) {
	for seed := range uint64(20) {
		c := newHandClock(coordinator.Options{Interval: time.Millisecond, Seed: seed})
		vm, h, co := newHost(t, c.options)
		_ = vm.Set("work", h.Native("work", func() { c.now += 30 * time.Millisecond }))
		stop := co.Start()
		hand(t, h, "long.js", `function f() { if (F) C(0); work(); if (F) C(2); } for (var i = 0; i < 4; i++) f()`)
		stop()
		native := int64(0)
		each(h, func(_ *segment, s sample) {
			if s.kind == profile.Native {
				native += int64(s.weight)
			}
		})
		ticks := h.counter.Ticks()
		if native != ticks.Raised || native < 90 || native > 4*31 {
			t.Errorf("seed %d: %d ticks in 120 ms of native time, account %+v", seed, native, ticks)
		}
	}
}

func TestSecondTextOfOneName(t *testing.T) {
	_, h, _ := newHost(t, coordinator.Options{})
	for range 2 {
		hand(t, h, "a.js", "function first() { tick(); if (F) C(2) } first()")
		hand(t, h, "a.js", "\nfunction second() { tick(); if (F) C(2) } second()")
	}
	p := h.Profile()
	var got []string
	for i := range p.Len() {
		frame := p.Stacks.Frame[p.Sample(i).Stack]
		got = append(got, fmt.Sprint(p.Function(p.Frames.Function[frame]).File, ":", p.Frames.Line[frame]))
	}
	expect(t, got, "a.js:1", "a.js?2:2", "a.js:1", "a.js?2:2")
}

// goja counts columns in bytes, and LF is not the only line break.
func TestColumns(t *testing.T) {
	for _, code := range []string{
		"x", "é x", "a\nééé x\nb", "a\r\n😀😀 x", "a\ré😀 x", "é\u2028😀é x\u2029", "é\r\r\né\n\r x\u2028", "\uFEFFé x", "é\u2027é x",
	} {
		at := strings.Index(code, "x")
		place := file.NewFile("c.js", code, 1).Position(at)
		want := len(utf16.Encode([]rune(code[at-place.Column+1:at]))) + 1
		s := &script{Script: must.Get(instrumented.Plain("c.js", []byte(code), nil))(t)}
		must.Equal(t, s.column(place.Line, place.Column), want, code, place.Line)
	}
	body := &script{Script: must.Get(instrumented.Plain("c.js", []byte("é x\né x"), nil))(t), prefix: len(bodyPrefix)}
	for line, column := range map[int]int{1: len(bodyPrefix) + 4, 2: 4} {
		must.Equal(t, body.column(line, column), 3, line)
	}
}

func TestFunctionBodies(t *testing.T) {
	_, h, _ := newHost(t, coordinator.Options{})
	program, _, err := h.CompileWith([]byte("exports.twice = x => x * 2; return __filename"), transform.Options{File: "m.js", Goal: transform.FunctionBody})
	if err != nil {
		t.Fatal(err)
	}
	value := must.Get(h.RunProgram(program))(t)
	body, ok := goja.AssertFunction(value)
	if !ok {
		t.Fatalf("the program's value is %v", value)
	}
	exports := h.vm.NewObject()
	file := must.Get(h.Callable(body)(goja.Undefined(), exports, nil, nil, h.vm.ToValue("m.js")))(t)
	must.Equal(t, file.String(), "m.js")
	if twice, ok := goja.AssertFunction(exports.Get("twice")); !ok {
		t.Error("nothing was exported")
	} else if v, err := twice(nil, h.vm.ToValue(4)); err != nil || v.ToInteger() != 8 {
		t.Errorf("twice(4) is %v, %v", v, err)
	}
}

// Callers tell mistakes of a script's author by goja's types of errors.
func TestSyntaxErrorsHaveTheTypesOfGoja(t *testing.T) {
	for _, source := range []string{"let a = ;", "let a = 1;\nlet a = 2;", "function f() { for (;;) { f( } }"} {
		_, h, _ := newHost(t, coordinator.Options{})
		_, err := h.Compile("bad.js", []byte(source))
		_, want := goja.Compile("bad.js", source, false)
		must.Equal(t, fmt.Sprintf("%T %v", err, err), fmt.Sprintf("%T %v", want, want))
		_, err = h.RunScript("bad.js", source)
		_, want = goja.New().RunScript("bad.js", source)
		must.Equal(t, fmt.Sprintf("%T %v", err, err), fmt.Sprintf("%T %v", want, want))
	}
}

func TestSyntaxErrorsAreLocatedInTheSource(t *testing.T) {
	for _, goal := range []transform.Goal{transform.Script, transform.FunctionBody} {
		for source, want := range map[string]string{
			"let a = ;":          "bad.js: Line 1:9",
			"let a = 1;\nlet = ": "bad.js: Line 2:",
		} {
			_, h, _ := newHost(t, coordinator.Options{})
			_, _, err := h.CompileWith([]byte(source), transform.Options{File: "bad.js", Goal: goal})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", source, err, want)
			}
		}
	}
}
