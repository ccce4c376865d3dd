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

// terminal is what a runtime's console prints to, with Node's choice of stream, and what it remembers.
type terminal struct {
	vm             *goja.Runtime
	stdout, stderr io.Writer
	format         goja.Callable // nil until values have to be formatted
	indent         string        // of the groups that are open
	counts         map[string]int
	timers         map[string]time.Time
}

// newConsole is the module console.
func newConsole(program engine.Program) require.ModuleLoader {
	return func(vm *goja.Runtime, module *goja.Object) {
		t := &terminal{vm: vm, stdout: program.Stdout, stderr: program.Stderr, counts: map[string]int{}, timers: map[string]time.Time{}}
		object := module.Get("exports").ToObject(vm)
		for name, method := range t.methods() {
			_ = object.Set(name, func(c goja.FunctionCall) goja.Value {
				method(c.Arguments)
				return goja.Undefined()
			})
		}
	}
}

// methods are those of Node's console.
func (t *terminal) methods() map[string]func(values []goja.Value) {
	out := func(values []goja.Value) { t.print(t.stdout, t.text(values)) }
	fail := func(values []goja.Value) { t.print(t.stderr, t.text(values)) }
	tell := func(values []goja.Value) {
		if began, running := t.timers[label(values)]; running {
			passed := fmt.Sprintf("%s: %.3fms", label(values), float64(time.Since(began))/1e6)
			t.print(t.stdout, strings.TrimSpace(passed+" "+t.text(rest(values))))
		}
	}
	group := func(values []goja.Value) {
		if len(values) > 0 {
			out(values)
		}
		t.indent += "  "
	}
	nothing := func([]goja.Value) {}
	return map[string]func(values []goja.Value){
		"log": out, "info": out, "debug": out, "warn": fail, "error": fail,
		"dir":    func(values []goja.Value) { out(values[:min(1, len(values))]) },
		"dirxml": out,
		"table":  func(values []goja.Value) { out(values[:min(1, len(values))]) },
		"trace":  func(values []goja.Value) { t.print(t.stderr, said("Trace", t.text(values))) },
		"assert": func(values []goja.Value) {
			if len(values) == 0 || !values[0].ToBoolean() {
				t.print(t.stderr, said("Assertion failed", t.text(rest(values))))
			}
		},
		"clear": nothing, "profile": nothing, "profileEnd": nothing, "timeStamp": nothing, // for an inspector, in Node
		"count": func(values []goja.Value) {
			t.counts[label(values)]++
			t.print(t.stdout, fmt.Sprintf("%s: %d", label(values), t.counts[label(values)]))
		},
		"countReset": func(values []goja.Value) { delete(t.counts, label(values)) },
		"group":      group, "groupCollapsed": group,
		"groupEnd": func([]goja.Value) { t.indent = t.indent[min(2, len(t.indent)):] },
		"time":     func(values []goja.Value) { t.timers[label(values)] = time.Now() },
		"timeEnd": func(values []goja.Value) {
			tell(values)
			delete(t.timers, label(values))
		},
		"timeLog": tell,
	}
}

func rest(values []goja.Value) []goja.Value { return values[min(1, len(values)):] }

// label is the name of a counter or timer.
func label(values []goja.Value) string {
	if len(values) == 0 || goja.IsUndefined(values[0]) {
		return "default"
	}
	return values[0].String()
}

func said(what, text string) string {
	if text == "" {
		return what
	}
	return what + ": " + text
}

func (t *terminal) print(to io.Writer, text string) {
	fmt.Fprintln(to, t.indent+strings.ReplaceAll(text, "\n", "\n"+t.indent))
}

// text is what Node would print. Most of it is plain, and needs no formatting.
func (t *terminal) text(values []goja.Value) string {
	words := make([]string, len(values))
	for i, value := range values {
		if !isPlain(value) || i == 0 && len(values) > 1 && strings.Contains(value.String(), "%") {
			return t.formatted(values)
		}
		words[i] = value.String()
	}
	return strings.Join(words, " ")
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

// formatted formats by a script, which a program that prints plain text never needs. Where the program has changed what the
// script is made of, it is less.
func (t *terminal) formatted(values []goja.Value) string {
	if t.format == nil {
		program, err := formatter()
		if err != nil {
			panic(err)
		}
		if t.format, err = load(t.vm, program); err != nil {
			panic(err)
		}
	}
	all := make([]any, len(values))
	for i := range values {
		all[i] = values[i]
	}
	text, err := t.format(goja.Undefined(), t.vm.NewArray(all...))
	if err != nil {
		panic(err)
	}
	return text.String()
}

// formatter is the script as a function of module, which it gives its exports.
var formatter = sync.OnceValues(func() (*goja.Program, error) {
	source, err := fs.ReadFile(runtime.Runners(), "console.cjs")
	if err != nil {
		return nil, err
	}
	return goja.Compile("console.cjs", "(function (module) {"+string(source)+"\nreturn module.exports.format })", true)
})

func load(vm *goja.Runtime, program *goja.Program) (goja.Callable, error) {
	value, err := vm.RunProgram(program)
	if err != nil {
		return nil, err
	}
	function, _ := goja.AssertFunction(value)
	module := vm.NewObject()
	if err := module.Set("exports", vm.NewObject()); err != nil {
		return nil, err
	}
	if value, err = function(goja.Undefined(), module); err != nil {
		return nil, err
	}
	format, _ := goja.AssertFunction(value)
	return format, nil
}
