package gojahost

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
	names "github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

// handMade are bindings for scripts with checks written by hand.
var handMade = names.Bindings{GlobalFlag: "F", GlobalCapture: "C"}

// compile compiles a script with the checks of preset precise.
func compile(t testing.TB, h *Host, name, source string) *goja.Program {
	t.Helper()
	program, result, err := h.CompileWith([]byte(source), transform.Options{File: name, Selection: transform.Selection{Preset: transform.Precise}})
	if err != nil || len(result.Warnings) > 0 {
		t.Fatal(err, result.Warnings)
	}
	return program
}

// shares returns self times by function, in percent of everything but the functions left
// out.
func shares(p *profile.Profile, without ...string) map[string]float64 {
	total, self := 0.0, map[string]float64{}
	for _, row := range view.Flat(profile.Attribute(p, profile.BySite)) {
		if strings.Contains(strings.Join(without, " "), row.Name) && row.Name != "" {
			continue
		}
		self[row.Name] += float64(row.Self)
		total += float64(row.Self)
	}
	for name := range self {
		self[name] *= 100 / total
	}
	return self
}

const spinning = `
function spin(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521; return s; }
function heavy() { let s = 0; for (let i = 0; i < 6000; i++) s = (s * 31 + i) % 65521; return s; }
function light() { let s = 0; for (let i = 0; i < 2000; i++) s = (s * 31 + i) % 65521; return s; }
function main(rounds) { let s = 0; for (let i = 0; i < rounds; i++) s += heavy() + light(); return s; }
`

func TestThreeRuntimesOneCoordinator(t *testing.T) {
	co := coordinator.New(coordinator.Options{Interval: time.Millisecond, Seed: 1})
	stop := co.Start()
	profiles := make([]*profile.Profile, 3)
	var wait sync.WaitGroup
	for i := range profiles {
		wait.Go(func() {
			vm := goja.New()
			h := New(vm, co)
			defer h.Close()
			program := compile(t, h, "spin.js", spinning+"main(20)")
			// Until both have been sampled: on a busy machine samples are few.
			for end := time.Now().Add(hang); ; {
				if _, err := h.RunProgram(program); err != nil {
					t.Error(err)
				}
				profiles[i] = h.Profile()
				got := shares(profiles[i])
				if got["heavy"] > 0 && got["light"] > 0 {
					return
				}
				if time.Now().After(end) {
					t.Errorf("runtime %d: %v", i, got)
					return
				}
			}
		})
	}
	wait.Wait()
	stop()
	for i, p := range profiles {
		must.Do(t, p.CheckValid())
		ticks := p.Meta.Ticks
		must.Equal(t, ticks.Raised, ticks.Taken+ticks.Idle+ticks.GC+ticks.Lost, "runtime", i, ticks)
	}
}

// Three runtimes take turns on one clock. Each function has exactly the ticks of the
// time that passed in it; for the other runtimes that time is idle.
func TestEachFunctionHasItsTicks(t *testing.T) {
	c := newHandClock(coordinator.Options{Interval: time.Millisecond, Seed: 7})
	co := coordinator.New(c.options)
	hosts := make([]*Host, 3)
	for i := range hosts {
		vm := goja.New()
		hosts[i] = New(vm, co)
		// After each step a loop has so many checks that one of them reads the clock.
		_ = vm.Set("pass", func(function string) { c.pass(10*time.Microsecond, fmt.Sprint(function, i)) })
	}
	stop := co.Start()
	c.start()
	for range 20 {
		for _, h := range hosts {
			must.Get(h.RunProgram(compile(t, h, "pass.js", `
				function heavy() { for (let i = 0; i < 60; i++) { pass('heavy'); for (let j = 0; j < 140; j++); } }
				function light() { for (let i = 0; i < 20; i++) { pass('light'); for (let j = 0; j < 140; j++); } }
				for (let i = 0; i < 3; i++) { heavy(); light() }`)))(t)
		}
	}
	stop()
	all := int64(0)
	for _, n := range c.ticks {
		all += n
	}
	for i, h := range hosts {
		p := h.Profile()
		must.Do(t, p.CheckValid())
		self := map[string]int64{}
		for _, row := range view.Flat(profile.Attribute(p, profile.BySite)) {
			if row.Self > 0 {
				self[row.Name] += row.Self
			}
		}
		heavy, light := c.ticks[fmt.Sprint("heavy", i)], c.ticks[fmt.Sprint("light", i)]
		want := map[string]int64{"heavy": heavy, "light": light, profile.NameIdle: all - heavy - light}
		if !maps.Equal(self, want) || heavy < 2*light || light < 5 {
			t.Errorf("runtime %d: %v, want %v", i, self, want)
		}
	}
}

