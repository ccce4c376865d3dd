package goja

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/process"
	"github.com/dop251/goja_nodejs/require"
	"github.com/dop251/goja_nodejs/url"

	"github.com/fieldprof/fieldprof/engine"
)

// exit is the value with which process.exit interrupts the program.
type exit struct{ code int }

// printer is where the console prints.
type printer struct{ stdout, stderr io.Writer }

func (p printer) Log(s string)   { fmt.Fprintln(p.stdout, s) }
func (p printer) Warn(s string)  { fmt.Fprintln(p.stderr, s) }
func (p printer) Error(s string) { fmt.Fprintln(p.stderr, s) }

// newRegistry makes the modules of goja_nodejs available, with a console that prints to
// the program's writers. The loader finds no files, because the bundle contains them all.
func newRegistry(program engine.Program) *require.Registry {
	registry := require.NewRegistry(require.WithLoader(func(path string) ([]byte, error) {
		return nil, require.ModuleFileDoesNotExistError
	}))
	registry.RegisterNativeModule(console.ModuleName, console.RequireWithPrinter(printer{program.Stdout, program.Stderr}))
	return registry
}

// native wraps a Go function so that its time appears as its own.
type native func(name string, fn func(goja.FunctionCall) goja.Value) goja.Value

// installGlobals adds what programs expect in addition to the language: buffer, URL,
// process, performance, queueMicrotask.
func installGlobals(vm *goja.Runtime, program engine.Program, wrap native) error {
	buffer.Enable(vm)
	url.Enable(vm)
	process.Enable(vm)
	set := func(object *goja.Object, name string, fn func(goja.FunctionCall) goja.Value) error {
		return object.Set(name, wrap(name, fn))
	}
	began := time.Now()
	performance := vm.NewObject()
	_, err := vm.RunString(microtasks)
	return errors.Join(err, installProcess(vm, program, set), vm.Set("performance", performance),
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

// installProcess completes process: argv, exit, stdout, stderr, cwd, hrtime.
func installProcess(vm *goja.Runtime, program engine.Program, set func(*goja.Object, string, func(goja.FunctionCall) goja.Value) error) error {
	object := vm.Get("process").ToObject(vm)
	directory, err := os.Getwd()
	if err != nil {
		return err
	}
	argv := append([]string{"goja", program.Path}, program.Args...)
	for name, value := range map[string]any{"argv": vm.ToValue(toValues(vm, argv)), "platform": "goja", "version": "", "versions": vm.NewObject()} {
		err = errors.Join(err, object.Set(name, value))
	}
	for name, writer := range map[string]io.Writer{"stdout": program.Stdout, "stderr": program.Stderr} {
		stream := vm.NewObject()
		write := func(c goja.FunctionCall) goja.Value {
			_, err := io.WriteString(writer, c.Argument(0).String())
			return vm.ToValue(err == nil)
		}
		err = errors.Join(err, set(stream, "write", write), object.Set(name, stream))
	}
	cwd := func(goja.FunctionCall) goja.Value { return vm.ToValue(directory) }
	return errors.Join(err, set(object, "cwd", cwd), object.Set("exit", func(c goja.FunctionCall) goja.Value {
		code := 0
		if len(c.Arguments) > 0 && !goja.IsUndefined(c.Argument(0)) {
			code = int(c.Argument(0).ToInteger()) & 0xff
		}
		vm.Interrupt(exit{code})
		return nil
	}))
}

func toValues(vm *goja.Runtime, words []string) *goja.Object {
	values := make([]any, len(words))
	for i, w := range words {
		values[i] = w
	}
	return vm.NewArray(values...)
}
