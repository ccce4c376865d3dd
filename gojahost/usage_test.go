package gojahost

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// tagsOf are a row's or a sample's tags: "tenant=a".
func tagsOf(tags []profile.Tag) string {
	var all []string
	for _, tag := range tags {
		all = append(all, tag.Key+"="+tag.Value)
	}
	return strings.Join(all, " ")
}

// byTags counts a profile's ticks by tags.
func byTags(p *profile.Profile) map[string]int64 {
	all := map[string]int64{}
	for i := range p.Len() {
		s := p.Sample(i)
		all[tagsOf(p.TagsOf(i))+" "+s.Kind.String()] += int64(s.Weight)
	}
	return all
}

// rows are what tags used, in milliseconds.
func rows(u Usage) map[string]string {
	all := map[string]string{}
	for _, r := range u.Rows {
		all[tagsOf(r.Tags)] = fmt.Sprintf("%d tasks, %v, waiting %v, cpu %v, %d ticks", r.Tasks, r.Wall, r.Waiting, r.CPU, r.Ticks)
	}
	return all
}

// working is a ticking host whose script has work(ms), which is checked, and bare(ms),
// which is not.
func working(t testing.TB, options Options) (h *Host, c *handClock, work, bare func(*Task, float64)) {
	t.Helper()
	h, c = ticking(t, options)
	must.Get(h.vm.RunString(`
		function work(ms) { pass(ms); if (F) C(1) }
		function bare(ms) { pass(ms) }`))(t)
	call := func(name string) func(*Task, float64) {
		fn, _ := goja.AssertFunction(h.vm.Get(name))
		return func(task *Task, ms float64) { must.Get(task.Callable(fn)(nil, h.vm.ToValue(ms)))(t) }
	}
	return h, c, call("work"), call("bare")
}

// Samples have the tags of their task, also where no check took them; and usage is by tag.
func TestTags(t *testing.T) {
	h, c, work, bare := working(t, Options{})
	a, b := h.As("tenant", "a"), h.As("tenant", "b", "route", "/")
	none := h.As()
	work(a, 10)
	c.now += time.Second
	work(b, 20)
	bare(b, 5)
	work(none, 1)
	must.Equal(t, byTags(h.Profile()), map[string]int64{"tenant=a loop": 1, "route=/ tenant=b loop": 1, "route=/ tenant=b program": 1, " loop": 1})
	u := h.Usage()
	must.Equal(t, rows(u), map[string]string{
		"tenant=a":         "1 tasks, 10ms, waiting 0s, cpu 0s, 1 ticks",
		"route=/ tenant=b": "2 tasks, 25ms, waiting 0s, cpu 0s, 2 ticks",
		"":                 "1 tasks, 1ms, waiting 0s, cpu 0s, 1 ticks",
	})
	must.Equal(t, u.Until.Sub(u.Since), 1036*time.Millisecond)
	must.Equal(t, tagsOf(u.Rows[0].Tags), "route=/ tenant=b", "most used")
	if r := u.Rows[0]; r.Low > r.Time || r.High <= r.Time || r.CPUKnown {
		t.Errorf("%+v", r)
	}
	h.ResetUsage()
	must.Equal(t, len(h.Usage().Rows), 0, "rows after a reset")
	ctx := pprof.WithLabels(context.Background(), pprof.Labels("tenant", "c"))
	work(h.AsIn(ctx), 1)
	must.Equal(t, tagsOf(h.Usage().Rows[0].Tags), "tenant=c")
}

// A task within another has its own time, and the other's tags come back.
func TestNestedTasks(t *testing.T) {
	h, c, work, _ := working(t, Options{})
	inner := h.As("tenant", "inner")
	_ = h.vm.Set("nested", h.Native("nested", func() {
		c.now += 3 * time.Millisecond
		h.counter.Raise() // the outer's, in the native function
		work(inner, 10)
	}))
	must.Get(h.vm.RunString(`function outer() { nested(); pass(4); if (F) C(1) }`))(t)
	outer, _ := goja.AssertFunction(h.vm.Get("outer"))
	must.Get(h.As("tenant", "outer").Callable(outer)(nil))(t)
	must.Equal(t, byTags(h.Profile()), map[string]int64{"tenant=outer native": 1, "tenant=inner loop": 1, "tenant=outer loop": 1})
	must.Equal(t, rows(h.Usage()), map[string]string{
		"tenant=inner": "1 tasks, 10ms, waiting 0s, cpu 0s, 1 ticks",
		"tenant=outer": "1 tasks, 7ms, waiting 0s, cpu 0s, 2 ticks",
	})
}

