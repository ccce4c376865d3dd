package gojahost

import (
	"reflect"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
)

// describeAll lists everything that a script can see of an object's properties.
const describeAll = `Object.getOwnPropertyNames(o).concat(Object.getOwnPropertySymbols(o)).map(function(k) {
	var d = Object.getOwnPropertyDescriptor(o, k), f = d.value, s = String(k);
	for (var a in d) s += " " + a + "=" + String(d[a]).replace(/\s+/g, " ");
	if (typeof f === "function") {
		s += " name=" + f.name + " length=" + f.length + " own=" + Object.getOwnPropertyNames(f).sort();
		s += " " + JSON.stringify(Object.getOwnPropertyDescriptors(f));
	}
	return s;
}).join("\n")`

func TestWrapNativesChangesNothingToBeSeen(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	object := vm.NewObject()
	_ = vm.Set("o", object)
	var this goja.Value
	_ = object.Set("plain", func(c goja.FunctionCall) goja.Value { h.counter.Raise(); this = c.This; return c.Argument(1) })
	_ = object.Set("reflected", func(a, b int) int { h.counter.Raise(); return a * b })
	_ = object.Set("fails", func(c goja.FunctionCall) goja.Value { panic(vm.NewTypeError("failed")) })
	_ = object.Set("Class", func(c goja.ConstructorCall) *goja.Object { return nil })
	_ = object.Set("decorated", func(c goja.FunctionCall) goja.Value { return nil })
	_ = object.Set("number", 5)
	_ = object.DefineDataProperty("hidden", vm.ToValue(func(goja.FunctionCall) goja.Value { return nil }), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = object.DefineDataProperty("fixed", vm.ToValue(func(goja.FunctionCall) goja.Value { return nil }), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	_ = object.DefineAccessorProperty("accessor", vm.ToValue(func(goja.FunctionCall) goja.Value { return vm.ToValue(1) }), nil, goja.FLAG_TRUE, goja.FLAG_TRUE)
	must.Get(vm.RunString(`
		o.same = o.plain; o.decorated.extra = 1; o.builtin = [].map;
		o.script = function script(a) { return a }; o.arrow = () => "[native code]"; o.null = null;
		var before = {}; for (var k of Object.getOwnPropertyNames(o)) before[k] = o[k];`))(t)
	seen := must.Get(vm.RunString(describeAll))(t).String()
	replaced := must.Get(h.WrapNatives(object, ""))(t)
	must.Equal(t, must.Get(vm.RunString(describeAll))(t).String(), seen)
	changed := must.Get(vm.RunString(`Object.getOwnPropertyNames(o).filter(k => !Object.is(o[k], before[k])).sort().join()`))(t)
	if want := "builtin,fails,hidden,plain,reflected,same"; changed.String() != want || replaced != strings.Count(want, ",")+1 {
		t.Errorf("%d replaced: %s; want %s", replaced, changed, want)
	}
	value := hand(t, h, "wrapped.js", `
		function user() {
			var caught; try { o.fails() } catch (e) { caught = e instanceof TypeError && e.message }
			return [o.plain(1, 2), o.reflected(3, 4), caught, o.same === o.plain, o.builtin.call([1, 2], x => x + 1)].join()
		}
		user()`)
	must.Equal(t, value.String(), "2,12,failed,true,2,3", "the wrapped functions give")
	if this != object {
		t.Errorf("this is %v", this)
	}
	names := strings.Join(taken(h), "\n")
	must.Equal(t, strings.Count(names, "native 1 user ["), 2, names)
}

// Ticks from before a call are the caller's, and those during it the function's, whatever names they have.
func TestWrappedNativesTakeTheirOwnTime(t *testing.T) {
	for _, prefix := range []string{"", "o."} {
		vm, h, _ := newHost(t, coordinator.Options{})
		object := vm.NewObject()
		_ = vm.Set("o", object)
		_ = object.Set("works", func(goja.FunctionCall) goja.Value { h.counter.Raise(); return nil })
		_ = object.Set("fails", func(goja.FunctionCall) goja.Value { h.counter.Raise(); panic(vm.NewTypeError("failed")) })
		must.Equal(t, must.Get(h.WrapNatives(object, prefix))(t), 2)
		hand(t, h, "wrapped.js", "function user() { tick(); o.works(); tick(); try { o.fails() } catch {} }\nuser()")
		must.Equal(t, taken(h), []string{"own 1 user", "native 1 user [" + prefix + "works]", "own 1 user", "native 1 user [" + prefix + "fails]"})
	}
}

// Go values keep their functions, because other runtimes may share the values.
func TestWrapNativesLeavesGoValuesAlone(t *testing.T) {
	vm, h, _ := newHost(t, coordinator.Options{})
	hello := func() string { return "hello" }
	shared := struct{ Hello func() string }{hello}
	functions, typed, list := map[string]any{"Hello": hello}, map[string]func() string{"Hello": hello}, []any{hello}
	for name, value := range map[string]any{"a struct": &shared, "a map": functions, "a map of functions": typed, "a slice": list} {
		if replaced, err := h.WrapNatives(vm.ToValue(value).ToObject(vm), ""); replaced != 0 || err != nil {
			t.Errorf("%s: %d replaced, %v", name, replaced, err)
		}
	}
	for _, now := range []any{shared.Hello, functions["Hello"], typed["Hello"], list[0]} {
		must.Equal(t, reflect.ValueOf(now).Pointer(), reflect.ValueOf(hello).Pointer())
	}
}
