package gojahost

import (
	"context"
	"fmt"
	"runtime"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/profile"
)

// Native turns a Go function into a JavaScript function whose time appears under its
// name: ticks from before the call belong to its caller, ticks during the call to the
// function. fn is anything that goja's ToValue turns into a function; any other value
// is returned as ToValue returns it. Errors, panics and thrown values pass through. A
// call takes some 150 ns longer.
//
// goja's own functions do not need it: their time goes to the function that called
// them.
func (h *Host) Native(name string, fn any) goja.Value { return h.nativeAs(name, name, fn) }

// nativeAs is Native for a function that scripts know by another name than profiles.
func (h *Host) nativeAs(label, name string, fn any) goja.Value {
	var call func(goja.FunctionCall) goja.Value
	var construct func(goja.ConstructorCall) *goja.Object
	length := 0
	switch fn := fn.(type) {
	case func(goja.FunctionCall) goja.Value:
		call = fn
	case func(goja.FunctionCall, *goja.Runtime) goja.Value:
		call = func(c goja.FunctionCall) goja.Value { return fn(c, h.vm) }
	case func(goja.ConstructorCall) *goja.Object:
		construct = fn
	case func(goja.ConstructorCall, *goja.Runtime) *goja.Object:
		construct = func(c goja.ConstructorCall) *goja.Object { return fn(c, h.vm) }
	default:
		value := h.vm.ToValue(fn)
		inner, ok := goja.AssertFunction(value)
		if !ok {
			return value
		}
		length = int(value.ToObject(h.vm).Get("length").ToInteger())
		call = func(c goja.FunctionCall) goja.Value {
			result, err := inner(c.This, c.Arguments...)
			if err != nil {
				panic(err)
			}
			return result
		}
	}
	n := h.native(label, name)
	var wrapped any = n.timed(call)
	if construct != nil {
		wrapped = n.timedConstructor(construct)
	}
	function := h.vm.ToValue(wrapped).ToObject(h.vm)
	h.describe(function, "name", name)
	h.describe(function, "length", length)
	return function
}

// describe sets a function's name or length, with the attributes that the standard
// prescribes.
func (h *Host) describe(function *goja.Object, property string, value any) {
	if err := function.DefineDataProperty(property, h.vm.ToValue(value), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
		panic(fmt.Sprintf("gojahost: defining %s of a new function: %v", property, err))
	}
}

func (n *native) timed(fn func(goja.FunctionCall) goja.Value) func(goja.FunctionCall) goja.Value {
	return func(c goja.FunctionCall) goja.Value {
		outer, crossed := n.before()
		returned := false
		defer func() { n.after(returned, outer, crossed) }()
		value := fn(c)
		returned = true
		return value
	}
}

func (n *native) timedConstructor(fn func(goja.ConstructorCall) *goja.Object) func(goja.ConstructorCall) *goja.Object {
	return func(c goja.ConstructorCall) *goja.Object {
		outer, crossed := n.before()
		returned := false
		defer func() { n.after(returned, outer, crossed) }()
		object := fn(c)
		returned = true
		return object
	}
}

// native is one registered function.
type native struct {
	host *Host
	name string // by which its frames have it
	id   int32  // of the name by which profiles have it
}

func (h *Host) native(label, name string) *native {
	return &native{h, name, h.recording.native(label)}
}

// nativeFile is this file, which has the functions that call natives, as Go's stacks name it.
func nativeFile() string {
	_, file, _, _ := runtime.Caller(0)
	return file
}

// before gives pending ticks to the caller, which was still running. Its results are for
// after.
func (n *native) before() (outer context.Context, crossed bool) {
	h := n.host
	if h.counter.Poll() && h.look() {
		h.take(profile.Own, h.frames[n.own(1):], -1)
	}
	return h.cross(n)
}

// after gives pending ticks to the native function.
func (n *native) after(returned bool, outer context.Context, crossed bool) {
	h := n.host
	if crossed {
		h.back(outer)
	}
	if !h.counter.Poll() || !h.look() {
		return
	}
	if returned {
		h.take(profile.Native, h.frames[n.own(1):], n.id)
		return
	}
	// A panic leaves the frames that it passed through on top of the function's own.
	// If that frame cannot be found, the next check takes the ticks.
	if callers := n.own(len(h.frames)); callers > 0 {
		h.take(profile.Native, h.frames[callers:], n.id)
	}
}

// own counts the frames up to the function's own, which is one of the first within
// frames; 0 means that it has none, as in a call with new.
func (n *native) own(within int) int {
	frames := n.host.frames
	for i := range frames[:min(within, len(frames))] {
		if isNative(&frames[i]) && frames[i].FuncName() == n.name {
			return i + 1
		}
	}
	return 0
}

// betweenNatives is for Go code that a script called and that calls a script: pending
// ticks belong to the Go function, which is on top of the stack.
func (h *Host) betweenNatives() {
	if !h.counter.Poll() || !h.look() {
		return
	}
	kind := profile.Own
	if len(h.frames) > 0 && isNative(&h.frames[0]) {
		kind = profile.Native
	}
	h.take(kind, h.frames, -1)
}

// isNative reports whether a frame is a Go function's. (A script can be named <native>,
// too, but then the frame has a position.)
func isNative(f *goja.StackFrame) bool {
	return f.SrcName() == "<native>" && f.Position().Line == 0
}
