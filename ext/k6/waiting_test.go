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

// rehearsal runs scripts as a virtual user does, by a clock that only they move.
type rehearsal struct {
	vm   *sobek.Runtime
	u    *user
	pool *sobekhost.Pool
	now  time.Duration
	stop func() // the clock
}

func rehearse(t *testing.T) *rehearsal {
	t.Helper()
	r := &rehearsal{vm: sobek.New()}
	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond, Clock: func() time.Duration { return r.now }})
	r.pool = sobekhost.NewPool(clock, sobekhost.Options{})
	r.u = &user{host: must.Get(r.pool.Host(r.vm))(t), async: must.Get(asyncFunctions(r.vm))(t)}
	r.vm.SetAsyncContextTracker(resumption{r.u.host})
	_ = r.vm.Set("pass", r.pass)
	r.stop = clock.Start()
	return r
}

func (r *rehearsal) pass(ms int64) { r.now += time.Duration(ms) * time.Millisecond }

// run runs a script and then its function run.
func (r *rehearsal) run(t *testing.T, script string) {
	t.Helper()
	program := must.Get(must.Get(r.pool.Compile("a.js", []byte("for (let i = 0; i < 9; i++) i += 0;"+script)))(t).In(r.u.host))(t)
	must.Get(r.vm.RunProgram(program))(t)
	run, _ := sobek.AssertFunction(r.vm.Get("run"))
	must.Get(run(nil))(t)
}

func (r *rehearsal) end() *profile.Profile {
	r.stop()
	r.u.host.Rested()
	return r.pool.Profile()
}

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
		r := rehearse(t)
		vm, u, pass := r.vm, r.u, r.pass
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
		_ = vm.Set("sleep", u.waiting(wait{name: "sleep"}, native("sleep", slow)))
		_ = vm.Set("connect", u.waiting(wait{name: "connect"}, native("connect", slow)))
		_ = vm.Set("group", u.waiting(wait{name: "group", passes: (*user).functionsWork}, native("group", group)))
		_ = vm.Set("check", u.waiting(wait{name: "check", passes: (*user).checksWork}, native("check", check)))
		later, resolve, _ := vm.NewPromise()
		_ = vm.Set("later", later)
		r.run(t, c.script)
		if name == "a promise" {
			pass(20)
			must.Do(t, resolve(1))
			must.Get(vm.RunString(""))(t)
		}
		recorded := r.end()
		ticks := recorded.Meta.Ticks
		if ticks.Idle > 0 != c.idle || ticks.Taken > 0 != c.busy || ticks.Lost > 0 {
			t.Errorf("%s: %+v", name, ticks)
		}
		for key := range byName(profile.Attribute(recorded, profile.BySite)) {
			// After the last check of a callback, which has no name, the time is that of what called it back.
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
