package gojahost

import (
	"slices"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
)

// Stack is a stack as a host keeps it. Equal stacks are equal values; it means
// something to its host alone.
type Stack struct {
	id     stackID
	native int32
}

// Nowhere is the stack of what has none.
var Nowhere = Stack{noStack, -1}

// Sample is one sample for those who observe a host.
type Sample struct {
	Time   int64 // nanoseconds since the coordinator was made
	Skid   int64 // nanoseconds since the first of its ticks was due
	Stack  Stack // as captured
	Weight int32 // ticks
	Kind   profile.Kind
}

// observer is one who observes.
type observer struct{ see func(Sample) }

// Observe calls see with every sample from now on, in order of time, until end
// is called. It is called from within checks, so it may run no script. Ticks
// that fell while no script ran are not among them: see Away.
func (h *Host) Observe(see func(Sample)) (end func()) {
	o := &observer{see}
	h.observers = append(h.observers, o)
	return func() {
		h.observers = slices.DeleteFunc(h.observers, func(other *observer) bool { return other == o })
	}
}

func (h *Host) observe(s sample) {
	for _, o := range h.observers {
		o.see(Sample{s.time, s.skid, Stack{s.stack, s.native}, s.weight, s.kind})
	}
}

// Runtime is the runtime that the host samples.
func (h *Host) Runtime() *goja.Runtime { return h.vm }

// Coordinator is where the host's ticks come from.
func (h *Host) Coordinator() *coordinator.Coordinator { return h.coordinator }

// Away returns the runs of ticks that fell while no script ran, or in a pause
// of Go's collector, in order.
func (h *Host) Away() []coordinator.Away { return h.counter.Away() }

// Here is the stack at which a Go function was called by a script, without the
// innermost frames for which skip holds, the function's own among them. It
// fails when there is no room for another stack, and where there is no such
// frame: outside of scripts.
func (h *Host) Here(skip func(*goja.StackFrame) bool) (Stack, bool) {
	if !h.look() {
		return Nowhere, false
	}
	frames := without(h.frames, skip)
	if len(frames) == 0 {
		return Nowhere, false
	}
	id, ok := h.stacks.intern(frames[:min(len(frames), MaxDepth)])
	return Stack{id, -1}, ok
}

// Settle gives the ticks that are pending to the function that is at work, as a
// loop check there would. For skip see Here.
func (h *Host) Settle(skip func(*goja.StackFrame) bool) {
	if h.counter.Poll() && h.look() {
		h.take(profile.Loop, without(h.frames, skip), -1)
	}
}

func without(frames []goja.StackFrame, skip func(*goja.StackFrame) bool) []goja.StackFrame {
	for len(frames) > 0 && skip(&frames[0]) {
		frames = frames[1:]
	}
	return frames
}

// Describe makes a profile of samples of the host's, in their order if that is
// one of time. As in Profile, stacks are as captured, in original positions
// where the scripts' maps know them.
func (h *Host) Describe(samples []Sample) *profile.Profile {
	b := &profile.Builder{}
	b.Meta = h.meta()
	w := h.writeTo(b)
	for _, s := range samples {
		b.Sample(profile.Sample{Time: s.Time, Stack: w.stack(s.Stack), Weight: s.Weight, Kind: s.Kind, Skid: s.Skid})
	}
	return h.symbolize(b.Profile())
}