// Waiting is not work: neither in samples, nor for usage, also if it panics or runs a
// script.
func TestWaiting(t *testing.T) {
	h, c, work, _ := working(t, Options{})
	task := h.As("tenant", "a")
	_ = h.vm.Set("fetch", h.Native("fetch", func(fails bool) {
		c.now += 2 * time.Millisecond
		h.counter.Raise()
		h.Waiting(func() {
			c.now += time.Second
			h.counter.Raise()
			h.Waiting(func() { c.now += time.Second })
			work(task, 30)
			c.now += time.Second
			h.counter.Raise()
			if fails {
				panic(h.vm.NewTypeError("no network"))
			}
		})
		c.now += 5 * time.Millisecond
		h.counter.Raise()
	}))
	must.Get(h.vm.RunString(`function loads(fails) { try { fetch(fails) } catch (e) { pass(1); if (F) C(1); return e.message } }`))(t)
	loads, _ := goja.AssertFunction(h.vm.Get("loads"))
	must.Get(task.Callable(loads)(nil, h.vm.ToValue(false)))(t)
	must.Equal(t, byTags(h.Profile()), map[string]int64{"tenant=a native": 2, " idle": 2, "tenant=a loop": 1})
	must.Equal(t, rows(h.Usage()), map[string]string{"tenant=a": "2 tasks, 37ms, waiting 3s, cpu 0s, 3 ticks"})
	h.Reset()
	must.Equal(t, must.Get(task.Callable(loads)(nil, h.vm.ToValue(true)))(t).String(), "no network")
	must.Equal(t, byTags(h.Profile()), map[string]int64{"tenant=a native": 1, " idle": 2, "tenant=a loop": 2})
	h.Waiting(func() { c.now += time.Second }) // outside of tasks
	must.Equal(t, h.counter.Running(), false)
}

// A callback of a function that waits is work, without being a task of its own.
func TestWorkingWhileWaiting(t *testing.T) {
	h, c, _, _ := working(t, Options{})
	task := h.As("tenant", "a")
	_ = h.vm.Set("each", h.Native("each", func(call goja.FunctionCall) goja.Value {
		back, _ := goja.AssertFunction(call.Argument(0))
		h.Waiting(func() {
			c.now += time.Second
			h.counter.Raise()
			h.Working(func() { _, _ = back(nil) }) // its errors are nobody's
			c.now += time.Second
			h.counter.Raise()
		})
		return goja.Undefined()
	}))
	must.Get(h.vm.RunString(`
		function checked() { pass(7); if (F) C(1); pass(2) }
		function fails() { pass(7); if (F) C(1); pass(2); throw 1 }
		function run(back) { each(back); pass(1); if (F) C(1) }
	`))(t)
	run, _ := goja.AssertFunction(h.vm.Get("run"))
	for _, back := range []string{"checked", "fails"} {
		h.Reset()
		h.ResetUsage()
		must.Get(task.Callable(run)(nil, h.vm.Get(back)))(t)
		must.Equal(t, byTags(h.Profile()), map[string]int64{" idle": 2, "tenant=a loop": 2, "tenant=a native": 1})
		must.Equal(t, rows(h.Usage()), map[string]string{"tenant=a": "1 tasks, 10ms, waiting 2s, cpu 0s, 3 ticks"})
	}
	ran := false
	h.Working(func() { ran = true }) // no task waits
	must.Equal(t, ran, true)
}

// With Options.CPU usage has the processor's time, without the time that a task waited or was held up.
func TestProcessorTime(t *testing.T) {
	h, _, work, _ := working(t, Options{CPU: true})
	spent := time.Duration(0)
	h.recording.cpu.read = func() (time.Duration, bool) { return spent, true }
	_ = h.vm.Set("burn", func(ms int) { spent += time.Duration(ms) * time.Millisecond })
	must.Get(h.vm.RunString(`function half(ms) { burn(ms / 2); pass(ms); if (F) C(1) }`))(t)
	half, _ := goja.AssertFunction(h.vm.Get("half"))
	for range 3 {
		must.Get(h.As("tenant", "a").Callable(half)(nil, h.vm.ToValue(100)))(t)
	}
	spent += time.Hour // of other goroutines
	work(h.As("tenant", "b"), 50)
	u := h.Usage()
	must.Equal(t, rows(u), map[string]string{
		"tenant=a": "3 tasks, 300ms, waiting 0s, cpu 150ms, 3 ticks",
		"tenant=b": "1 tasks, 50ms, waiting 0s, cpu 0s, 1 ticks",
	})
	must.Equal(t, u.Rows[0].CPUKnown, true, "known")
}

