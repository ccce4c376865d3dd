package goja

import (
	"container/heap"
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
	// settled runs at the end of each task, after its promise jobs.
	settled func()

	// The loop's own timers, which wake it.
	wake, unwake, immediate goja.Callable

	queue  timerQueue
	timers map[int64]*timer
	lastID int64
}

// timer is one setTimeout or setInterval.
type timer struct {
	id     int64
	due    time.Time
	repeat time.Duration // above 0 for an interval
	call   goja.Callable
	args   []goja.Value
	place  int        // in the queue, -1 if it is not in it
	driver goja.Value // the loop's timer that wakes for it
}

// run runs one task: fn, and the promise jobs that it leaves.
func (t *tasks) run(fn func() error) {
	if t.ended {
		return
	}
	if err := t.bracket(fn); err != nil {
		t.fail(err)
		return
	}
	t.settled()
}

// install gives the program its timers.
func (t *tasks) install() {
	t.timers = map[int64]*timer{}
	t.wake, _ = goja.AssertFunction(t.vm.Get("setTimeout"))
	t.unwake, _ = goja.AssertFunction(t.vm.Get("clearTimeout"))
	t.immediate, _ = goja.AssertFunction(t.vm.Get("setImmediate"))
	set := func(name string, fn func(goja.FunctionCall) goja.Value) {
		_ = t.vm.GlobalObject().DefineDataProperty(name, t.vm.ToValue(fn), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	set("setTimeout", func(c goja.FunctionCall) goja.Value { return t.start(c, false) })
	set("setInterval", func(c goja.FunctionCall) goja.Value { return t.start(c, true) })
	set("clearTimeout", t.clear)
	set("clearInterval", t.clear)
	set("setImmediate", t.startImmediate)
}

// startImmediate runs a function as the loop's next task.
func (t *tasks) startImmediate(c goja.FunctionCall) goja.Value {
	call, args := t.callback(c), arguments(c, 1)
	return t.native(t.immediate, t.task(call, args))
}

// task is a function value that runs call as a task.
func (t *tasks) task(call goja.Callable, args []goja.Value) goja.Value {
	return t.vm.ToValue(func(goja.FunctionCall) goja.Value {
		t.run(func() error { _, err := call(goja.Undefined(), args...); return err })
		return nil
	})
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
	t.lastID++
	tm := &timer{id: t.lastID, call: call, args: arguments(c, 2), place: -1}
	delay := time.Duration(ms) * time.Millisecond
	if repeats {
		tm.repeat = delay
	}
	t.timers[tm.id] = tm
	t.schedule(tm, delay)
	return t.vm.ToValue(tm.id)
}

func (t *tasks) schedule(tm *timer, delay time.Duration) {
	tm.due = t.now().Add(delay)
	heap.Push(&t.queue, tm)
	fire := t.vm.ToValue(func(goja.FunctionCall) goja.Value { t.fire(); return nil })
	tm.driver = t.native(t.wake, fire, t.vm.ToValue(delay.Milliseconds()))
}

// fire runs every timer that is due: whichever of them woke the loop.
func (t *tasks) fire() {
	now := t.now()
	for len(t.queue) > 0 && !t.queue[0].due.After(now) {
		tm := heap.Pop(&t.queue).(*timer)
		if tm.repeat == 0 {
			delete(t.timers, tm.id)
		}
		t.run(func() error { _, err := tm.call(goja.Undefined(), tm.args...); return err })
		if t.ended {
			return
		}
		if tm.repeat > 0 && t.timers[tm.id] == tm {
			t.schedule(tm, tm.repeat)
		}
	}
}

// clear ends a timer; any other value is ignored.
func (t *tasks) clear(c goja.FunctionCall) goja.Value {
	tm := t.timers[c.Argument(0).ToInteger()]
	if tm == nil {
		return nil
	}
	delete(t.timers, tm.id)
	if tm.place >= 0 {
		heap.Remove(&t.queue, tm.place)
		t.native(t.unwake, tm.driver)
	}
	return nil
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
