package gojahost

import (
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
)

// Observer is the interface for consumers that keep samples themselves instead of
// reading the host's recording: live views, triggers, other profiling APIs. Package
// mozilla is such a consumer. Like its host, it belongs to the runtime's goroutine.
type Observer struct {
	host *Host
	own  string
}

// Observer makes an observer. A consumer that is partly JavaScript names the file of
// its script (else ""), whose frames are not taken for the program's.
func (h *Host) Observer(own string) *Observer { return &Observer{h, own} }

// Stack is a stack as a host keeps it. Equal stacks are equal values; they are
// meaningful to their host only.
type Stack struct {
	id     stackID
	native int32
}

// NoStack is the stack of a sample that has none.
var NoStack = Stack{noStack, -1}

// Sample is one sample, as observers see it.
type Sample struct {
	Time   int64 // nanoseconds since the coordinator was made
	Skid   int64 // nanoseconds since the first of its ticks was due
	Stack  Stack // as captured
	Weight int32 // ticks
	Kind   profile.Kind
}

// subscription is one call of Follow.
type subscription struct {
	see     func(Sample)
	stopped bool
}

// Follow keeps the clock running, as coordinator.Join does, and calls see with every
// sample in order of time until stop is called. It calls see from within checks, so see
// must not run a script; it may call stop. Ticks that fell while no script ran are not
// among the samples: Outside returns them.
func (o *Observer) Follow(interval time.Duration, see func(Sample)) (stop func()) {
	h, s := o.host, &subscription{see: see}
	leave := h.coordinator.Join(interval)
	h.followers = append(h.followers, s)
	return func() {
		s.stopped = true
		// A follower may stop while a sample is shown to all of them, so theirs is another list.
		h.followers = slices.DeleteFunc(slices.Clone(h.followers), func(other *subscription) bool { return other == s })
		leave()
	}
}

// publish shows a sample to all followers. Where there is no room for its stack, it is
// (program).
func (h *Host) publish(frames []goja.StackFrame, s Sample) {
	id, ok := h.stacks.intern(frames)
	if s.Stack.id = id; !ok {
		s.Stack, s.Kind = NoStack, profile.Program
	}
	for _, f := range h.followers {
		if !f.stopped {
			f.see(s)
		}
	}
}

// Flush gives pending ticks to the function that is running, as a loop check there
// would: before a following stops, or its samples are read.
func (o *Observer) Flush() {
	if h := o.host; h.counter.Poll() && h.look() {
		h.take(profile.Loop, o.callers(h.frames), -1)
	}
}

// Stack captures the stack at which a script called the Go function that is running,
// without the observer's own frames. It fails outside of scripts, and if there is no
// room for another stack.
func (o *Observer) Stack() (Stack, bool) {
	h := o.host
	if !h.look() {
		return NoStack, false
	}
	frames := o.callers(h.frames)
	if len(frames) == 0 {
		return NoStack, false
	}
	id, ok := h.stacks.intern(frames[:min(len(frames), MaxDepth)])
	return Stack{id, -1}, ok
}

// callers drops the observer's own frames from the top of a stack: Go functions, then
// those of its script.
func (o *Observer) callers(frames []goja.StackFrame) []goja.StackFrame {
	within := false
	for ; len(frames) > 0; frames = frames[1:] {
		switch file := frames[0].SrcName(); {
		case o.own != "" && file == o.own:
			within = true
		case within || file != "<native>":
			return frames
		}
	}
	return frames
}

// Outside returns the ticks since a time and until another that fell while no script
// ran, or in a pause of Go's collector, in order.
func (o *Observer) Outside(since, until int64) []coordinator.Outside {
	return slices.DeleteFunc(o.host.counter.Outside(), func(a coordinator.Outside) bool {
		return a.Kind == profile.Lost || a.Time < since || a.Time >= until
	})
}

// Top is the last step of a stack other than NoStack: the caller's stack, and the
// function on top with the position in it, which is 0:0 in Go functions. As with
// Profile, the name is goja's and the position that of the deployed script.
func (o *Observer) Top(s Stack) (caller Stack, f profile.Function, line, column int32) {
	h := o.host
	if s.native >= 0 {
		return Stack{s.id, -1}, goFunction(h.recording.nativeName(s.native)), 0, 0
	}
	n := h.stacks.nodes[s.id]
	f, line, column = h.recording.frame(&h.stacks.frames[n.frame])
	return Stack{n.caller, -1}, f, line, column
}

// Ticks is the account of the host's ticks so far. Those that wait to be taken count as
// lost.
func (o *Observer) Ticks() profile.Ticks { return o.host.counter.Ticks() }

// Profile makes a profile of some of the host's samples, which are in order of time if
// the profile is to be. As in Host.Profile, stacks are as captured, in original
// positions where the scripts' maps know them.
func (o *Observer) Profile(samples []Sample) *profile.Profile {
	h, b := o.host, &profile.Builder{}
	w := h.writeTo(b)
	for _, s := range samples {
		b.Sample(profile.Sample{Time: s.Time, Stack: w.stack(s.Stack), Weight: s.Weight, Kind: s.Kind, Skid: s.Skid})
	}
	s := h.recording.snapshot(everything(h.id))
	b.Meta = h.recording.meta(&s)
	b.Meta.Ticks = h.counter.Ticks()
	return profile.Symbolize(b.Profile(), h.recording.symbols())
}

// Runtime returns the runtime that the host samples.
func (h *Host) Runtime() *goja.Runtime { return h.vm }

// Coordinator returns the coordinator from which the host has its ticks.
func (h *Host) Coordinator() *coordinator.Coordinator { return h.coordinator }
