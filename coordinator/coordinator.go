package coordinator

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// DefaultInterval is the gap between ticks when Options has none.
const DefaultInterval = 10 * time.Millisecond

// Options set up a Coordinator. The zero value is valid.
type Options struct {
	Interval time.Duration // nominal gap between two ticks; 0: DefaultInterval
	Seed     uint64        // of the jitter; equal seeds draw equal gaps
}

// Coordinator raises ticks for the runtimes registered with it. It is safe for
// use by many goroutines.
type Coordinator struct {
	options Options
	epoch   time.Time
	due     atomic.Int64 // the deadline, for those who only look
	missed  atomic.Int64
	late    Histogram

	mu       sync.Mutex // guards the clock and the counters
	clock    clock
	pauses   pauses
	counters []*Counter
	done     <-chan struct{} // closed to stop; nil while stopped
}

// never is a deadline that does not come.
const never = 1<<63 - 1

// New makes a coordinator. It raises nothing until it is started.
func New(options Options) *Coordinator {
	if options.Interval <= 0 {
		options.Interval = DefaultInterval
	}
	c := &Coordinator{options: options, epoch: time.Now(), clock: newClock(options.Interval, options.Seed)}
	c.due.Store(never)
	return c
}

// Epoch is the moment from which all its times count.
func (c *Coordinator) Epoch() time.Time { return c.epoch }

// Interval is the nominal gap between two ticks.
func (c *Coordinator) Interval() time.Duration { return c.options.Interval }

// Seed is the seed of the jitter.
func (c *Coordinator) Seed() uint64 { return c.options.Seed }

// Now is the time in nanoseconds since Epoch.
func (c *Coordinator) Now() int64 { return int64(time.Since(c.epoch)) }

// Late summarises how long after its deadline the goroutine raised each tick.
func (c *Coordinator) Late() profile.Spread { return c.late.Spread() }

// Register adds a runtime. It may come and go while the coordinator runs.
func (c *Coordinator) Register() *Counter {
	counter := &Counter{coordinator: c, stride: 1}
	c.mu.Lock()
	c.counters = append(c.counters, counter)
	c.mu.Unlock()
	return counter
}

// Unregister removes a runtime: it gets no further ticks.
func (c *Coordinator) Unregister(counter *Counter) {
	c.mu.Lock()
	c.counters = slices.DeleteFunc(c.counters, func(other *Counter) bool { return other == counter })
	c.mu.Unlock()
}

// Start starts the clock. The returned stop ends it and waits until its
// goroutine is gone; calling it again does nothing. Starting a coordinator
// that runs already panics.
func (c *Coordinator) Start() (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done != nil {
		panic("coordinator: started twice")
	}
	done, gone := make(chan struct{}), make(chan struct{})
	c.done = done
	c.pauses.begin(c.epoch)
	c.clock.begin(c.Now())
	c.due.Store(c.clock.deadline)
	go func() {
		defer close(gone)
		c.run(done)
	}()
	var once sync.Once
	return func() {
		once.Do(func() {
			c.mu.Lock()
			c.done = nil
			c.due.Store(never)
			c.mu.Unlock()
			close(done)
			<-gone
		})
	}
}

// run sleeps from deadline to deadline. A loop that aims at deadlines gets up
// to twice the ticks of a time.Ticker when the processors are busy.
func (c *Coordinator) run(done <-chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		left := time.Duration(c.due.Load() - c.Now())
		if left > fineSleep {
			timer.Reset(left - fineSleep)
			select {
			case <-done:
				return
			case <-timer.C:
			}
			left = time.Duration(c.due.Load() - c.Now())
		}
		if left > 0 {
			sleep(min(left, max(fineSleep, time.Millisecond)))
		}
		select {
		case <-done:
			return
		default:
			c.wake(done)
		}
	}
}

// wake raises the tick if its deadline has passed and no check was first.
func (c *Coordinator) wake(done <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.Now(); c.done == done && now >= c.clock.deadline {
		c.late.Add(now - c.clock.deadline)
		c.tick(now, now)
	}
}

// poll raises the tick whose deadline a check found passed. If the goroutine
// or another runtime is at it, that is as good.
func (c *Coordinator) poll(now int64) {
	if !c.mu.TryLock() {
		return
	}
	defer c.mu.Unlock()
	if c.done == nil || now < c.clock.deadline {
		return
	}
	c.late.Add(0)
	c.tick(c.clock.deadline, now)
}

// tick raises one tick at a time and moves the clock on. A tick whose deadline
// fell into a pause of Go's collector is the collector's.
func (c *Coordinator) tick(at, now int64) {
	inPause := c.pauses.cover(c.clock.deadline, now)
	for _, counter := range c.counters {
		counter.raise(at, inPause)
	}
	c.missed.Add(c.clock.pass(now))
	c.due.Store(c.clock.deadline)
}