// A tick that falls while Go waits belongs to no function, and the task after the wait
// is not charged for it.
func TestIdleTimeIsNobodys(t *testing.T) {
	c := newHandClock(coordinator.Options{Interval: time.Millisecond})
	vm, h, co := newHost(t, c.options)
	must.Get(h.RunProgram(compile(t, h, "spin.js", spinning)))(t)
	spin, _ := goja.AssertFunction(vm.Get("spin"))
	spin = h.Callable(spin)
	stop := co.Start()
	for range 10 {
		for range 19 {
			c.now += time.Millisecond
			h.counter.Poll() // as the goroutine would
		}
		c.now += time.Millisecond // only the task knows of this
		must.Get(spin(nil, vm.ToValue(300)))(t)
	}
	stop()
	got := shares(h.Profile())
	if len(got) != 1 || got[profile.NameIdle] == 0 {
		t.Errorf("%v: all of it is idle", got)
	}
	if ticks := h.counter.Ticks(); ticks.Idle < 100 || ticks.Idle != ticks.Raised {
		t.Errorf("%+v", ticks)
	}
}

// Time in a registered Go function belongs to it; time before and after it belongs to
// its caller.
func TestNativeTime(t *testing.T) {
	c := newHandClock(coordinator.Options{Interval: time.Millisecond})
	vm, h, co := newHost(t, c.options)
	must.Do(t, vm.Set("hash", h.Native("hash", func(ms int) int { c.pass(time.Duration(ms)*time.Millisecond, "hash"); return ms })))
	must.Do(t, vm.Set("direct", h.Native("direct", func(call goja.FunctionCall) goja.Value {
		c.pass(10*time.Millisecond, "direct")
		return call.Argument(0)
	})))
	_ = vm.Set("pass", func() { c.pass(5*time.Millisecond, "caller") }) // the host does not know it
	stop := co.Start()
	c.start()
	must.Get(h.RunProgram(compile(t, h, "native.js", spinning+`
		function caller() { let s = 0; for (let i = 0; i < 10; i++) { pass(); s += hash(10) + direct(1); s += spin(1000); } return s; }
		caller()`)))(t)
	stop()
	must.Equal(t, vm.Get("hash").ToObject(vm).Get("name").String(), "hash", "the function lost its name")
	p := profile.Attribute(h.Profile(), profile.BySite)
	rows := map[string]view.Row{}
	for _, row := range view.Flat(p) {
		rows[row.Name] = row
	}
	for _, name := range []string{"hash", "direct", "caller"} {
		if got, want := rows[name].Self, c.ticks[name]; got != want || want < 10 {
			t.Errorf("%s has %d ticks, want %d", name, got, want)
		}
	}
	must.Equal(t, rows["hash"].File, profile.NameNative, "hash is in")
	caller := rows["caller"]
	if callees := rows["hash"].Self + rows["direct"].Self; callees == 0 || caller.Total < caller.Self+callees {
		t.Errorf("caller's total %d and self %d do not hold its callees' %d", caller.Total, caller.Self, callees)
	}
}