// Tags without bound become one.
func TestTagsAreBounded(t *testing.T) {
	h, _, work, _ := working(t, Options{MaxTags: 3})
	for n := range 100 {
		work(h.As("session", fmt.Sprint(n)), 1)
	}
	var values []string
	for i := range 20 {
		values = append(values, fmt.Sprint("key", i), strings.Repeat("é", 1000))
	}
	work(h.As(values...), 1)
	must.Equal(t, byTags(h.Profile()), map[string]int64{"session=0 loop": 1, "session=1 loop": 1, "session=2 loop": 1, "tags=(other) loop": 98})
	must.Equal(t, len(h.Usage().Rows), 4, "rows")
	must.Equal(t, h.State().Tags, 4, "sets")
	long := NewWith(goja.New(), h.coordinator, Options{}).As(values...)
	set := long.host.recording.tagsOf(long.tags)
	if len(set) != maxTags || len(set[0].Value) > maxTag || !strings.HasPrefix(set[0].Value, "éé") {
		t.Errorf("%d tags, the first of %d bytes", len(set), len(set[0].Value))
	}
}

// A task that uses too much is reported once, and can be ended; the error says who and where.
func TestBudgetOfATask(t *testing.T) {
	h, c := ticking(t, Options{})
	_, err := h.RunScript("rules.js", `
		function cheap() { pass(1); for (let i = 0; i < 3; i++); }
		function dear(n) { for (let i = 0; i < n; i++) { pass(10); cheap(); } }`)
	must.Do(t, err)
	dear, _ := goja.AssertFunction(h.vm.Get("dear"))
	var overruns []*Overrun
	h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 500 * time.Millisecond, Act: func(o *Overrun) {
		overruns = append(overruns, o)
		if len(overruns) == 2 {
			o.Interrupt()
		}
	}})
	run := func(tenant string, n int) error {
		_, err := h.As("tenant", tenant).Callable(dear)(nil, h.vm.ToValue(n))
		return err
	}
	must.Do(t, run("b", 100))
	must.Do(t, run("a", 40))
	must.Equal(t, len(overruns), 0, "overruns within the budget")
	must.Do(t, run("a", 100))
	must.Equal(t, len(overruns), 1, "of a task that goes on")
	began := c.now
	err = run("a", 1e9)
	var over *Overrun
	if !errors.As(err, &over) || c.now-began > 600*time.Millisecond {
		t.Fatalf("after %v: %v", c.now-began, err)
	}
	must.Contain(t, "the error", err.Error(), "tenant=a used 5", "of 500ms that a task may", "in dear (rules.js:3)")
	must.Equal(t, over.Function.Name, "dear")
	must.Do(t, run("a", 10)) // the interruption does not last
	must.Equal(t, len(overruns), 2, "overruns")
}

// The callbacks of a Go function within a task count for it, however short each is, unless it is for someone else.
func TestBudgetOfNestedTasks(t *testing.T) {
	h, c := ticking(t, Options{})
	_, err := h.RunScript("rules.js", `
		function cheap() { pass(10); for (let i = 0; i < 3; i++); }
		function dear(n) { each(n, cheap); }
		function apart(n) { each(n, cheap, "b"); }`)
	must.Do(t, err)
	must.Do(t, h.vm.Set("each", func(n int, back goja.Callable, tenant ...string) error {
		task := h.Callable(back)
		if len(tenant) > 0 {
			task = h.As("tenant", tenant[0]).Callable(back)
		}
		for range n {
			if _, err := task(nil); err != nil {
				return err
			}
		}
		return nil
	}))
	h.SetBudgets(Budget{Task: 500 * time.Millisecond, Act: (*Overrun).Interrupt})
	run := func(name string, n int) error {
		fn, _ := goja.AssertFunction(h.vm.Get(name))
		_, err := h.As("tenant", "a").Callable(fn)(nil, h.vm.ToValue(n))
		return err
	}
	must.Do(t, run("dear", 30))
	must.Do(t, run("apart", 1000))
	began := c.now
	err = run("dear", 1000)
	var over *Overrun
	if !errors.As(err, &over) || c.now-began > 600*time.Millisecond {
		t.Fatalf("after %v: %v", c.now-began, err)
	}
	must.Contain(t, "the error", err.Error(), "tenant=a used 5", "of 500ms that a task may")
	must.Do(t, run("dear", 30)) // the interruption does not last
}

