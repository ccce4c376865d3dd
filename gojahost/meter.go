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

// of is now for any other thread.
func (t *thread) of(id int) (time.Duration, bool) {
	if t.read != nil {
		return t.read()
	}
	return cputime.ThreadOf(id)
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

// meter tells apart for whom a runtime works. It belongs to the runtime's goroutine, which
// changes it with the lock of the meters, so that others may read it with that lock.
type meter struct {
	whom
	number  int64   // of the task, in the host; 0: none
	single  *single // it is counted with
	since   int64   // time after it is in no account yet
	cpu     time.Duration
	known   bool // whether cpu is
	thread  int  // whose it is
	waiting bool
	ended   bool // the task has: nothing of it can be interrupted
	stopped bool // an Overrun has interrupted it; guarded by the lock
}

// until is what was used since the last charge.
func (m *meter) until(now int64, spent time.Duration) used {
	u, passed := used{known: m.known, cpu: max(spent-m.cpu, 0)}, time.Duration(max(now-m.since, 0))
	if m.waiting {
		u.waiting = passed
	} else {
		u.wall = passed
	}
	return u
}

// context has the labels that a goroutine has in such tasks.
func (m *meter) context() context.Context {
	if m.labels == nil {
		return context.Background()
	}
	return m.labels
}

// charge adds the time since the last charge to the account of the tags that had it, and says
// whether the task waits from now on.
func (h *Host) charge(waits bool) {
	now, spent := h.coordinator.Now(), h.meter.cpu
	if h.meter.known {
		spent, _ = h.recording.cpu.now()
	}
	h.recording.meters.charge(&h.meter, now, spent, waits)
}

// enter begins a task for a set of tags, and returns the meter of the task around it.
func (h *Host) enter(who whom, nested bool) (outer meter) {
	if nested {
		h.charge(h.meter.waiting)
	}
	outer = h.meter
	h.tasks++
	next := meter{whom: who, number: h.tasks}
	if nested {
		next.since, next.cpu, next.known, next.thread = outer.since, outer.cpu, outer.known, outer.thread
	} else {
		next.known, next.since = h.recording.cpu.lock(), h.coordinator.Now()
		if next.known {
			next.thread = cputime.ThreadID()
			next.cpu, _ = h.recording.cpu.now()
		}
	}
	next.single = h.joined(&next)
	h.recording.meters.begin(&h.meter, next)
	return outer
}

// leave ends a task, which returned an error, and goes on with the one around it. The time that it used may exceed a
// budget without any check having seen that. It reports whether the task was interrupted.
func (h *Host) leave(outer meter, nested bool, err error) (stopped bool) {
	h.charge(false)
	at := h.seen()
	at.of = h.overrunIn(err)
	h.lookAtBudgets(at)
	h.part(h.meter.number)
	if !nested {
		if h.meter.known {
			runtime.UnlockOSThread()
		}
		return h.recording.meters.end(&h.meter, meter{})
	}
	outer.since, outer.cpu = h.meter.since, h.meter.cpu
	return h.recording.meters.end(&h.meter, outer)
}
