package gojahost

import (
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
)

// hang ends a wait that would last for ever; it judges nothing.
const hang = 5 * time.Minute

// handClock is a clock that the test moves, and what a profile by it must say: a
// counter of its own, which looks at the clock each time that it is moved, tells
// whose time each tick fell into.
type handClock struct {
	options   coordinator.Options
	now       time.Duration
	reference *coordinator.Counter
	ticks     map[string]int64 // by the function that passed the time
}

// newHandClock puts a clock into some options.
func newHandClock(o coordinator.Options) *handClock {
	c := &handClock{ticks: map[string]int64{}}
	o.Clock = func() time.Duration { return c.now }
	c.options = o
	return c
}

// start starts the reference: at the moment at which the clock that is tested is
// started, so that both draw the same deadlines.
func (c *handClock) start() {
	same := coordinator.New(c.options)
	c.reference = same.Register()
	c.reference.Enter()
	same.Start()
}

// pass moves the clock on, in a function.
func (c *handClock) pass(d time.Duration, function string) {
	c.now += d
	c.reference.Poll()
	weight, _, _ := c.reference.Take()
	c.ticks[function] += int64(weight)
}
