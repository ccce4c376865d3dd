package goja

import (
	"errors"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/process"
	"github.com/dop251/goja_nodejs/require"
	"github.com/dop251/goja_nodejs/url"

	"github.com/fieldprof/fieldprof/engine"
)

// newRegistry makes the modules of goja_nodejs available, with a console that prints to
// the program's writers. The loader finds no files, because the bundle contains them all.
func newRegistry(program engine.Program) *require.Registry {
	registry := require.NewRegistry(require.WithLoader(func(path string) ([]byte, error) {
		return nil, require.ModuleFileDoesNotExistError
	}))
	registry.RegisterNativeModule(console.ModuleName, newConsole(program))
	return registry
}

// native wraps a Go function so that its time appears as its own.
type native func(name string, fn func(goja.FunctionCall) goja.Value) goja.Value

// installGlobals adds what programs expect in addition to the language: buffer, URL,
// process with nextTick, performance, queueMicrotask.
func installGlobals(vm *goja.Runtime, program engine.Program, nextTick func(goja.FunctionCall) goja.Value, wrap native) error {
	buffer.Enable(vm)
	url.Enable(vm)
	process.Enable(vm)
	set := func(object *goja.Object, name string, fn func(goja.FunctionCall) goja.Value) error {
		return object.Set(name, wrap(name, fn))
	}
	began := time.Now()
	performance := vm.NewObject()
	_, err := vm.RunString(microtasks)
	return errors.Join(err, installProcess(vm, program, set), set(vm.Get("process").ToObject(vm), "nextTick", nextTick), vm.Set("performance", performance),
		performance.Set("timeOrigin", float64(began.UnixMicro())/1000),
		// Not wrapped: a loop that spins on the clock would pay for it in every iteration.
		performance.Set("now", func(goja.FunctionCall) goja.Value {
			return vm.ToValue(float64(time.Since(began)) / float64(time.Millisecond))
		}))
}

// microtasks defines queueMicrotask by means of promises. An error thrown in a
// microtask becomes an unhandled rejection, which ends the program as well.
const microtasks = `Object.defineProperty(globalThis, "queueMicrotask", {writable: true, configurable: true, value: function queueMicrotask(callback) {
	if (typeof callback !== "function") throw new TypeError('The "callback" argument must be of type function');
	Promise.resolve().then(function() { callback(); });
}});`
