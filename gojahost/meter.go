package gojahost

import (
	"context"
	"runtime"
	"time"

	"github.com/fieldprof/fieldprof/internal/cputime"
)

// thread reads the processor time of the thread that runs a task.
type thread struct {
	on   bool
	read func() (time.Duration, bool) // cputime.Thread, but for tests
}

// lock binds a task to its thread, and reports whether its processor time is known.
func (t *thread) lock() bool {
	if !t.on {
		return false
	}
	runtime.LockOSThread()
	_, known := t.now()
	if !known {
		runtime.UnlockOSThread()
	}
	return known
}

func (t *thread) now() (time.Duration, bool) {
	if t.read != nil {
		return t.read()
	}
	return cputime.Thread()
}

// used is time that was used: by the clock, and of a processor.
type used struct {
	wall, waiting, cpu time.Duration
	known              bool // whether cpu is
}

// work is the time that budgets count: the processor's where it is known.
func (u *used) work() time.Duration {
	if u.known {
		return u.cpu
	}
	return u.wall
}

func (u *used) add(o used) {
	u.wall, u.waiting, u.cpu = u.wall+o.wall, u.waiting+o.waiting, u.cpu+o.cpu
	u.known = u.known || o.known
}

// meter tells apart for whom a runtime works. It belongs to the runtime's goroutine.
type meter struct {
	whom
	began   int64 // when the task with these tags began
	task    used  // of that task, so far
	since   int64 // time after it is in no account yet
	cpu     time.Duration
	known   bool // whether cpu is
	waiting bool
	fired   map[*budget]bool // in this task
	ended   bool             // the task has: nothing of it can be interrupted
	stopped bool             // an Overrun has interrupted it
}

// context has the labels that a goroutine has in such tasks.
func (m *meter) context() context.Context {
	if m.labels == nil {
		return context.Background()
	}
	return m.labels
}

// charge adds the time since the last charge to the account of the tags that had it.
func (h *Host) charge() {
	m, now := &h.meter, h.coordinator.Now()
	u := used{known: m.known}
	if m.waiting {
		u.waiting = time.Duration(now - m.since)
	} else {
		u.wall = time.Duration(now - m.since)
	}
	from := m.since
	m.since = now
	if m.known {
		spent, _ := h.recording.cpu.now()
		u.cpu = max(spent-m.cpu, 0)
		m.cpu = spent
	}
	m.task.add(u)
	h.recording.meters.charge(m.tags, u, from, now)
}

// enter begins a task for a set of tags, and returns the meter of the task around it.
func (h *Host) enter(who whom, nested bool) (outer meter) {
	if nested {
		h.charge()
	}
	outer = h.meter
	m := meter{whom: who, since: outer.since, cpu: outer.cpu, known: outer.known}
	if !nested {
		m.known, m.since = h.recording.cpu.lock(), h.coordinator.Now()
		m.cpu, _ = h.recording.cpu.now()
	}
	m.began = m.since
	h.meter = m
	h.recording.meters.begin(who.tags)
	return outer
}

// leave ends a task, and goes on with the one around it. The time that it used may exceed a
// budget without any check having seen that.
func (h *Host) leave(outer meter, nested bool) {
	h.charge()
	h.lookAtBudgets()
	if !nested {
		if h.meter.known {
			runtime.UnlockOSThread()
		}
		h.meter = meter{}
		return
	}
	inner := h.meter
	outer.since, outer.cpu = inner.since, inner.cpu
	h.meter = outer
}
