// Package mozilla gives the scripts of a goja runtime Mozilla's Profiler, the
// API that docs/mozilla.md describes:
//
//	host := gojahost.New(vm, co)
//	class, err := mozilla.Enable(host)
//	defer class.Close()
//	_, err = host.RunScript("input.js", `
//		var p = new Profiler();
//		p.start();
//		work();
//		p.stop();
//		print(JSON.stringify(p.results()));`)
//
// The class is the same as in pages (runtime/src/mozilla); this package is the engine
// below it, and follows the host as a gojahost.Observer. Ticks come from the host's
// coordinator, which start() keeps running; if it is already started, its interval
// applies, and a slower rate skips ticks at random. Functions and positions are as in
// the sources, as in the host's profile; Go functions that were registered with the host
// are native frames, ticks between tasks are idle, and those in pauses of Go's collector
// are gcSamples.
package mozilla

import (
	"fmt"
	"sync"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/runtime"
)

// Class is the class Profiler of one runtime. Like its host, it belongs to the
// runtime's goroutine.
type Class struct {
	engine *engine
	event  goja.Callable
}

// fileName is the file of the class's own frames.
const fileName = "fieldprof:mozilla"

// class is a program that evaluates to makeProfiler.
var class = sync.OnceValues(func() (*goja.Program, error) {
	return goja.Compile(fileName, "(function(module) {"+runtime.MozillaForGoja+"\nreturn module.exports.makeProfiler})({exports: {}})", false)
})

// Enable defines Profiler as a non-enumerable property of the host's global object. It
// fails if the global object refuses it.
func Enable(host *gojahost.Host) (*Class, error) {
	program, err := class()
	if err != nil {
		return nil, fmt.Errorf("mozilla: compiling the class: %w", err)
	}
	vm := host.Runtime()
	value, err := vm.RunProgram(program)
	if err != nil {
		return nil, fmt.Errorf("mozilla: making the class: %w", err)
	}
	makeProfiler, ok := goja.AssertFunction(value)
	if !ok {
		return nil, fmt.Errorf("mozilla: making the class: %v is not a function", value)
	}
	c := &Class{engine: newEngine(host)}
	profiler, err := makeProfiler(goja.Undefined(), c.engine.value())
	if err != nil {
		return nil, fmt.Errorf("mozilla: making the class: %w", err)
	}
	if c.event, ok = goja.AssertFunction(profiler.ToObject(vm).Get("event")); !ok {
		return nil, fmt.Errorf("mozilla: making the class: it has no method event")
	}
	return c, vm.GlobalObject().DefineDataProperty("Profiler", profiler, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// Event adds an event to the active profiler, if there is one, at the stack of the
// script that called the running Go function; outside of scripts the event has no
// stack. Several values are several events; without a value, the event is only counted.
func (c *Class) Event(name string, values ...float64) {
	vm := c.engine.vm
	tell := func(value goja.Value) {
		_, _ = c.event(goja.Undefined(), vm.ToValue(name), value) // it never throws
	}
	if len(values) == 0 {
		tell(goja.Undefined())
	}
	for _, value := range values {
		tell(vm.ToValue(value))
	}
}

// Close stops the active profiler, so that the coordinator's clock can stop. Its
// samples stay.
func (c *Class) Close() { c.engine.close() }
