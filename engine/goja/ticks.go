package goja

import (
	"errors"

	"github.com/dop251/goja"
)

// ticks are the calls that a program asks for by process.nextTick. As in Node they come when a task has ended, before its
// promise jobs; those that promise jobs ask for come after all of these.
type ticks struct {
	vm     *goja.Runtime
	queue  []tick
	failed error // what a tick threw

	apply func(goja.FunctionCall) goja.Value // Reflect.apply
	then  func(goja.FunctionCall) goja.Value // Promise.prototype.then
	done  goja.Value                         // a promise that is fulfilled
	all   goja.Value                         // runs the ticks
	turn  goja.Callable                      // runs the ticks, and then promise jobs
}

// tick is one of the calls.
type tick struct {
	function  goja.Value
	arguments []any
}

// install takes from the runtime what ticks need, as it is before the program changes it. These functions are called as
// a part of the call that comes next: by a goja.Callable the engine would run promise jobs after each.
func (t *ticks) install(vm *goja.Runtime) error {
	t.vm = vm
	t.apply, _ = vm.Get("Reflect").ToObject(vm).Get("apply").Export().(func(goja.FunctionCall) goja.Value)
	promise, fulfil, _ := vm.NewPromise()
	object := vm.ToValue(promise).ToObject(vm)
	t.then, _ = object.Get("then").Export().(func(goja.FunctionCall) goja.Value)
	t.done = object
	t.all = vm.ToValue(func(goja.FunctionCall) goja.Value {
		t.drain()
		return goja.Undefined()
	})
	t.turn, _ = goja.AssertFunction(t.all)
	// The promises that then makes are the engine's own, whatever the program does with the class.
	return errors.Join(fulfil(nil), object.Set("constructor", goja.Undefined()))
}

// add is process.nextTick.
func (t *ticks) add(c goja.FunctionCall) goja.Value {
	if _, ok := goja.AssertFunction(c.Argument(0)); !ok {
		panic(t.vm.NewTypeError("The \"callback\" argument must be of type function"))
	}
	next := tick{function: c.Argument(0)}
	for _, argument := range arguments(c, 1) {
		next.arguments = append(next.arguments, argument)
	}
	t.queue = append(t.queue, next)
	return goja.Undefined()
}

// goAhead makes the ticks of the task that begins now come before its promise jobs, as the first of these.
func (t *ticks) goAhead() { t.then(goja.FunctionCall{This: t.done, Arguments: []goja.Value{t.all}}) }

// run runs the ticks that are left after a task and its promise jobs, with those that they ask for.
func (t *ticks) run() error {
	for len(t.queue) > 0 && t.failed == nil {
		if _, err := t.turn(goja.Undefined()); err != nil {
			return err
		}
	}
	return t.failed
}

// drain calls what is queued, until one of them throws.
func (t *ticks) drain() {
	for len(t.queue) > 0 && t.failed == nil {
		next := t.queue[0]
		t.queue = t.queue[1:]
		exception := t.vm.Try(func() {
			t.apply(goja.FunctionCall{Arguments: []goja.Value{next.function, goja.Undefined(), t.vm.NewArray(next.arguments...)}})
		})
		if exception != nil {
			t.failed = exception
		}
	}
}
