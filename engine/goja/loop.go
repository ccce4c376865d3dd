package goja

import (
	"container/heap"
	"strconv"
	"time"

	"github.com/dop251/goja"
)

// tasks runs the program's tasks: its main script, and what timers call. It adds two
// things to goja_nodejs's event loop. Due timers fire in the order of their time and
// then of their start, as on every platform (each of the loop's own timers is a
// goroutine, and they race). And an error that a task does not catch ends the program;
// the loop would drop it.
type tasks struct {
	vm    *goja.Runtime
	now   func() time.Time
	ended bool // the program has ended: run no further task
	// bracket runs a task; outside of it the program is idle.
	bracket func(func() error) error
	// fail receives the first error that a task did not catch.
	fail func(error)
	// settled runs at the end of each task, after its promise jobs and ticks.
	settled func()
	// rest stops the loop: all that is left are timers for which the program does not wait.
	rest   func()
	rested bool

	// The loop's own timers, which wake it.
	wake, unwake, immediate, noImmediate goja.Callable

	queue   timerQueue
	timers  map[int64]*timer // all that are pending
	awaited int              // of these, for as many the program goes on
	lastID  int64

	timeouts, immediates *goja.Object // the prototypes of handles
	ticks                ticks
}

// timer is one setTimeout, setInterval or setImmediate.
type timer struct {
	id      int64
	due     time.Time
	delay   time.Duration
	repeats bool
	idle    bool // the program does not wait for it
	cleared bool
	call    goja.Callable
	args    []goja.Value
	place   int        // in the queue, -1 if it is not in it
	driver  goja.Value // the loop's timer that wakes for it
}

// run runs one task: fn, and the ticks and promise jobs that it leaves.
func (t *tasks) run(fn func() error) {
	t.runJob(func() error {
		t.ticks.goAhead()
		return fn()
	})
}

// runJob is run for a promise job, as the body of an ES module is one: the others come before its ticks.
func (t *tasks) runJob(fn func() error) {
	if t.ended || t.rested {
		return
	}
	err := t.bracket(func() error {
		if err := fn(); err != nil {
			return err
		}
		return t.ticks.run()
	})
	if err != nil {
		t.fail(err)
		return
	}
	t.settled()
	if t.awaited == 0 && len(t.timers) > 0 {
		t.rested = true
		t.rest()
	}
}

