package gojahost

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// testPool is a pool whose clock the test moves: pass(ms) in scripts.
func testPool(t *testing.T, options Options) (*Pool, *handClock, func() *Host) {
	t.Helper()
	c := newHandClock(coordinator.Options{Interval: time.Millisecond, Seed: 3})
	pool := NewPool(coordinator.New(c.options), options)
	return pool, c, func() *Host {
		vm := goja.New()
		h := must.Get(pool.Host(vm))(t)
		_ = vm.Set("pass", h.Native("pass", func(ms int) { c.now += time.Duration(ms) * time.Millisecond }))
		return h
	}
}

// A program is compiled once and runs in every runtime; the pool's profile has all of
// them, also the one that is gone, and a host's has its own.
func TestPool(t *testing.T) {
	pool, _, host := testPool(t, Options{})
	source := []byte("function rule(ms) { pass(ms) }\nrule(ms)")
	rule := must.Get(pool.Compile("rule.js", source))(t)
	if again := must.Get(pool.Compile("rule.js", source))(t); again != rule {
		t.Error("it was compiled twice")
	}
	other := must.Get(pool.CompileWith([]byte("exports.x = 1; pass(1)"), transform.Options{File: "rule.js", Goal: transform.FunctionBody}))(t)
	if other == rule {
		t.Error("another text is the same program")
	}
	stop := pool.Coordinator().Start()
	own := map[int]int64{}
	var hosts []*Host
	for i := range 4 {
		h := host()
		hosts = append(hosts, h)
		for range 1 + i {
			_ = h.vm.Set("ms", 20)
			must.Get(h.As("runtime", fmt.Sprint(i)).RunProgram(must.Get(rule.In(h))(t)))(t)
		}
		own[i] = h.Profile().Meta.Ticks.Taken
	}
	must.Equal(t, pool.State().Runtimes, 4)
	hosts[0].Close()
	hosts[0].Close()
	must.Equal(t, pool.State().Runtimes, 3)
	stop()
	p := pool.Profile()
	must.Do(t, p.CheckValid())
	all, native := int64(0), int64(0)
	for i := range own {
		all += own[i]
	}
	for i := range p.Len() {
		if s := p.Sample(i); s.Kind == profile.Native {
			native += int64(s.Weight)
			caller := p.Function(p.Frames.Function[p.Stacks.Frame[p.Stacks.Parent[s.Stack]]])
			must.Equal(t, caller.Name+" "+caller.File, "rule rule.js")
		}
	}
	if a := p.Meta.Ticks; a.Taken != all || native != all || all < 100 || a.Raised != a.Taken+a.Idle+a.GC+a.Lost {
		t.Errorf("%d ticks, %d native, of hosts with %v: %+v", all, native, own, a)
	}
	must.Equal(t, pool.State().Ticks, p.Meta.Ticks, "the account of all time")
	must.Equal(t, pool.Drain().Meta.Ticks.Taken, all, "drained")
	must.Equal(t, pool.Profile().Len(), 0, "samples of an empty recording")
}

func TestSyntaxErrorsInPools(t *testing.T) {
	pool, _, host := testPool(t, Options{})
	_, err := pool.Compile("bad.js", []byte("let a = ;"))
	if err == nil || !strings.Contains(err.Error(), "bad.js: Line 1:9") {
		t.Errorf("%v", err)
	}
	good := must.Get(pool.Compile("bad.js", []byte("throw new Error('here')")))(t)
	h := host()
	_, err = h.RunProgram(must.Get(good.In(h))(t))
	if err == nil || !strings.Contains(err.Error(), "bad.js:1:") {
		t.Errorf("%v: the failed text has taken the name", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("another pool's host took the program")
		}
	}()
	_, _ = good.In(New(goja.New(), pool.Coordinator()))
}

// A runtime has one host, until that is closed.
func TestTwoHostsOnOneRuntime(t *testing.T) {
	pool, _, _ := testPool(t, Options{})
	vm := goja.New()
	first := must.Get(pool.Host(vm))(t)
	if _, err := pool.Host(vm); err == nil || !strings.Contains(err.Error(), "has a host already") {
		t.Errorf("%v", err)
	}
	func() {
		defer func() {
			if text := fmt.Sprint(recover()); !strings.Contains(text, "has a host already") {
				t.Error(text)
			}
		}()
		New(vm, pool.Coordinator())
	}()
	must.Equal(t, pool.State().Runtimes, 1)
	first.Close()
	second := must.Get(pool.Host(vm))(t)
	must.Equal(t, pool.State().Runtimes, 1)
	first.Close()
	if _, err := pool.Host(vm); err == nil {
		t.Error("closing the first host again made room for a third")
	}
	second.Close()
}

// A runtime that is dropped without a word is collected, and leaves the pool; its samples
// stay.
func TestDroppedRuntimes(t *testing.T) {
	pool, _, host := testPool(t, Options{})
	rule := must.Get(pool.Compile("rule.js", []byte("function rule() { pass(20) }\nrule()")))(t)
	defer pool.Coordinator().Start()()
	const runtimes = 20
	for range runtimes {
		h := host()
		must.Get(h.RunProgram(must.Get(rule.In(h))(t)))(t)
	}
	taken := pool.State().Ticks.Taken
	for end := time.Now().Add(hang); pool.State().Runtimes > 0; runtime.GC() {
		if time.Now().After(end) {
			t.Fatalf("%d of %d runtimes are still there", pool.State().Runtimes, runtimes)
		}
	}
	claims := 0
	for end := time.Now().Add(hang); ; runtime.GC() {
		claims = 0
		claimed.Range(func(any, any) bool { claims++; return true })
		if claims == 0 || time.Now().After(end) {
			break
		}
	}
	must.Equal(t, claims, 0, "claims")
	p := pool.Profile()
	must.Equal(t, p.Meta.Ticks.Taken, taken, "ticks")
	if taken < 20*10 {
		t.Errorf("%d ticks", taken)
	}
}

// A script that takes our names away, or calls itself a hundred thousand times, harms
// only itself.
func TestScriptsThatDoHarm(t *testing.T) {
	pool, _, host := testPool(t, Options{})
	defer pool.Coordinator().Start()()
	h := host()
	run := func(name, source string) (goja.Value, error) {
		return h.RunProgram(must.Get(must.Get(pool.Compile(name, []byte(source)))(t).In(h))(t))
	}
	_, _ = run("harm.js", `
		for (const name of Object.getOwnPropertyNames(globalThis)) if (name.startsWith("$")) {
			try { delete globalThis[name] } catch (e) {}
			try { globalThis[name] = () => { throw 1 } } catch (e) {}
		}
		function f() { for (let i = 0; i < 5; i++) pass(20) }
		f()`)
	before := pool.State().Ticks.Taken
	must.Get(run("good.js", "function good() { for (let i = 0; i < 3; i++) pass(20) }\ngood()"))(t)
	if taken := pool.State().Ticks.Taken - before; taken < 30 {
		t.Errorf("%d ticks in the script after", taken)
	}
	depth := must.Get(run("deep.js", `
		function down(n) { if (n) { const deep = down(n - 1); if (n % 1000 == 0) pass(2); return deep + 1 } pass(50); return 0 }
		down(100000)`))(t)
	must.Equal(t, depth.ToInteger(), 100000)
	if h.TruncatedStacks() == 0 {
		t.Error("no stack was cut")
	}
	must.Do(t, pool.Profile().CheckValid())
}
