package k6

import (
	"slices"
	"testing"
	"time"

	"github.com/grafana/sobek"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost/sobekhost"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// The waits of virtual users are not work; their computations are.
func TestWaitingIsNoWork(t *testing.T) {
	for name, c := range map[string]struct {
		script     string
		idle, busy bool
	}{
		"nothing":            {"function run() { for (let i = 0; i < 9999; i++) { pass(1); for (let j = 0; j < 2; j++) j += 0 } }", false, true},
		"a function":         {"function run() { for (let i = 0; i < 9; i++) sleep(20) }", true, false},
		"a callback":         {"function run() { connect(() => { for (let i = 0; i < 9; i++) i += 0 }) }", true, false},
		"a promise":          {"async function run() { for (let i = 0; i < 9; i++) await later; for (let i = 0; i < 9; i++) i += 0 }", true, false},
		"work in a callback": {"function run() { for (let i = 0; i < 9; i++) group(() => { pass(20); for (let j = 0; j < 2; j++) j += 0 }) }", true, true},
		"unchecked work":     {"function run() { for (let i = 0; i < 9; i++) group(() => pass(20)) }", true, true},
		"work in checks":     {"function run() { for (let i = 0; i < 9; i++) check(1, { a: false, b: (x) => pass(20 * x) }) }", true, true},
		"no checks":          {"function run() { for (let i = 0; i < 9; i++) check(1, { a: true, b: 0 }) }", true, false},
		"both":               {"function run() { for (let i = 0; i < 9; i++) { pass(20); sleep(20) } }", true, true},
	} {
		now := time.Duration(0)
		clock := coordinator.New(coordinator.Options{Interval: time.Millisecond, Clock: func() time.Duration { return now }})
		pool, vm := sobekhost.NewPool(clock, sobekhost.Options{}), sobek.New()
		host := must.Get(pool.Host(vm))(t)
		u := &user{host: host, async: must.Get(asyncFunctions(vm))(t)}
		pass := func(ms int64) { now += time.Duration(ms) * time.Millisecond }
		// Like a function of k6, it waits for some time, and then calls back.
		slow := func(_ sobek.Value, arguments ...sobek.Value) (sobek.Value, error) {
			pass(20)
			if back, ok := sobek.AssertFunction(arguments[0]); ok {
				return back(nil)
			}
			return sobek.Undefined(), nil
		}
		native := func(name string, function sobek.Callable) sobek.Value {
			object := vm.ToValue(func(call sobek.FunctionCall) sobek.Value { return must.Get(function(call.This, call.Arguments...))(t) }).ToObject(vm)
			must.Do(t, object.DefineDataProperty("name", vm.ToValue(name), sobek.FLAG_FALSE, sobek.FLAG_TRUE, sobek.FLAG_FALSE))
			return object
		}
		_ = vm.Set("pass", pass)
		group := func(_ sobek.Value, arguments ...sobek.Value) (sobek.Value, error) {
			back, _ := sobek.AssertFunction(arguments[0])
			value, err := back(nil)
			pass(20)
			return value, err
		}
		check := func(_ sobek.Value, arguments ...sobek.Value) (sobek.Value, error) {
			object := arguments[1].ToObject(vm)
			for _, name := range object.Keys() {
				if back, ok := sobek.AssertFunction(object.Get(name)); ok {
					must.Get(back(nil, arguments[0]))(t)
				}
				pass(20)
			}
			return vm.ToValue(len(object.Keys())), nil
		}
		_ = vm.Set("sleep", u.waiting(wait{"sleep", nil}, native("sleep", slow)))
		_ = vm.Set("connect", u.waiting(wait{"connect", nil}, native("connect", slow)))
		_ = vm.Set("group", u.waiting(wait{"group", (*user).functionsWork}, native("group", group)))
		_ = vm.Set("check", u.waiting(wait{"check", (*user).checksWork}, native("check", check)))
		later, resolve, _ := vm.NewPromise()
		_ = vm.Set("later", later)
		vm.SetAsyncContextTracker(resumption{host})
		program := must.Get(must.Get(pool.Compile("a.js", []byte("for (let i = 0; i < 9; i++) i += 0;"+c.script)))(t).In(host))(t)
		stop := clock.Start()
		must.Get(vm.RunProgram(program))(t)
		run, _ := sobek.AssertFunction(vm.Get("run"))
		must.Get(run(nil))(t)
		if name == "a promise" {
			pass(20)
			must.Do(t, resolve(1))
			must.Get(vm.RunString(""))(t)
		}
		stop()
		host.Rested()
		ticks := pool.Profile().Meta.Ticks
		if ticks.Idle > 0 != c.idle || ticks.Taken > 0 != c.busy || ticks.Lost > 0 {
			t.Errorf("%s: %+v", name, ticks)
		}
		for key := range byName(profile.Attribute(pool.Profile(), profile.BySite)) {
			// After the last check of a callback, which has no name, the time belongs to what called it back.
			if !slices.Contains([]string{"run", "group", "check", "", profile.NameIdle}, key) {
				t.Errorf("%s: %s has time", name, key)
			}
		}
	}
}

func byName(p *profile.Profile) map[string]int64 {
	all := map[string]int64{}
	for i := range p.Len() {
		s := p.Sample(i)
		all[p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]]).Name] += int64(s.Weight)
	}
	return all
}
