package gojahost

import (
	"time"

	"github.com/fieldprof/fieldprof/gojahost/accounts"
	"github.com/fieldprof/fieldprof/profile"
)

// State says how a recording is.
type State = accounts.State

// State says how the host's recording is, or that of its pool. Any goroutine may call it.
func (h *Host) State() State { return h.recording.state() }

func (r *recording) state() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trim(r.coordinator.Elapsed())
	s := State{Runtimes: len(r.members), Samples: r.ring.count, Ticks: r.ended}
	for _, m := range r.members {
		account, waiting := m.counter.Account()
		account.Raised, account.Lost = account.Raised-waiting, account.Lost-waiting
		s.Ticks = sum(s.Ticks, account)
		dropped, _ := m.counter.Forgotten()
		s.Ticks.Dropped += dropped
	}
	s.Ticks.Missed = r.coordinator.Missed() - r.made
	s.Ticks.Dropped += r.ring.fallen + r.outside.out.ever
	if len(r.ring.segments) > 0 {
		s.Oldest = r.coordinator.Epoch().Add(time.Duration(r.ring.segments[0].from))
	}
	r.known.RLock()
	s.Tags = len(r.tags.sets)
	r.known.RUnlock()
	return s
}

// sum adds up two accounts.
func sum(a, b profile.Ticks) profile.Ticks {
	return profile.Ticks{Raised: a.Raised + b.Raised, Missed: a.Missed + b.Missed, Taken: a.Taken + b.Taken,
		Idle: a.Idle + b.Idle, GC: a.GC + b.GC, Lost: a.Lost + b.Lost, Dropped: a.Dropped + b.Dropped}
}