// An interruption by Go code lasts, also where a budget interrupts the same task: it is not for a task to say
// whether what is around it goes on.
func TestBudgetsLeaveOtherInterruptions(t *testing.T) {
	h, _ := ticking(t, Options{})
	_, err := h.RunScript("rules.js", `
		function cheap() { pass(10); for (let i = 0; i < 3; i++); }
		function rule() { for (let i = 0; i < 100; i++) cheap(); return "ended" }
		function outer() { try { inner() } catch {} for (let i = 0; i < 100; i++) cheap(); return "went on" }`)
	must.Do(t, err)
	rule, _ := goja.AssertFunction(h.vm.Get("rule"))
	outer, _ := goja.AssertFunction(h.vm.Get("outer"))
	must.Do(t, h.vm.Set("inner", func() error {
		_, err := h.As("rule", "a").Callable(rule)(nil)
		var own *goja.InterruptedError
		if !errors.As(err, &own) || own.Value() != "deadline" {
			t.Errorf("the inner task ends with %v", err)
		}
		return nil // and goes on
	}))
	h.SetBudgets(Budget{Tags: []string{"rule", "a"}, Task: 50 * time.Millisecond, Act: func(o *Overrun) {
		o.Interrupt()
		h.vm.Interrupt("deadline")
	}})
	value, err := h.Callable(outer)(nil)
	var stopped *goja.InterruptedError
	if !errors.As(err, &stopped) || stopped.Value() != "deadline" {
		t.Errorf("%v, %v", value, err)
	}
	h.vm.ClearInterrupt()
}

// Tasks together have a share of each stretch of time, and a total.
func TestBudgetsOfManyTasks(t *testing.T) {
	h, c, work, _ := working(t, Options{})
	var said []string
	act := func(o *Overrun) { said = append(said, fmt.Sprintf("%v %s %v", tagsOf(o.Tags), o.What, o.Limit)) }
	h.SetBudgets(Budget{Share: 0.1, Per: time.Second, Act: act}, Budget{Tags: []string{"tenant", "b"}, Total: time.Second, Act: act})
	a, b := h.As("tenant", "a"), h.As("tenant", "b")
	for range 5 {
		work(a, 15)
	}
	must.Equal(t, len(said), 0, said)
	for range 5 {
		work(a, 15)
	}
	must.Equal(t, said, []string{"tenant=a all tasks in 1s 100ms"})
	c.now += 2 * time.Second
	work(a, 15)
	must.Equal(t, len(said), 1, said)
	for range 8 {
		work(a, 15)
	}
	must.Equal(t, len(said), 2, said)
	for range 120 {
		work(b, 10)
		c.now += 100 * time.Millisecond
	}
	must.Equal(t, said[2:], []string{"tenant=b all tasks 1s"})
}

// A pool's usage counts from when it was made, whether the clock runs then or not.
func TestUsageSince(t *testing.T) {
	now := time.Hour
	clock := coordinator.New(coordinator.Options{Clock: func() time.Duration { return now }})
	pool := NewPool(clock, Options{})
	now += time.Minute
	must.Equal(t, pool.Usage().Since, clock.Epoch().Add(time.Hour))
	must.Equal(t, pool.ResetUsage().Until, clock.Epoch().Add(time.Hour+time.Minute))
	must.Equal(t, pool.Usage().Since, clock.Epoch().Add(time.Hour+time.Minute))
}

