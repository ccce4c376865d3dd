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
	MaxStacks  = 1 << 20 // stacks of a recording, callers counted as stacks, too
)

// Host samples one runtime. Its methods belong to the runtime's goroutine.
type Host struct {
	vm          *goja.Runtime
	coordinator *coordinator.Coordinator
	counter     *coordinator.Counter
	flag        goja.Value
	capture     goja.Value

	stacks    *stacks
	recorder  recorder
	skid      coordinator.Histogram
	frames    []goja.StackFrame // of the last capture, innermost first
	capturing bool
	cut       int64    // stacks that were cut at MaxDepth
	firstLost int64    // when the first tick was lost for want of room
	natives   []string // names of the registered Go functions
	scripts   map[string]*script
	texts     map[string]string // of functions, and their sources (text.go)
	coverage  profile.Coverage
	observers []*observer
	armed     bool
}

// New makes a runtime observable and registers it with a coordinator.
func New(vm *goja.Runtime, c *coordinator.Coordinator) *Host {
	h := &Host{
		vm:          vm,
		coordinator: c,
		counter:     c.Register(),
		stacks:      newStacks(MaxStacks),
		recorder:    recorder{limit: MaxSamples},
		scripts:     map[string]*script{},
		texts:       map[string]string{},
	}
	h.flag = newFlag(h.counter)
	h.capture = vm.ToValue(h.check)
	h.showSources()
	return h
}

// Arm puts the flag up at every check from now on, so that tests can see that
// a program behaves the same. It must be called before scripts are run.
func (h *Host) Arm() {
	h.armed = true
	h.flag = newRaised()
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
	if h.look() {
		h.take(kind, h.frames[min(1, len(h.frames)):], -1) // the innermost is this function's own
	}
	return goja.Undefined()
}

// look fills frames with the stack as it is. It fails within itself: to name a
// native function goja may have to call a script's getter, and checks in there
// must leave the ticks to the next one outside.
func (h *Host) look() bool {
	if h.capturing {
		return false
	}
	h.capturing = true
	// One frame more than is kept may be the capturing function's own, and
	// another tells that there are more.
	h.frames = h.vm.CaptureCallStack(MaxDepth+2, h.frames[:0])
	h.capturing = false
	return true
}

// take takes the pending ticks for a stack, on top of which a registered native
// function stands unless its index is -1.
func (h *Host) take(kind profile.Kind, frames []goja.StackFrame, native int32) {
	weight, first, now := h.counter.Take()
	if weight == 0 {
		if !h.armed {
			return
		}
		weight, first = 1, now
	}
	if len(frames) > MaxDepth {
		frames = frames[:MaxDepth]
		h.cut++
	}
	h.keep(kind, frames, native, weight, first, now)
}

// keep stores a sample, or counts its ticks as lost when there is no room.
func (h *Host) keep(kind profile.Kind, frames []goja.StackFrame, native, weight int32, first, now int64) {
	skid := max(now-first, 0)
	h.skid.Add(skid)
	if !h.recorder.full() || len(h.observers) > 0 {
		if stack, ok := h.stacks.intern(frames); ok {
			s := sample{now, skid, stack, native, weight, kind}
			h.observe(s)
			if !h.recorder.full() {
				h.recorder.add(s)
				return
			}
		}
	}
	if h.firstLost == 0 {
		h.firstLost = now
	}
	if !h.armed {
		h.counter.Lose(weight)
	}
}

// Cut is the number of stacks that were deeper than MaxDepth. They lack their
// outermost frames.
func (h *Host) Cut() int64 { return h.cut }

// Run brackets a task: fn runs scripts, and the time before and after it is
// idle. Calls nest: Go functions that a script calls and that call back into
// scripts may use it, so that the time up to there is theirs. Ticks that are still pending at the end fell into code
// outside every checked function and show as (program).
func (h *Host) Run(fn func() error) error {
	if h.counter.Running() {
		h.betweenNatives()
	}
	h.counter.Enter()
	defer func() {
		if weight, first, now := h.counter.Leave(); weight > 0 {
			h.keep(profile.Program, nil, -1, weight, first, now)
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
