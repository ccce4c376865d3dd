package gojahost

import (
	"context"
	"errors"
	"runtime"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// Bounds of what a host keeps.
const (
	MaxDepth   = 2048    // frames of a stack, innermost first
	MaxSamples = 1 << 20 // samples of a recording: older ones fall out
	MaxStacks  = 1 << 20 // stacks; each caller counts as a stack, too
)

// Host samples one runtime. Its methods belong to the runtime's goroutine, unless they
// say otherwise.
type Host struct {
	vm          *goja.Runtime
	coordinator *coordinator.Coordinator
	counter     *coordinator.Counter
	flag        goja.Value
	capture     goja.Value

	recording *recording
	id        int32             // in the recording
	meter     meter             // of what runs
	stacks    *stacks           // for observers
	frames    []goja.StackFrame // of the last capture, innermost first
	capturing bool
	cut       int64  // stacks that were cut at MaxDepth
	claim     *claim // to the runtime
	followers []*subscription
	tasks     int64           // so far
	singles   []*single       // of the tasks that run
	goSide    *side           // of a recording of Go
	inside    context.Context // labels of the native function that runs; nil: none
	armed     bool
	closed    bool
	resting   int          // calls of Waiting outside of tasks that have not returned
	tagger    func() *Task // see TagBy
}

// New makes a runtime observable and registers it with a coordinator. It panics if the
// runtime has a host already that is not closed: two would take each other's ticks.
func New(vm *goja.Runtime, c *coordinator.Coordinator) *Host { return NewWith(vm, c, Options{}) }

// NewWith is New with options.
func NewWith(vm *goja.Runtime, c *coordinator.Coordinator, options Options) *Host {
	options.alone = true
	h, err := attach(vm, newRecording(c, options))
	if err != nil {
		panic(err.Error())
	}
	return h
}

// attach makes a host that adds to a recording.
func attach(vm *goja.Runtime, r *recording) (*Host, error) {
	claim := claimFor(vm)
	if claim == nil {
		return nil, errors.New("gojahost: this runtime has a host already; close that one first")
	}
	id, m := r.join()
	h := &Host{
		vm: vm, coordinator: r.coordinator, counter: m.counter, recording: r, id: id,
		stacks: newStacks(MaxStacks), claim: claim,
	}
	h.flag = newFlag(h.counter)
	h.capture = vm.ToValue(h.check)
	_ = h.Install(new(transform.Names).Choose()) // before a script freezes the global object; if one has, Compile says so
	h.showSources()
	h.watchFromOutside()
	runtime.AddCleanup(h, func(id int32) { r.leave(id) }, id)
	return h, nil
}

// Arm raises the flag for every check from now on, so that tests can verify that a
// program behaves the same. It must be called before scripts run.
func (h *Host) Arm() {
	h.armed = true
	h.flag = newRaised()
}

// Close unregisters the runtime from the coordinator. The recording stays. A runtime that
// is dropped without it is unregistered when Go collects it. Closing it again does nothing.
func (h *Host) Close() {
	if h.closed {
		return // the runtime may have another host by now
	}
	h.closed = true
	h.recording.leave(h.id)
	h.letGo()
	h.claim.held.Store(false)
}

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
	if !h.look() {
		return goja.Undefined()
	}
	frames := h.frames[min(1, len(h.frames)):] // the innermost frame is this function's own
	if kind == profile.Entry && h.wasResting(frames[min(1, len(frames)):]) {
		h.counter.Rest()
	} else {
		h.take(kind, frames, -1)
	}
	return goja.Undefined()
}

// look fills frames with the current stack. It fails when it is called within itself:
// to name a native function, goja may have to call a script's getter, and checks in
// there must leave the ticks to the next check outside. It also fails if such a getter
// does; then the pending ticks are (program).
func (h *Host) look() bool {
	if h.capturing {
		return false
	}
	if !h.fill() {
		h.take(profile.Program, nil, -1)
		return false
	}
	return true
}

// fill fills frames. Anything that a getter throws stays here, because without a profile the
// getter would not have been called.
func (h *Host) fill() (filled bool) {
	h.capturing = true
	defer func() {
		h.capturing = false
		if recover() != nil {
			filled = false
		}
	}()
	// Try restores the machine where the getter left it.
	thrown := h.vm.Try(func() {
		// One frame more than is kept may be the capturing function's own, and
		// another one shows that there are more.
		h.frames = h.vm.CaptureCallStack(MaxDepth+2, h.frames[:0])
	})
	return thrown == nil
}

// take takes the pending ticks for a stack, with a registered native function on top
// unless its index is -1.
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

// keep stores a sample.
func (h *Host) keep(kind profile.Kind, frames []goja.StackFrame, native, weight int32, first, now int64) {
	skid := max(now-first, 0)
	if len(h.followers) > 0 {
		h.publish(frames, Sample{Time: now, Skid: skid, Stack: Stack{noStack, native}, Weight: weight, Kind: kind})
	}
	tags := h.tagsNow()
	h.recording.add(frames, sample{time: now, skid: skid, native: native, weight: weight, host: h.id, tags: tags, kind: kind})
	h.recording.meters.sampled(tags, weight)
	h.watch()
}

// tagsNow are the tags of a sample that is taken now.
func (h *Host) tagsNow() profile.TagsID {
	if h.meter.tags == 0 && h.tagger != nil {
		if task := h.tagger(); task != nil {
			return task.tags
		}
	}
	return h.meter.tags
}

// TruncatedStacks returns how many stacks were deeper than MaxDepth and lack their outermost
// frames.
func (h *Host) TruncatedStacks() int64 { return h.cut }

// Run brackets a task: fn runs scripts, and the time before and after it is idle.
// Calls nest: a Go function that a script calls and that calls back into scripts may
// use it, so that the time up to there is its own. Ticks that are still pending at the
// end fell into code outside every checked function and appear as (program). Tasks for
// someone have tags: see As.
func (h *Host) Run(fn func() error) error { return h.run(nil, fn) }

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
	if err != nil && syntaxError(name, []byte(source), false) != nil {
		return h.vm.RunScript(name, source) // runs nothing: it makes an exception of the error
	}
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
