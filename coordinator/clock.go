package coordinator

import (
	"math/rand/v2"
	"time"
)

// clock holds the deadlines. Each follows the previous deadline, not the moment at
// which that was noticed, by an interval drawn from an exponential distribution (see
// gap). A fixed gap would beat with anything periodic in the program: a function that
// runs 30 % of every 10 ms can show 5 or 24 %. Uniform jitter does not suffice either:
// tasks often begin right after a tick, because Go fires timers when it schedules, and
// a clock that then rests for half an interval misses the short ones. The future must
// not depend on the past.
//
// All times are nanoseconds since the coordinator was made, on the monotonic
// clock.
type clock struct {
	interval int64
	random   *rand.Rand
	deadline int64
}

// maxInterval bounds an interval, so that no deadline is later than a time can say.
const maxInterval = 1000 * time.Hour

// bounded returns the interval, or another one if it is not positive, and never more than maxInterval.
func bounded(interval, otherwise time.Duration) time.Duration {
	if interval <= 0 {
		interval = otherwise
	}
	return min(interval, maxInterval)
}

func newClock(interval time.Duration, seed uint64) clock {
	return clock{interval: int64(interval), random: rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))}
}

// begin sets the first deadline.
func (c *clock) begin(now int64) { c.deadline = now + c.gap() }

// restPart is the fraction (1/restPart) of an interval that the clock rests after a
// deadline, so that the next is not due before this one is dealt with.
const restPart = 16

// gap draws the time to the next deadline: a short rest and an exponential
// wait, together one interval on average.
func (c *clock) gap() int64 {
	rest := c.interval / restPart
	return max(1, rest+int64(c.random.ExpFloat64()*float64(c.interval-rest)))
}

// pass moves from a deadline that has passed to the next one that has not, and returns
// how many passed unnoticed in between.
func (c *clock) pass(now int64) (missed int64) {
	// After the machine has slept for long, drawing every gap would take long, too.
	if behind := now - c.deadline; behind > 1000*c.interval {
		skipped := behind/c.interval - 1
		c.deadline += skipped * c.interval
		missed = skipped
	}
	for c.deadline += c.gap(); c.deadline <= now; c.deadline += c.gap() {
		missed++
	}
	return missed
}
