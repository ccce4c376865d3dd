package gojahost

import (
	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
)

// Bounds of what a host keeps.
const (
	MaxDepth   = 2048    // frames of a stack, innermost first
	MaxSamples = 1 << 20 // samples of a recording
)

// Host samples one runtime. Its methods belong to the runtime's goroutine.
type Host struct {
	vm          *goja.Runtime
	coordinator *coordinator.Coordinator
	counter     *coordinator.Counter
	flag        goja.Value
	capture     goja.Value

	stacks   *stacks
	recorder recorder
	skid     coordinator.Histogram
	buffer   []goja.StackFrame // reused by every capture
	cut      int               // stacks that were cut at MaxDepth
	natives  []string          // names of the registered Go functions
	scripts  map[string]*script
	coverage profile.Coverage
	armed    bool
}

// New makes a runtime observable and registers it with a coordinator.
func New(vm *goja.Runtime, c *coordinator.Coordinator) *Host {
	h := &Host{
		vm:          vm,
		coordinator: c,
		counter:     c.Register(),
		stacks:      newStacks(),
		recorder:    recorder{limit: MaxSamples},
		scripts:     map[string]*script{},
	}
	h.flag = newFlag(vm, h.counter)
	h.capture = vm.ToValue(h.check)
	return h
}

// Arm puts the flag up at every check from now on, so that tests can see that
// a program behaves the same. It must be called before scripts are run.
func (h *Host) Arm() {
	h.armed = true
	h.flag = raised{h.vm.ToValue(false)}
}

// Close takes the runtime off the coordinator. The recording stays.
func (h *Host) Close() { h.coordinator.Unregister(h.counter) }

// siteKinds are the kinds of sample by the number a check passes.
var siteKinds = [...]profile.Kind{profile.Entry, profile.Loop, profile.Exit}

// check is what a check calls when the flag is up: c(k).
func (h *Host) check(call goja.FunctionCall) goja.Value {
	kind := profile.Own
	if len(call.Arguments) > 0 {
		if k := call.Arguments[0].ToInteger(); k >= 0 && k < int64(len(siteKinds)) {
			kind = siteKinds[k]
		}
	}
	weight, first, now := h.counter.Take()
	if weight == 0 {
		if !h.armed {
			return goja.Undefined()
		}
		weight, first = 1, now
	}
	// The innermost frame is this function's own.
	h.keep(kind, h.callers(1), -1, weight, first, now)
	return goja.Undefined()
}

// callers captures the stack without its innermost frames.
func (h *Host) callers(skip int) stackID {
	h.buffer = h.vm.CaptureCallStack(MaxDepth+skip, h.buffer[:0])
	captured := h.buffer[min(skip, len(h.buffer)):]
	if len(captured) >= MaxDepth {
		h.cut++
	}
	return h.stacks.intern(captured)
}

// keep stores a sample, or counts its ticks as lost when there is no room.
func (h *Host) keep(kind profile.Kind, stack stackID, native int32, weight int32, first, now int64) {
	skid := max(now-first, 0)
	h.skid.Add(skid)
	if !h.recorder.add(sample{now, skid, stack, native, weight, kind}) && !h.armed {
		h.counter.Lose(weight)
	}
}

// Run brackets a task: fn runs scripts, and the time before and after it is
// idle. Calls nest. Ticks that are still pending at the end fell into code
// outside every checked function and show as (program).
func (h *Host) Run(fn func() error) error {
	h.counter.Enter()
	defer func() {
		if weight, first, now := h.counter.Leave(); weight > 0 {
			h.keep(profile.Program, noStack, -1, weight, first, now)
		}
	}()
	return fn()
}

// RunProgram runs a compiled program as a task.
func (h *Host) RunProgram(program *goja.Program) (value goja.Value, err error) {
	err = h.Run(func() error {
		value, err = h.vm.RunProgram(program)
		return err
	})
	return value, err
}

// RunScript instruments a script and runs it as a task, as goja's RunScript
// does.
func (h *Host) RunScript(name, source string) (goja.Value, error) {
	program, err := h.Compile(name, []byte(source))
	if err != nil {
		return nil, err
	}
	return h.RunProgram(program)
}

// Callable makes every call of a script's function from Go a task.
func (h *Host) Callable(fn goja.Callable) goja.Callable {
	return func(this goja.Value, args ...goja.Value) (value goja.Value, err error) {
		err = h.Run(func() error {
			value, err = fn(this, args...)
			return err
		})
		return value, err
	}
}
