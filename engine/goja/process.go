package goja

import (
	"errors"
	"io"
	"math/big"
	"os"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/engine"
)

// exit is the value with which process.exit interrupts the program.
type exit struct{ code int }

// installProcess completes process: argv, exit, exitCode, stdout, stderr, cwd, hrtime.
func installProcess(vm *goja.Runtime, program engine.Program, set func(*goja.Object, string, func(goja.FunctionCall) goja.Value) error) error {
	object := vm.Get("process").ToObject(vm)
	directory, err := os.Getwd()
	if err != nil {
		return err
	}
	argv := append([]string{"goja", program.Path}, program.Args...)
	for name, value := range map[string]any{
		"argv": vm.ToValue(toValues(vm, argv)), "platform": "goja", "version": "", "versions": vm.NewObject(), "exitCode": goja.Undefined(),
	} {
		err = errors.Join(err, object.Set(name, value))
	}
	for name, writer := range map[string]io.Writer{"stdout": program.Stdout, "stderr": program.Stderr} {
		stream := vm.NewObject()
		write := func(c goja.FunctionCall) goja.Value {
			text, isBytes := c.Argument(0).Export().([]byte)
			if !isBytes {
				text = []byte(c.Argument(0).String())
			}
			_, err := writer.Write(text)
			for _, argument := range c.Arguments[min(1, len(c.Arguments)):] {
				if _, callable := goja.AssertFunction(argument); callable {
					later(vm, argument)
				}
			}
			return vm.ToValue(err == nil)
		}
		err = errors.Join(err, set(stream, "write", write), object.Set(name, stream))
	}
	cwd := func(goja.FunctionCall) goja.Value { return vm.ToValue(directory) }
	return errors.Join(err, set(object, "cwd", cwd), installTime(vm, object), installExit(vm, object))
}

// installExit adds exit. It is of a script, since the engine ends a program only at an instruction of one, and a timer
// or a promise may call it with no other.
func installExit(vm *goja.Runtime, object *goja.Object) error {
	scripted, err := vm.RunString("(end => function exit(code) { end(code) })")
	if err != nil {
		return err
	}
	end := vm.ToValue(func(c goja.FunctionCall) goja.Value {
		code := c.Argument(0)
		if isNothing(code) {
			code = object.Get("exitCode")
		}
		vm.Interrupt(exit{exitCode(code)})
		return nil
	})
	call, _ := goja.AssertFunction(scripted)
	function, err := call(goja.Undefined(), end)
	return errors.Join(err, object.Set("exit", function))
}

// later calls a function of the program after the task, if the program has left process.nextTick as it was.
func later(vm *goja.Runtime, fn goja.Value) {
	object, _ := vm.Get("process").(*goja.Object)
	if object == nil {
		return
	}
	if nextTick, ok := goja.AssertFunction(object.Get("nextTick")); ok {
		if _, err := nextTick(object, fn); err != nil {
			panic(err)
		}
	}
}

// installTime adds hrtime and hrtime.bigint. Like performance.now, they are not wrapped.
func installTime(vm *goja.Runtime, object *goja.Object) error {
	began := time.Now()
	hrtime := vm.ToValue(func(c goja.FunctionCall) goja.Value {
		passed := time.Since(began)
		if since := c.Argument(0); !isNothing(since) {
			before := since.ToObject(vm)
			passed -= time.Duration(part(before, "0"))*time.Second + time.Duration(part(before, "1"))
		}
		seconds := passed / time.Second
		if passed < seconds*time.Second { // rounded up
			seconds--
		}
		return vm.NewArray(int64(seconds), int64(passed-seconds*time.Second))
	}).ToObject(vm)
	return errors.Join(object.Set("hrtime", hrtime), hrtime.Set("bigint", func(goja.FunctionCall) goja.Value {
		return vm.ToValue(big.NewInt(int64(time.Since(began))))
	}))
}

// part is a number in what hrtime returned before.
func part(before *goja.Object, index string) int64 {
	if value := before.Get(index); value != nil {
		return value.ToInteger()
	}
	return 0
}

// exitCode is the exit code that a value means. Systems keep eight bits of it.
func exitCode(value goja.Value) (code int) {
	if isNothing(value) {
		return 0
	}
	defer func() {
		if recover() != nil { // it is not a number
			code = 0
		}
	}()
	return int(value.ToInteger()) & 0xff
}

func isNothing(value goja.Value) bool {
	return value == nil || goja.IsUndefined(value) || goja.IsNull(value)
}

func toValues(vm *goja.Runtime, words []string) *goja.Object {
	values := make([]any, len(words))
	for i, w := range words {
		values[i] = w
	}
	return vm.NewArray(values...)
}
