package coordinator

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/profile"
)

// DefaultInterval is the gap between ticks when Options has none.
const DefaultInterval = 10 * time.Millisecond

// Options set up a Coordinator. The zero value is valid.
type Options struct {
	Interval time.Duration // nominal gap between two ticks, a thousand hours at most; 0: DefaultInterval
	Seed     uint64        // of the jitter; equal seeds draw equal gaps
	// Clock replaces the machine's clock: it returns the time since the coordinator
	// was made, and never goes back. Nothing sleeps by such a clock, so only checks
	// raise ticks, as if one script kept the only processor; the collector's pauses
	// are unknown. It is for simulations and tests, in which equal seeds give equal
	// samples.
	Clock func() time.Duration
}

// Coordinator raises ticks for the runtimes registered with it. It is safe for
// use by many goroutines.
type Coordinator struct {
	options Options
	epoch   time.Time
	since   func() time.Duration // the epoch
	due     atomic.Int64         // the deadline, readable without the lock
	missed  atomic.Int64
	busy    atomic.Int32 // runtimes that run a script
	ran     atomic.Bool  // a script ran since the last tick
	procs   atomic.Int32 // GOMAXPROCS, as of the last tick: asking takes a lock
	gap     atomic.Int64 // the clock's interval, readable without the lock
	stopped atomic.Int64 // when the clock was last stopped, never while it runs
	late    Histogram

	mu       sync.Mutex // guards the clock and the counters
	clock    clock
	pauses   pauses
	counters []*Counter
	cpu      func() (time.Duration, bool) // cputime.Process, but for tests
	spent    time.Duration                // of it at the last tick
	started  int                          // calls of Start that have not been stopped
	joined   []*joint
	done     chan struct{}   // closed to stop; nil while stopped
	gone     <-chan struct{} // closed when its goroutine is
	wait     *sleeper        // of the goroutine
}

// never is a deadline that never comes.
const never = 1<<63 - 1

// New makes a coordinator. It raises no ticks until it is started.
func New(options Options) *Coordinator {
	options.Interval = bounded(options.Interval, DefaultInterval)
	c := &Coordinator{options: options, epoch: time.Now(), clock: newClock(options.Interval, options.Seed), cpu: cputime.Process}
	c.since = func() time.Duration { return time.Since(c.epoch) }
	if options.Clock != nil {
		c.since = options.Clock
		c.cpu = func() (time.Duration, bool) { return options.Clock(), true }
	}
	c.due.Store(never)
	c.gap.Store(int64(options.Interval))
	return c
}

// Epoch returns the origin of all the coordinator's times.
func (c *Coordinator) Epoch() time.Time { return c.epoch }

// Interval returns the nominal gap between two ticks: the one in the options, unless
// the clock runs only because of Join.
func (c *Coordinator) Interval() time.Duration { return time.Duration(c.gap.Load()) }

// Seed returns the seed of the jitter.
func (c *Coordinator) Seed() uint64 { return c.options.Seed }

// Now returns the time in nanoseconds since Epoch.
func (c *Coordinator) Now() int64 { return int64(c.since()) }

// Missed returns how many deadlines have passed unnoticed since the coordinator was made.
func (c *Coordinator) Missed() int64 { return c.missed.Load() }

// Elapsed returns how far the clock has run: Now, or the time at which it was last
// stopped.
func (c *Coordinator) Elapsed() int64 { return min(c.Now(), c.stopped.Load()) }

// Late summarizes how long after its deadline the goroutine raised each tick. A
// tick that a check raised counts with the head start that checks give the goroutine.
func (c *Coordinator) Late() profile.Spread { return c.late.Spread() }

// Register adds a runtime, which may come and go while the coordinator runs.
func (c *Coordinator) Register() *Counter {
	c.catchUp() // the newcomer gets no tick that is due already
	counter := &Counter{coordinator: c, after: -1}
	c.mu.Lock()
	defer c.mu.Unlock()
	counter.before = c.missed.Load()
	c.counters = append(c.counters, counter)
	return counter
}

// Unregister removes a runtime: it gets no further ticks, and those that wait to be taken
// are lost. The goroutine that owns the counter calls it, or any other once the runtime is
// gone.
func (c *Coordinator) Unregister(counter *Counter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.counters, counter); i >= 0 {
		c.counters = slices.Delete(c.counters, i, i+1)
		if counter.bare.Swap(false) {
			counter.entered = true
			c.busy.Add(-1)
		}
		counter.mu.Lock()
		counter.after = c.missed.Load()
		counter.lose(counter.first, int64(counter.pending.Swap(0)))
		counter.mu.Unlock()
	}
}

// run sleeps from deadline to deadline. On busy processors, a loop that aims at
// deadlines gets up to twice as many ticks as a time.Ticker.
func (c *Coordinator) run(done <-chan struct{}, wait *sleeper) {
	for {
		wait.sleep(c.rest())
		select {
		case <-done:
			return
		default:
			c.wake(done)
		}
	}
}