// install gives the program its timers.
func (t *tasks) install() error {
	t.timers = map[int64]*timer{}
	t.wake, _ = goja.AssertFunction(t.vm.Get("setTimeout"))
	t.unwake, _ = goja.AssertFunction(t.vm.Get("clearTimeout"))
	t.immediate, _ = goja.AssertFunction(t.vm.Get("setImmediate"))
	t.noImmediate, _ = goja.AssertFunction(t.vm.Get("clearImmediate"))
	t.installHandles()
	set := func(name string, fn func(goja.FunctionCall) goja.Value) {
		_ = t.vm.GlobalObject().DefineDataProperty(name, t.vm.ToValue(fn), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	set("setTimeout", func(c goja.FunctionCall) goja.Value { return t.start(c, false) })
	set("setInterval", func(c goja.FunctionCall) goja.Value { return t.start(c, true) })
	set("clearTimeout", t.clear)
	set("clearInterval", t.clear)
	set("setImmediate", t.startImmediate)
	set("clearImmediate", t.clear)
	return t.ticks.install(t.vm)
}

// startImmediate runs a function as the loop's next task.
func (t *tasks) startImmediate(c goja.FunctionCall) goja.Value {
	tm := t.add(&timer{call: t.callback(c), args: arguments(c, 1), place: -1})
	tm.driver = t.native(t.immediate, t.vm.ToValue(func(goja.FunctionCall) goja.Value {
		t.remove(tm)
		t.run(tm.task)
		return nil
	}))
	return t.handle(tm, t.immediates)
}

// task is what a timer calls.
func (tm *timer) task() error {
	_, err := tm.call(goja.Undefined(), tm.args...)
	return err
}

// add makes a timer pending.
func (t *tasks) add(tm *timer) *timer {
	if tm.id == 0 {
		t.lastID++
		tm.id = t.lastID
	}
	t.timers[tm.id] = tm
	if !tm.idle {
		t.awaited++
	}
	return tm
}

// remove ends that. It reports whether the timer was pending.
func (t *tasks) remove(tm *timer) bool {
	if t.timers[tm.id] != tm {
		return false
	}
	delete(t.timers, tm.id)
	if !tm.idle {
		t.awaited--
	}
	return true
}

// native calls one of the loop's own functions, which do not fail.
func (t *tasks) native(call goja.Callable, args ...goja.Value) goja.Value {
	value, err := call(goja.Undefined(), args...)
	if err != nil {
		panic(err)
	}
	return value
}

// callback returns a timer's function; anything else throws, as in Node.
func (t *tasks) callback(c goja.FunctionCall) goja.Callable {
	call, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		panic(t.vm.NewTypeError("The \"callback\" argument must be of type function"))
	}
	return call
}

func arguments(c goja.FunctionCall, from int) []goja.Value {
	if len(c.Arguments) <= from {
		return nil
	}
	return append([]goja.Value(nil), c.Arguments[from:]...)
}

// start makes a timer. A delay of less than a millisecond, or of more milliseconds than
// fit in 31 bits, becomes one millisecond, as in Node.
func (t *tasks) start(c goja.FunctionCall, repeats bool) goja.Value {
	call := t.callback(c)
	ms := c.Argument(1).ToInteger()
	if ms < 1 || ms > 1<<31-1 {
		ms = 1
	}
	tm := t.add(&timer{call: call, args: arguments(c, 2), delay: time.Duration(ms) * time.Millisecond, repeats: repeats, place: -1})
	t.schedule(tm)
	return t.handle(tm, t.timeouts)
}

func (t *tasks) schedule(tm *timer) {
	tm.due = t.now().Add(tm.delay)
	heap.Push(&t.queue, tm)
	fire := t.vm.ToValue(func(goja.FunctionCall) goja.Value { t.fire(); return nil })
	tm.driver = t.native(t.wake, fire, t.vm.ToValue(tm.delay.Milliseconds()))
}

// unschedule takes a timer that waits out of the queue.
func (t *tasks) unschedule(tm *timer) {
	if tm.place >= 0 {
		heap.Remove(&t.queue, tm.place)
		t.native(t.unwake, tm.driver)
	}
}

// fire runs every timer that is due: whichever of them woke the loop.
func (t *tasks) fire() {
	now := t.now()
	for len(t.queue) > 0 && !t.queue[0].due.After(now) {
		tm := heap.Pop(&t.queue).(*timer)
		if !tm.repeats {
			t.remove(tm)
		}
		t.run(tm.task)
		if t.ended || t.rested {
			return
		}
		if tm.repeats && t.timers[tm.id] == tm && tm.place < 0 { // else it has refreshed itself
			t.schedule(tm)
		}
	}
}

// clear ends a timer, by its handle or its number; any other value is ignored.
func (t *tasks) clear(c goja.FunctionCall) goja.Value {
	tm := timerOf(c.Argument(0))
	if tm == nil {
		tm = t.timers[number(c.Argument(0))]
	}
	if tm != nil {
		t.end(tm)
	}
	return nil
}

// end ends a timer. One that fires now ends after that.
func (t *tasks) end(tm *timer) {
	tm.cleared = true
	if !t.remove(tm) {
		return
	}
	if tm.delay == 0 {
		t.native(t.noImmediate, tm.driver)
	}
	t.unschedule(tm)
}

// number is a timer's that a program has as a number or, as a key of an object, as its text.
func number(value goja.Value) int64 {
	if _, isObject := value.(*goja.Object); isObject {
		return 0
	}
	switch named := value.Export().(type) {
	case int64:
		return named
	case string:
		id, _ := strconv.ParseInt(named, 10, 64)
		return id
	}
	return 0
}

// timerQueue is a heap by due time, then by start.
type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }
func (q timerQueue) Less(i, j int) bool {
	if !q[i].due.Equal(q[j].due) {
		return q[i].due.Before(q[j].due)
	}
	return q[i].id < q[j].id
}
func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}
func (q *timerQueue) Push(x any) {
	tm := x.(*timer)
	tm.place = len(*q)
	*q = append(*q, tm)
}
func (q *timerQueue) Pop() any {
	old := *q
	tm := old[len(old)-1]
	*q = old[:len(old)-1]
	tm.place = -1
	return tm
}