func TestNativePassesErrorsThrough(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	_ = vm.Set("fails", h.Native("fails", func() (int, error) { return 0, errors.New("from Go") }))
	_ = vm.Set("throws", h.Native("throws", func(goja.FunctionCall) goja.Value { panic(vm.NewTypeError("thrown")) }))
	_ = vm.Set("calls", h.Native("calls", callsIt))
	for source, want := range map[string]string{
		`try { fails() } catch (e) { String(e) }`:                                        "GoError: from Go",
		`try { throws() } catch (e) { e instanceof TypeError && e.message }`:             "thrown",
		`try { calls(() => { throw new RangeError("inner") }) } catch (e) { e.message }`: "inner",
		`calls(() => 5)`: "5",
	} {
		must.Equal(t, must.Get(h.RunScript("errors.js", source))(t).String(), want, source)
	}
	must.Equal(t, h.Native("notAFunction", 42).String(), "42", "a number became")
}

// Ticks in pauses of Go's collector belong to it, and are counted.
func TestCollectorPausesShow(t *testing.T) {
	vm, h, co := newHost(t, coordinator.Options{Interval: 100 * time.Microsecond})
	_ = vm.Set("collect", func() { runtime.GC() })
	program := compile(t, h, "gc.js", `function f() { for (let i = 0; i < 200; i++) collect(); } f()`)
	stop := co.Start()
	for end := time.Now().Add(hang); h.counter.Ticks().GC == 0 && time.Now().Before(end); {
		must.Get(h.RunProgram(program))(t)
	}
	stop()
	p := h.Profile()
	if p.Meta.Ticks.GC == 0 {
		t.Fatal("no tick fell into a pause of thousands of collections")
	}
	if got := shares(p); got[profile.NameGC] == 0 {
		t.Errorf("%v", got)
	}
}

// With the flag up at every check, the samples say exactly where the checks are.
func TestEveryCheckCaptures(t *testing.T) {
	_, h, _ := newHost(t, coordinator.Options{})
	h.Arm()
	must.Get(h.RunProgram(compile(t, h, "checks.js", "function leaf(x) { return x + 1 }\nfunction twice(x) {\n  for (let i = 0; i < 2; i++) x++;\n  return leaf(x);\n}\ntwice(1);")))(t)
	p := h.Profile()
	var got []string
	for i := range p.Len() {
		s := p.Sample(i)
		f := p.Frames.Function[p.Stacks.Frame[s.Stack]]
		got = append(got, p.Function(f).Name+" "+s.Kind.String())
	}
	want := "twice entry, twice loop, twice loop, leaf entry, leaf exit, twice exit"
	must.Equal(t, strings.Join(got, ", "), want)
	depths := 0
	for s := p.Sample(3).Stack; s != profile.NoStack; s = p.Stacks.Parent[s] {
		depths++
	}
	must.Equal(t, depths, 3, "leaf")
}

// Whatever a script does with the flag, it is false and harmless.
func TestFlagIsFalseToScripts(t *testing.T) {
	vm, _, _ := newHost(t, coordinator.Options{})
	for source, want := range map[string]string{
		"typeof F": "string", "String(F)": "", "F === ''": "true", "F == 0": "true", "F == false": "true", "!F": "true", "F ? 1 : 2": "2",
		"JSON.stringify({a: [F]})": `{"a":[""]}`, "F + 'a'": "a", "`<${F}>`": "<>", "-F": "0", "F.length": "0", "F.toString()": "",
		"Object(F) instanceof String": "true", "new Map([[F, 1]]).get('')": "1", "[F, F].sort().join('-')": "-", "F || 5": "5",
		"try { throw F } catch (e) { typeof e }": "string", "Object.getOwnPropertyNames(globalThis).includes('F')": "true",
		"C(9)": "undefined", "C()": "undefined", "C('x')": "undefined", "Object.keys(globalThis).includes('F')": "false",
	} {
		value, err := vm.RunString(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
		} else if value.String() != want {
			t.Errorf("%s is %v, want %s", source, value, want)
		}
	}
}