// rest is how long the goroutine sleeps: until the deadline or, if the clock is not
// the machine's, until it is stopped.
func (c *Coordinator) rest() time.Duration {
	if c.options.Clock != nil {
		return time.Duration(never)
	}
	return time.Duration(c.due.Load() - c.Now())
}

// countProcessors notes how many processors scripts can take: one, if the clock is
// not the machine's.
func (c *Coordinator) countProcessors() {
	if c.options.Clock != nil {
		c.procs.Store(1)
		return
	}
	c.procs.Store(int32(runtime.GOMAXPROCS(0)))
}

// crowded reports whether scripts occupy every processor that Go has.
func (c *Coordinator) crowded() bool {
	busy := c.busy.Load()
	return busy > 0 && busy >= c.procs.Load()
}

// maxGrace bounds the goroutine's head start.
const maxGrace = int64(2 * time.Millisecond)

// grace is the goroutine's head start: how long checks leave a deadline to it. If it
// has a processor, the goroutine arrives by itself, some 30 µs late and more on a busy
// machine: a delay that is unrelated to what the script does. A check that reads the
// clock just before a deadline, however, lengthens the stretch after it, and short
// stretches between two calls of tiny functions then show up to three times their
// share (fixtures/exact/tiny-leaf: main 17 % instead of 6).
func (c *Coordinator) grace() int64 {
	if c.procs.Load() == 1 || c.crowded() {
		return 0
	}
	return min(c.gap.Load()/8, maxGrace)
}

// dueForChecks is the time from which checks may raise the tick.
func (c *Coordinator) dueForChecks() int64 {
	due := c.due.Load()
	if due == never {
		return due
	}
	return due + c.grace()
}

// wake raises the tick if its deadline has passed and no check has done so.
func (c *Coordinator) wake(done <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.Now(); c.done == done && now >= c.clock.deadline {
		c.late.Add(now - c.clock.deadline)
		c.tick(now, now)
	}
}

// poll raises the tick whose deadline a check found passed. If the goroutine or
// another runtime already holds the lock, it will raise the tick.
func (c *Coordinator) poll(now int64) {
	if now >= c.dueForChecks() && c.mu.TryLock() {
		c.serve(now)
		c.mu.Unlock()
	}
}

// catchUp is poll, except that it waits for the lock: when it returns, no deadline
// before now is open, so a change of state after it cannot be charged for an earlier
// one. During the goroutine's head start the deadline is not the moment that is
// sampled; that is the moment at which the goroutine arrives, whatever runs then.
// catchUp returns the time that it read.
func (c *Coordinator) catchUp() (now int64) {
	now = c.Now()
	if now >= c.dueForChecks() {
		c.mu.Lock()
		c.serve(now)
		c.mu.Unlock()
	}
	return now
}

// serve raises the tick that is due on behalf of a runtime: at its deadline, or when
// the goroutine's head start was over. Skid counts from that moment, and the head
// start is how late the tick is.
func (c *Coordinator) serve(now int64) {
	waited := c.grace()
	if c.done != nil && now >= c.clock.deadline+waited {
		c.late.Add(waited)
		c.tick(c.clock.deadline+waited, now)
	}
}

// tick raises one tick, dated at, and moves the clock on. A tick whose deadline fell
// into a pause of Go's collector belongs to the collector. Deadlines are published
// after that, so that catchUp cannot overlook one that is half delivered. Work that takes time
// and does not decide about this tick comes last: until then the tick is late.
func (c *Coordinator) tick(at, now int64) {
	inPause := c.options.Clock == nil && c.pauses.cover(c.clock.deadline, now)
	missed := c.clock.pass(now)
	busy := c.busy.Load() > 0
	rested := !c.ran.Swap(busy) && !busy
	ran := int64(0)
	if missed > 0 {
		ran = c.ranThrough(missed, rested)
		c.missed.Add(missed - ran)
	}
	for _, counter := range c.counters {
		counter.raise(at, 1+ran, inPause)
	}
	c.due.Store(c.clock.deadline)
	if missed == 0 {
		c.measure()
	}
}

// ranThrough is how many of the missed deadlines certainly fell into what runs now.
// If nothing runs, nor has since the last tick, that is all of them. If scripts
// occupy every processor that Go has, they kept the clock from being read, most
// likely in one long call without checks. The number is then limited by the processor
// time that the process spent since the tick before; during the rest the machine was busy
// with something else, and it is unknown where the scripts would have been.
func (c *Coordinator) ranThrough(missed int64, rested bool) int64 {
	ran, known := c.measure()
	if rested {
		return missed
	}
	if !c.crowded() {
		return 0
	}
	if !known {
		return missed
	}
	half := c.clock.interval / 2
	return min(missed, (ran+half)/c.clock.interval)
}

// measure counts the processors, and returns how much of their time the process spent since
// the last tick. Each tick asks, because any may be the one before a long stretch.
func (c *Coordinator) measure() (ran int64, known bool) {
	c.countProcessors()
	spent, known := c.cpu()
	ran = int64(spent - c.spent)
	c.spent = spent
	return ran, known
}
