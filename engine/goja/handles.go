package goja

import (
	"reflect"

	"github.com/dop251/goja"
)

// handle is what the program gets of a timer, as in Node: an object that also is a number.
func (t *tasks) handle(tm *timer, prototype *goja.Object) goja.Value {
	object := t.vm.ToValue(tm).ToObject(t.vm)
	_ = object.SetPrototype(prototype)
	return object
}

// timerOf is the timer of a handle, nil for any other value.
func timerOf(value goja.Value) *timer {
	object, _ := value.(*goja.Object)
	if object == nil || object.ExportType() != reflect.TypeFor[*timer]() {
		return nil // it is not exported, which could run code of the program
	}
	return object.Export().(*timer)
}

// installHandles makes the prototypes of handles.
func (t *tasks) installHandles() {
	ours := func(act func(tm *timer) goja.Value) func(goja.FunctionCall) goja.Value {
		return func(c goja.FunctionCall) goja.Value {
			tm := timerOf(c.This)
			if tm == nil {
				panic(t.vm.NewTypeError("this is no timer"))
			}
			if value := act(tm); value != nil {
				return value
			}
			return c.This
		}
	}
	methods := map[string]func(goja.FunctionCall) goja.Value{
		"ref":    ours(func(tm *timer) goja.Value { return t.await(tm, true) }),
		"unref":  ours(func(tm *timer) goja.Value { return t.await(tm, false) }),
		"hasRef": ours(func(tm *timer) goja.Value { return t.vm.ToValue(!tm.idle) }),
	}
	prototype := func() *goja.Object {
		object := t.vm.NewObject()
		for name, method := range methods {
			_ = object.Set(name, method)
		}
		return object
	}
	t.immediates = prototype()
	methods["refresh"] = ours(t.refresh)
	methods["close"] = ours(func(tm *timer) goja.Value {
		t.end(tm)
		return nil
	})
	t.timeouts = prototype()
	_ = t.timeouts.SetSymbol(goja.SymToPrimitive, ours(func(tm *timer) goja.Value { return t.vm.ToValue(tm.id) }))
}

// await says whether the program waits for a timer.
func (t *tasks) await(tm *timer, waits bool) goja.Value {
	if pending := t.timers[tm.id] == tm; pending && tm.idle == waits {
		if waits {
			t.awaited++
		} else {
			t.awaited--
		}
	}
	tm.idle = !waits
	return nil
}

// refresh lets a timer wait its time again, also one that has fired.
func (t *tasks) refresh(tm *timer) goja.Value {
	if tm.cleared {
		return nil
	}
	t.unschedule(tm)
	if t.timers[tm.id] != tm {
		t.add(tm)
	}
	t.schedule(tm)
	return nil
}