// Tasks whose scripts come to no check are looked at when they end. To interrupt them then
// interrupts neither the next task nor the one around them.
func TestBudgetsOfUncheckedTasks(t *testing.T) {
	h, _, _, bare := working(t, Options{})
	var said []string
	h.SetBudgets(
		Budget{Tags: []string{"tenant", "a"}, Task: 50 * time.Millisecond, Total: time.Second, Act: func(o *Overrun) {
			said = append(said, o.Error())
			o.Interrupt()
		}})
	a := h.As("tenant", "a")
	for range 24 {
		bare(a, 45)
	}
	must.Equal(t, said, []string{"tenant=a used 1.035s of 1s that all tasks may: 100% of it in (program)"})
	said = nil
	must.Do(t, h.As("tenant", "b").Run(func() error {
		bare(a, 60)
		_, err := h.vm.RunString("for (let i = 0; i < 3; i++) pass(1)")
		return err
	}))
	must.Equal(t, said, []string{"tenant=a used 60ms of 50ms that a task may: 100% of it in (program)"})
}

// A budget without a limit is refused.
func TestBudgetsWithoutLimit(t *testing.T) {
	h, _ := ticking(t, Options{})
	act := func(*Overrun) {}
	for _, b := range []Budget{
		{Act: act}, {Share: 0.1, Act: act}, {Per: time.Minute, Act: act}, {Total: time.Hour, Share: 0.5, Act: act}, {Task: -1, Act: act},
		{Task: time.Second}, {Task: time.Second, Tags: []string{"tenant"}, Act: act},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is taken", b)
				}
			}()
			h.SetBudgets(b)
		}()
	}
}

// However many sets of tags a tenant has, its budget is for its tasks.
func TestBudgetsBeyondMaxTags(t *testing.T) {
	h, _, work, _ := working(t, Options{MaxTags: 3})
	var said []string
	h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 50 * time.Millisecond, Act: func(o *Overrun) { said = append(said, tagsOf(o.Tags)) }})
	for n := range 5 {
		work(h.As("tenant", "b", "request", fmt.Sprint(n)), 60)
	}
	work(h.As("request", "9", "tenant", "a"), 60)
	must.Equal(t, said, []string{"request=9 tenant=a"})
}

// Time that a task used before there was a budget is not counted.
func TestBudgetsCountFromWhenTheyAreSet(t *testing.T) {
	h, c, work, _ := working(t, Options{})
	var used []time.Duration
	a := h.As("tenant", "a")
	must.Do(t, a.Run(func() error {
		c.now += 10 * time.Second
		h.SetBudgets(Budget{Total: 5 * time.Second, Act: func(o *Overrun) { used = append(used, o.Used) }})
		c.now += time.Second
		work(a, 1000)
		must.Equal(t, len(used), 0, used)
		work(a, 4000)
		return nil
	}))
	must.Equal(t, used, []time.Duration{6 * time.Second})
}

// To interrupt a task within another ends that one only if its Go code lets it. A task that
// was interrupted itself does not go on because one within it has ended.
func TestInterruptedTasksWithinOthers(t *testing.T) {
	h, _ := ticking(t, Options{})
	interrupt := (*Overrun).Interrupt
	h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 50 * time.Millisecond, Act: interrupt},
		Budget{Tags: []string{"server", "b"}, Task: 500 * time.Millisecond, Act: interrupt})
	_ = h.vm.Set("rule", h.Native("rule", func(n int) string {
		work, _ := goja.AssertFunction(h.vm.Get("work"))
		_, err := h.As("tenant", "a").Callable(work)(nil, h.vm.ToValue(n))
		var over *Overrun
		if errors.As(err, &over) {
			return tagsOf(over.Tags)
		}
		return fmt.Sprint(err)
	}))
	must.Get(h.vm.RunString(`
		function work(n) { for (var i = 0; i < n; i++) { pass(10); if (F) C(1) } }
		function serve() { var said = [rule(20), rule(3), rule(20)]; pass(1); if (F) C(1); return said.join() }
		function slow() { pass(600); said = rule(3); for (;;) { pass(1); if (F) C(1) } }`))(t)
	call := func(name string) (goja.Value, error) {
		fn, _ := goja.AssertFunction(h.vm.Get(name))
		return h.As("server", "b").Callable(fn)(nil)
	}
	must.Equal(t, must.Get(call("serve"))(t).String(), "tenant=a,<nil>,tenant=a")
	_, err := call("slow")
	must.Fail(t, err, "server=b used 600ms of 500ms that a task may")
	must.Equal(t, must.Get(call("serve"))(t).String(), "tenant=a,<nil>,tenant=a")
}