// Scripts may delete or freeze all that the global object has, and those that run then still do.
func TestGlobalObjectsAreCleanedAndFrozen(t *testing.T) {
	const clean = "const keep = ['keep', 'f', 'Object', 'globalThis']; for (const k of Object.getOwnPropertyNames(globalThis)) if (!keep.includes(k)) delete globalThis[k];"
	for _, change := range []string{clean, "Object.freeze(globalThis)", "Object.seal(globalThis)", "Object.preventExtensions(globalThis)", clean + "Object.freeze(globalThis)"} {
		vm := goja.New()
		h := New(vm, coordinator.New(coordinator.Options{}))
		must.Equal(t, must.Get(h.RunScript("a.js", "function f(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s }\n"+change+"\nf(4)"))(t).String(), "6", change)
		must.Equal(t, must.Get(h.RunScript("a.js", "f(5)"))(t).String(), "10", change)
		must.Equal(t, must.Get(h.RunScript("b.js", "[1, 2].map((n) => { for (;;) return f(n + 3) }).join()"))(t).String(), "6,10", change)
		h.Close()
	}
}

// A runtime's next host takes the names over.
func TestNextHost(t *testing.T) {
	vm, co := goja.New(), coordinator.New(coordinator.Options{})
	first := New(vm, co)
	must.Get(first.RunScript("a.js", "1"))(t)
	first.Close()
	second := New(vm, co)
	defer second.Close()
	_ = vm.Set("tick", tick(second))
	must.Get(second.RunScript("b.js", "(function f() { tick(); for (let i = 0; i < 3; i++); })()"))(t)
	must.Equal(t, len(taken(second)), 1)
}

// Deep stacks are cut at MaxDepth, and keep the innermost frames.
func TestDeepRecursion(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	h.Arm()
	must.Do(t, h.Install(handMade)) // with the flag that is up
	must.Get(vm.RunString("function leaf() { if (F) C(2) }\nfunction down(n) { n ? down(n - 1) : leaf() }\ndown(12000)"))(t)
	p := h.Profile()
	must.Equal(t, p.Len(), 1)
	depth, top := 0, p.Sample(0).Stack
	for s := top; s != profile.NoStack; s = p.Stacks.Parent[s] {
		depth++
	}
	if name := p.Function(p.Frames.Function[p.Stacks.Frame[top]]).Name; name != "leaf" || depth != MaxDepth {
		t.Errorf("%d frames, %q innermost", depth, name)
	}
}

// Columns after non-ASCII characters are in UTF-16 units, although goja counts bytes.
func TestColumnsAreUTF16(t *testing.T) {
	_, h, _ := newHost(t, coordinator.Options{})
	h.Arm()
	must.Get(h.RunProgram(compile(t, h, "wide.js", `const s = "é😀😀😀"; function a() { return 1 } function b() { return a() } b()`)))(t)
	got := shares(h.Profile())
	if len(got) != 3 || got["a"] == 0 || got["b"] == 0 {
		t.Errorf("%v", got)
	}
}

func TestSamplesAreBounded(t *testing.T) {
	vm := goja.New()
	now := time.Duration(0)
	co := coordinator.New(coordinator.Options{Interval: 200 * time.Microsecond, Clock: func() time.Duration {
		now += 20 * time.Microsecond // each time the clock is read
		return now
	}})
	h := New(vm, co)
	h.recording.ring.limit = 3
	stop := co.Start()
	for range 50 {
		must.Get(h.RunProgram(compile(t, h, "spin.js", spinning+"main(2)")))(t)
	}
	stop()
	p := h.Profile()
	ticks, all := p.Meta.Ticks, h.counter.Ticks()
	if ticks.Dropped == 0 || ticks.Raised != ticks.Taken+ticks.Idle+ticks.GC+ticks.Lost || ticks.Raised+ticks.Dropped != all.Raised {
		t.Errorf("%+v of %+v", ticks, all)
	}
	samples := 0
	each(h, func(*segment, sample) { samples++ })
	must.Equal(t, samples, 3, "kept")
}

