package goja

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/require"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/runtime"
)

// terminal is what a runtime's console prints to. Most of what programs print is plain, and printed at once. For
// the rest there is the console that pages have, a script, which is loaded when it is first needed. Where the program has
// changed what the script is made of, it prints less.
type terminal struct {
	vm      *goja.Runtime
	streams map[int64]io.Writer
	methods *goja.Object // of the script; nil until it is needed
	groups  int          // that are open, or more: lines have an indent
}

// printing are the methods that print their arguments, with Node's choice of stream.
var printing = map[string]int64{"log": 1, "info": 1, "debug": 1, "dirxml": 1, "warn": 2, "error": 2}

// others are the methods that do more.
var others = []string{
	"dir", "table", "trace", "assert", "clear", "profile", "profileEnd", "timeStamp",
	"count", "countReset", "group", "groupCollapsed", "groupEnd", "time", "timeEnd", "timeLog",
}

// newConsole is the module console.
func newConsole(program engine.Program) require.ModuleLoader {
	return func(vm *goja.Runtime, module *goja.Object) {
		t := &terminal{vm: vm, streams: map[int64]io.Writer{1: program.Stdout, 2: program.Stderr}}
		object := module.Get("exports").ToObject(vm)
		for name, stream := range printing {
			_ = object.Set(name, func(c goja.FunctionCall) goja.Value {
				if t.groups > 0 || !t.printPlain(stream, c.Arguments) {
					t.call(name, c.Arguments)
				}
				return goja.Undefined()
			})
		}
		for _, name := range others {
			_ = object.Set(name, func(c goja.FunctionCall) goja.Value {
				switch name {
				case "group", "groupCollapsed":
					t.groups++
				case "groupEnd":
					t.groups = max(0, t.groups-1)
				}
				t.call(name, c.Arguments)
				return goja.Undefined()
			})
		}
	}
}

func (t *terminal) print(stream int64, line string) { fmt.Fprintln(t.streams[stream], line) }

// printPlain prints values whose text needs no formatting. It reports whether they are such values.
func (t *terminal) printPlain(stream int64, values []goja.Value) bool {
	words := make([]string, len(values))
	for i, value := range values {
		if !isPlain(value) || i == 0 && len(values) > 1 && strings.Contains(value.String(), "%") {
			return false
		}
		words[i] = value.String()
	}
	t.print(stream, strings.Join(words, " "))
	return true
}

// isPlain reports whether the text of a value is what Node would print.
func isPlain(value goja.Value) bool {
	switch value.(type) {
	case *goja.Object, *goja.Symbol:
		return false
	}
	switch v := value.Export().(type) {
	case nil, string, bool, int64:
		return true
	case float64:
		return v != 0 || !math.Signbit(v)
	}
	return false
}

// call calls a method of the script, as a part of the program's call: it throws what that throws.
func (t *terminal) call(name string, values []goja.Value) {
	if t.methods == nil {
		if err := t.load(); err != nil {
			panic(err)
		}
	}
	method := t.methods.Get(name).Export().(func(goja.FunctionCall) goja.Value)
	method(goja.FunctionCall{Arguments: values})
}

// script is a function of a module, which it gives its exports, and returns those of a console.
var script = sync.OnceValues(func() (*goja.Program, error) {
	source, err := fs.ReadFile(runtime.Runners(), "console.cjs")
	if err != nil {
		return nil, err
	}
	return goja.Compile("console.cjs", "(function (module, print, now) {"+string(source)+"\nreturn module.exports.methods(print, now) })", true)
})

// load makes the script's console.
func (t *terminal) load() error {
	program, err := script()
	if err != nil {
		return err
	}
	function, err := t.vm.RunProgram(program)
	if err != nil {
		return err
	}
	module := t.vm.NewObject()
	if err := module.Set("exports", t.vm.NewObject()); err != nil {
		return err
	}
	began := time.Now()
	now := func() float64 { return float64(time.Since(began)) / float64(time.Millisecond) }
	create, _ := goja.AssertFunction(function)
	methods, err := create(goja.Undefined(), module, t.vm.ToValue(t.print), t.vm.ToValue(now))
	if err != nil {
		return err
	}
	t.methods = methods.ToObject(t.vm)
	return nil
}
