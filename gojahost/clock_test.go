package gojahost

import (
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
)

// hang ends a wait that would never end; it judges nothing.
const hang = 5 * time.Minute

// handClock is a clock that the test moves. It knows what a profile by it must show: a
// counter of its own, which reads the clock each time that it moves, tells in which
// function each tick fell.
type handClock struct {
	options   coordinator.Options
	now       time.Duration
	reference *coordinator.Counter
	ticks     map[string]int64 // by the function in which the time passed
}

// newHandClock adds a clock to options.
func newHandClock(o coordinator.Options) *handClock {
	c := &handClock{ticks: map[string]int64{}}
	o.Clock = func() time.Duration { return c.now }
	c.options = o
	return c
}

// start starts the reference. It must be called when the tested clock is started, so
// that both draw the same deadlines.
func (c *handClock) start() {
	same := coordinator.New(c.options)
	c.reference = same.Register()
	c.reference.Enter()
	same.Start()
}

// pass moves the clock forward, in a function.
func (c *handClock) pass(d time.Duration, function string) {
	c.now += d
	c.reference.Poll()
	weight, _, _ := c.reference.Take()
	c.ticks[function] += int64(weight)
}