// A capture allocates nothing once its stack is known.
func TestCaptureDoesNotAllocate(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	h.Arm()
	_ = vm.Set("measure", func(goja.FunctionCall) goja.Value {
		call := goja.FunctionCall{Arguments: []goja.Value{vm.ToValue(2)}}
		h.check(call)
		must.Equal(t, testing.AllocsPerRun(chunkSize-2, func() { h.check(call) }), 0)
		return nil
	})
	must.Get(vm.RunString("function down(n) { n ? down(n - 1) : measure() }\ndown(50)"))(t)
}

// The table must tell stacks apart in whatever order they come.
func TestInterning(t *testing.T) {
	vm := goja.New()
	var captured [][]goja.StackFrame
	_ = vm.Set("capture", func() { captured = append(captured, append([]goja.StackFrame(nil), vm.CaptureCallStack(0, nil)...)) })
	must.Get(vm.RunString(`
		function a(n) { capture(); if (n) { a(n - 1); capture(); b(n - 1) } capture() }
		function b(n) { if (n) a(n - 1); capture() }
		a(5); b(4); capture()`))(t)
	s := newStacks(MaxStacks)
	seen := map[string]stackID{}
	describe := func(frames []goja.StackFrame) string {
		var b strings.Builder
		for i := range frames {
			b.WriteString(frames[i].FuncName() + frames[i].Position().String() + ";")
		}
		return b.String()
	}
	for range 2 {
		for _, frames := range captured {
			id, ok := s.intern(frames)
			if !ok {
				t.Fatal("no room")
			}
			key := describe(frames)
			if before, ok := seen[key]; ok && before != id {
				t.Fatalf("%s is %d and %d", key, before, id)
			}
			seen[key] = id
			var back []goja.StackFrame
			for at := id; at != noStack; at = s.nodes[at].caller {
				back = append(back, s.frames[s.nodes[at].frame])
			}
			must.Equal(t, describe(back), key)
		}
	}
	if id, ok := s.intern(nil); id != noStack || !ok {
		t.Error("an empty stack has an id")
	}
	s.limit = len(s.nodes)
	for _, frames := range captured {
		if id, ok := s.intern(frames); !ok || seen[describe(frames)] != id {
			t.Errorf("a full table no longer knows %s", describe(frames))
		}
		if id, ok := s.intern(append(frames, frames...)); ok || id != noStack {
			t.Error("a full table took another stack")
		}
	}
}

// BenchmarkCapture measures the cost of one sample: on the same stack every time, and on
// alternating stacks that share only the outermost frame.
func BenchmarkCapture(b *testing.B) {
	for _, depth := range []int{10, 50, 200} {
		for _, functions := range []string{"one", "one two"} {
			b.Run(fmt.Sprintf("depth=%d/stacks=%d", depth, len(strings.Fields(functions))), func(b *testing.B) {
				vm, h, _ := newHost(b, coordinator.Options{})
				h.Arm()
				stacks := map[string][]goja.StackFrame{}
				call := goja.FunctionCall{Arguments: []goja.Value{vm.ToValue(2)}}
				measure := func(c goja.FunctionCall) goja.Value {
					// The host saw the stack of the other function last.
					other := stacks["two"]
					b.ReportAllocs()
					for b.Loop() {
						h.check(call)
						if other != nil {
							_, _ = h.stacks.intern(other)
						}
					}
					return nil
				}
				keep := func(c goja.FunctionCall) goja.Value {
					stacks["two"] = vm.CaptureCallStack(0, nil)
					return nil
				}
				_ = vm.Set("measure", measure)
				_ = vm.Set("keep", keep)
				source := "function one(n) { n ? one(n - 1) : measure() }\nfunction two(n) { n ? two(n - 1) : keep() }\n"
				if functions != "one" {
					source += fmt.Sprintf("two(%d);", depth-2)
				}
				must.Get(vm.RunString(source + fmt.Sprintf("one(%d)", depth-2)))(b)
			})
		}
	}
}
