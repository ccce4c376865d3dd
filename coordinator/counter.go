package coordinator

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/fieldprof/fieldprof/profile"
)

// Counter is what one runtime's flag reads: the ticks that were raised for it and not
// yet taken. Pending, Poll, Take, Enter and Leave belong to the goroutine that runs the
// script; any goroutine may raise.
type Counter struct {
	pending     atomic.Int32
	coordinator *Coordinator
	bare        atomic.Bool // checks run, but Enter was never called

	// For the owner only.
	pace    pace
	depth   int  // of Enter
	waits   bool // between Wait and Resume
	entered bool // ever

	mu      sync.Mutex // guards what follows, and raising against taking
	running bool
	first   int64 // when the first pending tick was due or raised
	ticks   profile.Ticks
	before  int64 // the coordinator's missed deadlines when this one was registered
	after   int64 // and when it was unregistered, -1 until then
	outside outsideList
	overdue overdue
}

// Pending reports whether a tick is waiting to be taken. Every check asks it: a
// countdown and a load. From time to time it reads the clock (see pace) and raises the
// tick itself if the coordinator's goroutine has not.
//
// The countdown is always on. With the readings it costs 0.1 to 0.3 of the 14
// ns that a check takes in goja (BenchmarkCheck in gojahost: 13.3 ns for a
// plain variable, 13.7 for a bare atomic load, 13.6 with the clock stopped, 13.8
// with it running at 1 ms, minima of 25 runs in turn), which is within the
// noise. A switch that turned it on only when needed would cost as much.
func (c *Counter) Pending() bool {
	if c.pace.left--; c.pace.left < 0 {
		c.look()
	}
	return c.pending.Load() != 0
}

// look reads the clock for a check.
func (c *Counter) look() {
	if !c.entered && !c.bare.Load() {
		c.runBare()
	}
	now := c.coordinator.Now()
	c.coordinator.poll(now)
	c.pace.next(now, c.coordinator.dueForChecks())
}

// Poll is Pending for places other than checks that know that time has passed: it
// always reads the clock.
func (c *Counter) Poll() bool {
	now := c.coordinator.Now()
	c.coordinator.poll(now)
	c.pace.interrupt(now)
	c.pace.next(now, c.coordinator.dueForChecks())
	return c.pending.Load() != 0
}

// Take takes all pending ticks. It returns how many there were (0 for none), when the
// first was due, and the time now.
func (c *Counter) Take() (weight int32, first, now int64) {
	c.mu.Lock()
	weight, first = c.takeLocked()
	c.mu.Unlock()
	return weight, first, c.coordinator.Now()
}

func (c *Counter) takeLocked() (weight int32, first int64) {
	weight = c.pending.Swap(0)
	c.ticks.Taken += int64(weight)
	return weight, c.first
}

// Lose counts taken ticks as lost after all, because there was no room for a sample.
func (c *Counter) Lose(weight int32) {
	now := c.coordinator.Now()
	c.mu.Lock()
	c.ticks.Taken -= int64(weight)
	c.lose(now, int64(weight))
	c.mu.Unlock()
}

// lose counts ticks as lost that were raised since a time.
func (c *Counter) lose(since, ticks int64) {
	if ticks > 0 {
		c.ticks.Lost += ticks
		c.outside.add(profile.Lost, max(since, c.outside.latest()), ticks)
	}
}

// Enter says that a script is about to run. Calls nest; the inner ones do nothing.
func (c *Counter) Enter() {
	c.depth++
	if c.depth > 1 {
		return
	}
	c.entered = true
	// A deadline before now fell into the wait, even if it was not noticed yet.
	c.coordinator.catchUp()
	if c.bare.Swap(false) { // it was busy already: now the host does bracket its scripts
		c.rest()
	} else {
		c.coordinator.busy.Add(1)
	}
	c.begin()
}

// begin lets ticks reach the flag.
func (c *Counter) begin() {
	c.coordinator.ran.Store(true)
	c.pace.reset()
	c.mu.Lock()
	c.running = true
	c.outside.endRun()
	c.mu.Unlock()
}

// end keeps further ticks from the flag, and returns those that wait on it like Take.
func (c *Counter) end() (weight int32, first, now int64) {
	// A deadline before now fell into the script.
	c.pace.interrupt(c.coordinator.catchUp())
	c.coordinator.busy.Add(-1)
	c.mu.Lock()
	c.running = false
	weight, first = c.takeLocked()
	c.mu.Unlock()
	return weight, first, c.coordinator.Now()
}

// Wait says that the script, which is running, waits for something outside of it until
// Resume: ticks from now on are idle. It returns those that are still pending like Take.
// Without a script that runs, or within another Wait, it does nothing and fails.
func (c *Counter) Wait() (weight int32, first, now int64, ok bool) {
	if c.depth == 0 || c.waits {
		return 0, 0, 0, false
	}
	c.waits = true
	weight, first, now = c.end()
	return weight, first, now, true
}

// Resume ends a Wait.
func (c *Counter) Resume() {
	c.waits = false
	c.coordinator.catchUp() // a deadline before now fell into the wait
	c.coordinator.busy.Add(1)
	c.begin()
}

