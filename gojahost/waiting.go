package gojahost

import (
	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/profile"
)

// Waiting is for Go functions that scripts call and that wait for something: a network,
// a disk, another goroutine. While fn runs, ticks are idle, and the time is not work of
// the task's. Scripts that fn runs by Run, or within Working, are work. A host that does
// not bracket its scripts by Run may use it, too: its scripts that fn calls back without
// Working are work from their first entry check on.
func (h *Host) Waiting(fn func()) {
	switch {
	case !h.counter.Running():
		defer h.rest()()
	case !h.counter.Waiting():
		defer h.wait()()
	}
	fn()
}

// Working runs a callback of a function that waits: within Waiting, its time is work again, of
// the task that waits. Elsewhere it only runs fn.
func (h *Host) Working(fn func()) {
	var goOn func()
	switch {
	case h.counter.Waiting():
		goOn = h.pause()
	case h.resting > 0:
		goOn = h.work()
	default:
		fn()
		return
	}
	defer func() {
		h.betweenNatives()
		goOn()
	}()
	fn()
}

// Rested is for hosts that do not bracket their scripts: it says that the script waited
// until now, so that the ticks since its last check are idle. An event loop calls it
// before it runs what was waited for.
func (h *Host) Rested() {
	if !h.counter.Running() {
		h.counter.Rest()
	}
}

// rest is wait outside of tasks.
func (h *Host) rest() (resume func()) {
	h.betweenNatives()
	h.resting++
	return func() {
		h.resting--
		h.Rested()
	}
}

// work is pause outside of tasks.
func (h *Host) work() (goOn func()) {
	h.Rested()
	resting := h.resting
	h.resting = 0
	return func() { h.resting = resting }
}

// wasResting reports whether a host without brackets waited before an entry check whose
// callers are these: nothing called the function, or something that waits did.
func (h *Host) wasResting(callers []goja.StackFrame) bool {
	if h.counter.Bracketed() || h.armed {
		return false
	}
	return len(callers) == 0 || h.resting > 0 && isNative(&callers[0])
}

// wait begins to wait, and returns what ends it.
func (h *Host) wait() (resume func()) {
	h.betweenNatives() // the time up to here is the Go function's
	weight, first, now, _ := h.counter.Wait()
	if weight > 0 {
		h.keep(profile.Program, nil, -1, weight, first, now)
	}
	h.charge(true)
	if h.inside != nil {
		h.relabel(h.meter.labels)
	}
	return func() {
		if h.inside != nil {
			h.relabel(h.inside)
		}
		h.counter.Resume()
		h.charge(false)
	}
}

// pause ends a wait for a while, and returns what goes on with it.
func (h *Host) pause() (goOn func()) {
	h.counter.Resume()
	h.charge(false)
	return func() {
		weight, first, now, _ := h.counter.Wait()
		if weight > 0 {
			h.keep(profile.Program, nil, -1, weight, first, now)
		}
		h.charge(true)
	}
}
