package gojahost

import (
	"fmt"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/profile"
)

// Native makes a Go function a JavaScript function whose time shows under its
// name. fn is whatever goja's ToValue makes a function of. A constructor, or a
// value that is no function, is passed on as ToValue gives it.
func (h *Host) Native(name string, fn any) goja.Value {
	var call func(goja.FunctionCall) goja.Value
	switch fn := fn.(type) {
	case func(goja.FunctionCall) goja.Value:
		call = fn
	case func(goja.ConstructorCall) *goja.Object, func(goja.ConstructorCall, *goja.Runtime) *goja.Object:
		return h.vm.ToValue(fn)
	default:
		value := h.vm.ToValue(fn)
		inner, ok := goja.AssertFunction(value)
		if !ok {
			return value
		}
		call = func(c goja.FunctionCall) goja.Value {
			result, err := inner(c.This, c.Arguments...)
			if err != nil {
				panic(err)
			}
			return result
		}
	}
	id := int32(len(h.natives))
	h.natives = append(h.natives, name)
	wrapped := h.vm.ToValue(func(c goja.FunctionCall) goja.Value {
		if h.counter.Pending() {
			h.native(profile.Own, -1) // the caller was still at work
		}
		defer func() {
			if h.counter.Pending() {
				h.native(profile.Native, id)
			}
		}()
		return call(c)
	}).ToObject(h.vm)
	if err := wrapped.DefineDataProperty("name", h.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
		panic(fmt.Sprintf("gojahost: naming %s: %v", name, err)) // a fresh function lets itself be named
	}
	return wrapped
}

// native takes what is pending at one end of a native function.
func (h *Host) native(kind profile.Kind, id int32) {
	if weight, first, now := h.counter.Take(); weight > 0 {
		h.keep(kind, h.callers(1), id, weight, first, now)
	}
}