// Rest says that the script waited until now, which nothing else told: the ticks that are
// pending are idle. It is for hosts that never call Enter.
func (c *Counter) Rest() {
	c.coordinator.catchUp() // a deadline before now fell into the wait
	c.rest()
}

// rest makes the pending ticks idle.
func (c *Counter) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	ticks := int64(c.pending.Swap(0))
	if ticks == 0 {
		return
	}
	c.ticks.Idle += ticks
	c.outside.endRun()
	c.outside.add(profile.Idle, max(c.first, c.outside.latest()), ticks)
	c.outside.endRun()
}

// Waiting reports whether the owner is between Wait and Resume.
func (c *Counter) Waiting() bool { return c.waits }

// Running reports whether the owner is between Enter and Leave.
func (c *Counter) Running() bool { return c.depth > 0 }

// runBare considers a script running from now on, because its checks run although the
// host never called Enter. Without brackets no tick is known to be idle. A host that
// does call Enter, and runs a check outside of it, gets no sample there.
func (c *Counter) runBare() {
	c.coordinator.catchUp()
	c.coordinator.busy.Add(1)
	c.bare.Store(true)
	c.mu.Lock()
	c.running = true
	c.mu.Unlock()
}

// Leave says that the script has ended. Ticks that are still pending were raised while
// it ran: the outermost Leave returns them like Take.
func (c *Counter) Leave() (weight int32, first, now int64) {
	if c.depth == 0 {
		panic("coordinator: Leave without Enter")
	}
	c.depth--
	if c.depth > 0 {
		return 0, 0, 0
	}
	if c.waits { // a Resume is missing, and the wait has ended everything
		c.waits = false
		return 0, 0, 0
	}
	return c.end()
}

// Raise raises one tick by hand, as if its deadline were now.
func (c *Counter) Raise() { c.raise(c.coordinator.Now(), 1, false) }

// raise adds ticks, the first of which was due, or raised, at the given time. Only the
// first can have fallen into a pause.
func (c *Counter) raise(at, ticks int64, inPause bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ticks.Raised += ticks
	if !c.running {
		c.ticks.Idle += ticks
		c.outside.add(profile.Idle, at, ticks)
		return
	}
	if inPause {
		c.ticks.GC++
		c.outside.add(profile.GC, at, 1)
		ticks--
	}
	if ticks == 0 {
		return
	}
	pending := c.pending.Load()
	if pending == 0 {
		c.first = at
	}
	if fit := min(ticks, math.MaxInt32-int64(pending)); fit < ticks {
		c.lose(at, ticks-fit)
		ticks = fit
	}
	c.overdue.look(pending, c.pending.Add(int32(ticks)))
}

// Ticks returns the account so far. Ticks that were raised and never taken are lost.
// Missed ones are the coordinator's while the runtime was registered.
func (c *Counter) Ticks() profile.Ticks {
	t, _ := c.Account()
	return t
}

// Account is Ticks, and says how many of the lost ones still wait to be taken.
func (c *Counter) Account() (t profile.Ticks, waiting int64) {
	missed := c.coordinator.missed.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.after >= 0 {
		missed = c.after
	}
	t, waiting = c.ticks, int64(c.pending.Load())
	t.Missed = missed - c.before
	t.Lost += waiting
	return t, waiting
}

// Bracketed reports whether the host says when it runs scripts, so that idle ticks are
// known.
func (c *Counter) Bracketed() bool { return !c.bare.Load() }

// Outside returns the runs of ticks that fell outside the program, in order.
func (c *Counter) Outside() []Outside { return c.OutsideBetween(0, never) }

// OutsideBetween returns those that began at or after a time and before another.
func (c *Counter) OutsideBetween(from, until int64) []Outside {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outside.between(from, until)
}

// Keep bounds how long runs of ticks outside the program are kept, in nanoseconds; 0 is
// as long as there is room.
func (c *Counter) Keep(ns int64) {
	c.mu.Lock()
	c.outside.keep = ns
	c.mu.Unlock()
}

// KeepRuns bounds how many of these runs are kept, by what most returns whenever they may be too
// many: counters whose recording is bounded share its room. It is called with the counter's lock
// held. When there are more, runs become longer, and then the oldest fall out.
func (c *Counter) KeepRuns(most func() int) {
	c.mu.Lock()
	c.outside.most = most
	c.mu.Unlock()
}

// Forget drops the runs that began before a time.
func (c *Counter) Forget(before int64) {
	c.mu.Lock()
	c.outside.forget(before)
	c.mu.Unlock()
}

// TakeOutside returns all runs of ticks outside the program, and removes them.
func (c *Counter) TakeOutside() []Outside {
	c.mu.Lock()
	defer c.mu.Unlock()
	runs := c.outside.runs
	c.outside.runs, c.outside.idle, c.outside.grain = nil, 0, 0
	return runs
}

// Forgotten returns how many ticks outside the program are no longer kept, because of
// Keep, Forget or for lack of room, and when the last of their runs began.
func (c *Counter) Forgotten() (ticks, until int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outside.gone, c.outside.till
}
