package coordinator

import (
	"sync"
	"sync/atomic"

	"github.com/fieldprof/fieldprof/profile"
)

// Counter is the word behind one runtime's flag: the ticks that were raised
// for it and not yet taken. The goroutine that runs the script owns Pending,
// Take, Enter and Leave; raising comes from anywhere.
type Counter struct {
	pending     atomic.Int32
	coordinator *Coordinator

	// reads until the owner looks at the clock, and how many to go then. The
	// owner's alone.
	reads, stride int32
	looked        int64 // when it last did

	mu    sync.Mutex // guards what follows, and raising against Leave
	busy  int        // depth of Enter; written by the owner alone
	bare  bool       // the host runs scripts without Enter
	first int64      // when the first pending tick was due or raised
	ticks profile.Ticks
	away  []Away
}

// Away is a run of ticks that fell outside the program: idle, or in a pause of
// the collector.
type Away struct {
	Kind   profile.Kind // profile.Idle or profile.GC
	Time   int64        // of the first, in nanoseconds since the coordinator was made
	Ticks  int32
	latest int64
}

// maxAway bounds the memory of what fell outside the program; further ticks
// are counted but have no time of their own.
const maxAway = 1 << 18

// maxStride is the most reads between two looks at the clock. A look costs
// some 40 ns and a check some 10, so 64 reads make it under a nanosecond each.
const maxStride = 64

// Pending reports whether a tick waits to be taken. It is what a check asks,
// a load and a countdown; every so many reads it looks at the clock and raises
// the tick itself if the coordinator's goroutine has not got to it.
func (c *Counter) Pending() bool {
	if c.pending.Load() != 0 {
		return true
	}
	if c.reads--; c.reads > 0 {
		return false
	}
	return c.look()
}

// look reads the clock and sets how many reads may pass until the next time:
// twice as many when the last ones took less than a sixteenth of an interval,
// half as many when they took more than an eighth.
func (c *Counter) look() bool {
	if c.busy == 0 && !c.bare {
		// A check runs, so a script does, and nobody said so: this host does
		// not bracket its tasks, and no tick can be called idle from here on.
		c.mu.Lock()
		c.bare = true
		c.mu.Unlock()
	}
	now := c.coordinator.Now()
	switch took := now - c.looked; {
	case took < c.coordinator.clock.interval/16:
		c.stride = min(c.stride*2, maxStride)
	case took > c.coordinator.clock.interval/8:
		c.stride = max(c.stride/2, 1)
	}
	c.looked, c.reads = now, c.stride
	if now < c.coordinator.due.Load() {
		return false
	}
	c.coordinator.poll(now)
	return c.pending.Load() != 0
}

// Take takes all pending ticks: how many there were (0 when another check was
// faster), when the first was due, and the time now.
func (c *Counter) Take() (weight int32, first, now int64) {
	c.mu.Lock()
	weight, first = c.pending.Swap(0), c.first
	c.ticks.Taken += int64(weight)
	c.mu.Unlock()
	return weight, first, c.coordinator.Now()
}

// Lose counts taken ticks as lost after all: there was no room for a sample.
func (c *Counter) Lose(weight int32) {
	c.mu.Lock()
	c.ticks.Taken -= int64(weight)
	c.ticks.Lost += int64(weight)
	c.mu.Unlock()
}

// Enter says that a script begins to run. Calls nest.
func (c *Counter) Enter() {
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
}

// Leave says that the script came to its end. What is still pending then was
// raised while it ran: the outermost Leave returns it like Take.
func (c *Counter) Leave() (weight int32, first, now int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy > 0 {
		return 0, 0, 0
	}
	weight, first = c.pending.Swap(0), c.first
	c.ticks.Taken += int64(weight)
	return weight, first, c.coordinator.Now()
}

// raise adds one tick that was due, or raised, at a time.
func (c *Counter) raise(at int64, inPause bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ticks.Raised++
	switch {
	case c.busy == 0 && !c.bare:
		c.ticks.Idle++
		c.fellAway(profile.Idle, at)
	case inPause:
		c.ticks.GC++
		c.fellAway(profile.GC, at)
	default:
		if c.pending.Load() == 0 {
			c.first = at
		}
		c.pending.Add(1)
	}
}

// fellAway notes a tick outside the program. Idle ticks in a row are one run.
func (c *Counter) fellAway(kind profile.Kind, at int64) {
	if n := len(c.away); n > 0 && c.away[n-1].Kind == kind {
		if last := &c.away[n-1]; at-last.latest < 2*c.coordinator.clock.interval || n == maxAway {
			last.Ticks++
			last.latest = at
			return
		}
	}
	if len(c.away) < maxAway {
		c.away = append(c.away, Away{kind, at, 1, at})
	}
}

// Ticks is the account so far. Ticks that were raised and never taken are lost;
// missed ones are the coordinator's.
func (c *Counter) Ticks() profile.Ticks {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.ticks
	t.Missed = c.coordinator.missed.Load()
	t.Lost += int64(c.pending.Load())
	return t
}

// Bracketed reports whether the host brackets its tasks, so that idle ticks are
// known to be idle.
func (c *Counter) Bracketed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.bare
}

// Away returns the runs of ticks that fell outside the program, in order.
func (c *Counter) Away() []Away {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Away(nil), c.away...)
}
