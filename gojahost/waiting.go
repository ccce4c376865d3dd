package gojahost

import "github.com/fieldprof/fieldprof/profile"

// Waiting is for Go functions that scripts call and that wait for something: a network,
// a disk, another goroutine. While fn runs, ticks are idle, and the time is no work of
// the task's. Outside of tasks it just calls fn. Scripts that fn runs by Run are work.
func (h *Host) Waiting(fn func()) {
	if h.counter.Running() && !h.counter.Waiting() {
		defer h.wait()()
	}
	fn()
}

// wait begins to wait, and returns what ends it.
func (h *Host) wait() (resume func()) {
	h.betweenNatives() // the time up to here is the Go function's
	weight, first, now, _ := h.counter.Wait()
	if weight > 0 {
		h.keep(profile.Program, nil, -1, weight, first, now)
	}
	h.charge()
	h.meter.waiting = true
	if h.inside != nil {
		h.relabel(h.meter.labels)
	}
	return func() {
		if h.inside != nil {
			h.relabel(h.inside)
		}
		h.counter.Resume()
		h.charge()
		h.meter.waiting = false
	}
}

// pause ends a wait for a while, and returns what goes on with it.
func (h *Host) pause() (goOn func()) {
	h.counter.Resume()
	h.charge()
	h.meter.waiting = false
	return func() {
		weight, first, now, _ := h.counter.Wait()
		if weight > 0 {
			h.keep(profile.Program, nil, -1, weight, first, now)
		}
		h.charge()
		h.meter.waiting = true
	}
}
