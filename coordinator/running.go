package coordinator

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// joint is one call of Join, with the gap between ticks that it asked for.
type joint struct{ interval int64 }

// Start starts the clock. The returned stop ends it and waits until its goroutine has
// ended; calling it again does nothing. Starts nest: the clock runs until each of them
// has been stopped.
func (c *Coordinator) Start() (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started++
	c.follow()
	return c.once(func() { c.started-- })
}

// Join keeps the clock running until leave is called, for any number of callers at a
// time. While the clock is also started by Start, the gap between ticks is the one in
// the options; otherwise it is the smallest that a caller of Join asked for (0: the
// options'). Interval returns it.
func (c *Coordinator) Join(interval time.Duration) (leave func()) {
	me := &joint{int64(bounded(interval, c.options.Interval))}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.joined = append(c.joined, me)
	c.follow()
	return c.once(func() {
		c.joined = slices.DeleteFunc(c.joined, func(j *joint) bool { return j == me })
	})
}

// once makes the function that undoes a Start or a Join, and that waits for the
// goroutine if it was the last one.
func (c *Coordinator) once(undo func()) func() {
	var once sync.Once
	return func() {
		once.Do(func() {
			c.mu.Lock()
			undo()
			gone := c.follow()
			c.mu.Unlock()
			if gone != nil {
				<-gone
			}
		})
	}
}

// follow adapts the clock to Start and Join: whether it runs, and how fast. If it ends
// the clock, it returns a channel that is closed when the goroutine has ended.
func (c *Coordinator) follow() (gone <-chan struct{}) {
	interval := int64(c.options.Interval)
	if c.started == 0 && len(c.joined) > 0 {
		interval = slices.MinFunc(c.joined, func(a, b *joint) int { return cmp.Compare(a.interval, b.interval) }).interval
	}
	wanted, runs := c.started > 0 || len(c.joined) > 0, c.done != nil
	changed := interval != c.clock.interval
	c.clock.interval = interval
	c.gap.Store(interval)
	switch {
	case wanted && !runs:
		c.begin()
	case !wanted && runs:
		return c.end()
	case wanted && changed:
		// The wait for a deadline has no memory, so it may begin again.
		c.clock.begin(c.Now())
		c.due.Store(c.clock.deadline)
		close(c.done)
		c.wait.stop() // its goroutine sleeps until the old deadline
		c.spawn()
	}
	return nil
}

// begin starts the clock.
func (c *Coordinator) begin() {
	c.pauses.begin()
	c.spent, _ = c.cpu()
	c.countProcessors()
	c.clock.begin(c.Now())
	c.due.Store(c.clock.deadline)
	c.stopped.Store(never)
	c.spawn()
}

// end stops the clock.
func (c *Coordinator) end() (gone <-chan struct{}) {
	gone = c.gone
	close(c.done)
	c.wait.stop()
	c.done = nil
	c.due.Store(never)
	c.stopped.Store(c.Now())
	return gone
}

// spawn starts the clock's goroutine.
func (c *Coordinator) spawn() {
	done, gone, wait := make(chan struct{}), make(chan struct{}), newSleeper()
	c.done, c.gone, c.wait = done, gone, wait
	go func() {
		defer close(gone)
		defer wait.close()
		c.run(done, wait)
	}()
}
