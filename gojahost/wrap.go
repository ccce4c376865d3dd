package gojahost

import (
	"reflect"
	"regexp"

	"github.com/dop251/goja"
)

// WrapNatives makes the time of the Go functions among an object's properties visible,
// as Native does, under the property's name with a prefix. It is for objects that other
// code has filled, such as console. It returns how many functions it replaced.
//
// A function is replaced by one that behaves the same: its name, its length and the
// property's attributes are kept, and a function that is the value of two properties
// stays one function. It leaves alone accessors, constructors, functions with
// properties of their own, properties that can be neither written nor redefined, and
// functions in Go values (maps, structs, slices), which Go and other runtimes may use, too.
// References taken before the call are still to the unwrapped function.
func (h *Host) WrapNatives(object *goja.Object, prefix string) (replaced int, err error) {
	plain := h.vm.NewObject()
	describe, ok := goja.AssertFunction(plain.Get("constructor").ToObject(h.vm).Get("getOwnPropertyDescriptor"))
	if !ok {
		return 0, nil
	}
	wrapped := map[*goja.Object]goja.Value{}
	for _, name := range object.GetOwnPropertyNames() {
		description, err := describe(goja.Undefined(), object, h.vm.ToValue(name))
		if err != nil {
			return replaced, err
		}
		property, ok := description.(*goja.Object)
		if !ok {
			continue
		}
		function, ok := property.Get("value").(*goja.Object)
		// A property of a Go value is made into a function anew for each reading.
		if !ok || object.Get(name) != goja.Value(function) || !h.isPlainNative(function) {
			continue
		}
		attribute := func(name string) goja.Flag { return goja.ToFlag(property.Get(name).ToBoolean()) }
		if attribute("writable") != goja.FLAG_TRUE && attribute("configurable") != goja.FLAG_TRUE {
			continue
		}
		if wrapped[function] == nil {
			wrapped[function] = h.wrapNative(prefix+name, function)
		}
		if err := object.DefineDataProperty(name, wrapped[function], attribute("writable"), attribute("configurable"), attribute("enumerable")); err != nil {
			return replaced, err
		}
		replaced++
	}
	return replaced, nil
}

// wrapNative is Native for a function that is a JavaScript value already. Scripts still
// see its own name.
func (h *Host) wrapNative(label string, function *goja.Object) goja.Value {
	value := h.nativeAs(label, function.Get("name").String(), function.Export()).ToObject(h.vm)
	h.describe(value, "length", function.Get("length").ToInteger())
	return value
}

// nativeText is what Function.prototype.toString returns for a function written in Go.
// No function written in JavaScript can have such a text: its body would be a syntax
// error.
var nativeText = regexp.MustCompile(`^function [^{]*\{\s*\[native code\]\s*\}$`)

// isPlainNative reports whether a function is written in Go and has no properties of
// its own.
func (h *Host) isPlainNative(function *goja.Object) bool {
	if function.ExportType() == nil || function.ExportType().Kind() != reflect.Func {
		return false
	}
	if _, ok := goja.AssertConstructor(function); ok {
		return false
	}
	for _, name := range function.GetOwnPropertyNames() {
		if name != "name" && name != "length" {
			return false
		}
	}
	return len(function.Symbols()) == 0 && nativeText.MatchString(function.String())
}
