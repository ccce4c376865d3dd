package goja

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/require"

	"github.com/fieldprof/fieldprof/engine"
)

// terminal is what the console prints to, with Node's choice of stream, and what it remembers.
type terminal struct {
	stdout, stderr io.Writer
	indent         string // of the groups that are open
	counts         map[string]int
	timers         map[string]time.Time
}

func (t *terminal) Log(s string)   { t.print(t.stdout, s) }
func (t *terminal) Warn(s string)  { t.print(t.stderr, s) }
func (t *terminal) Error(s string) { t.print(t.stderr, s) }

func (t *terminal) print(to io.Writer, s string) {
	fmt.Fprintln(to, t.indent+strings.ReplaceAll(s, "\n", "\n"+t.indent))
}

// newConsole is the console of goja_nodejs, and what that lacks. Objects look as there.
func newConsole(program engine.Program) require.ModuleLoader {
	t := &terminal{stdout: program.Stdout, stderr: program.Stderr, counts: map[string]int{}, timers: map[string]time.Time{}}
	load := console.RequireWithPrinter(t)
	return func(vm *goja.Runtime, module *goja.Object) {
		load(vm, module)
		object := module.Get("exports").ToObject(vm)
		set := func(name string, method func(values ...goja.Value)) {
			_ = object.Set(name, func(c goja.FunctionCall) goja.Value {
				method(c.Arguments...)
				return goja.Undefined()
			})
		}
		prints := map[string]func(values ...goja.Value){}
		for _, name := range []string{"log", "info", "debug", "warn", "error"} {
			fn, _ := goja.AssertFunction(object.Get(name))
			prints[name] = func(values ...goja.Value) {
				if len(values) > 0 && goja.IsUndefined(values[0]) { // which is no text to util.format
					values = append([]goja.Value{vm.ToValue("undefined")}, values[1:]...)
				}
				if _, err := fn(object, values...); err != nil {
					panic(err)
				}
			}
			set(name, prints[name])
		}
		for name, method := range t.methods(vm, prints["log"], prints["error"]) {
			set(name, func(values ...goja.Value) { method(goja.FunctionCall{Arguments: values}) })
		}
	}
}

// methods are those that goja_nodejs lacks.
func (t *terminal) methods(vm *goja.Runtime, log, fail func(values ...goja.Value)) map[string]func(goja.FunctionCall) {
	after := func(text string, values []goja.Value) []goja.Value {
		if len(values) == 0 {
			return []goja.Value{vm.ToValue(text)}
		}
		if format, isText := values[0].Export().(string); isText {
			return append([]goja.Value{vm.ToValue(text + ": " + format)}, values[1:]...)
		}
		return append([]goja.Value{vm.ToValue(text + ":")}, values...)
	}
	rest := func(c goja.FunctionCall) []goja.Value { return c.Arguments[min(1, len(c.Arguments)):] }
	label := func(c goja.FunctionCall) string {
		if given := c.Argument(0); !goja.IsUndefined(given) {
			return given.String()
		}
		return "default"
	}
	tell := func(c goja.FunctionCall) {
		if began, running := t.timers[label(c)]; running {
			passed := fmt.Sprintf("%s: %.3fms", label(c), float64(time.Since(began))/1e6)
			log(append([]goja.Value{vm.ToValue("%s"), vm.ToValue(passed)}, rest(c)...)...)
		}
	}
	group := func(c goja.FunctionCall) {
		if len(c.Arguments) > 0 {
			log(c.Arguments...)
		}
		t.indent += "  "
	}
	return map[string]func(goja.FunctionCall){
		"assert": func(c goja.FunctionCall) {
			if !c.Argument(0).ToBoolean() {
				fail(after("Assertion failed", rest(c))...)
			}
		},
		"clear": func(goja.FunctionCall) {},
		"count": func(c goja.FunctionCall) {
			t.counts[label(c)]++
			log(vm.ToValue("%s: %d"), vm.ToValue(label(c)), vm.ToValue(t.counts[label(c)]))
		},
		"countReset": func(c goja.FunctionCall) { delete(t.counts, label(c)) },
		"dir":        func(c goja.FunctionCall) { log(c.Argument(0)) },
		"dirxml":     func(c goja.FunctionCall) { log(c.Arguments...) },
		"group":      group, "groupCollapsed": group,
		"groupEnd": func(goja.FunctionCall) { t.indent = t.indent[min(2, len(t.indent)):] },
		"table":    func(c goja.FunctionCall) { log(c.Argument(0)) },
		"time":     func(c goja.FunctionCall) { t.timers[label(c)] = time.Now() },
		"timeEnd": func(c goja.FunctionCall) {
			tell(c)
			delete(t.timers, label(c))
		},
		"timeLog": tell,
		"trace":   func(c goja.FunctionCall) { fail(after("Trace", c.Arguments)...) },
	}
}
