// Package durations turns samples with a duration, as in some formats, into samples
// with a weight in ticks, as in the model.
//
// The tick is the longest time that divides all durations: a file of equal samples
// gets one tick a sample, and a file of uneven ones usually ticks of a microsecond.
// The sums of weights are then exact, unlike counts with a mean interval.
package durations

import (
	"math"
	"time"
)

// fine is the mean duration from which on microseconds are fine enough.
const fine = int64(100 * time.Microsecond)

// Limit is the most that durations may add up to.
const Limit = math.MaxInt64 / 4

// Tick is the longest tick that divides all the durations, in nanoseconds. If that is
// less than a microsecond but the samples last long, it is a microsecond; without any
// duration it is 0.
func Tick(n int, at func(i int) int64) int64 {
	var tick, sum int64
	lasting := int64(0)
	for i := range n {
		if d := at(i); d > 0 {
			sum += d
			lasting++
			tick = Divisor(d, tick)
		}
	}
	if tick > 0 && tick < int64(time.Microsecond) && sum/lasting >= fine {
		return int64(time.Microsecond)
	}
	return tick
}

// AreWhole reports whether all of n durations are of whole periods, as far as a unit that they are
// rounded to tells.
func AreWhole(n int, at func(i int) int64, period, unit int64) bool {
	for i := range n {
		if rest := at(i) % period; rest >= unit && period-rest >= unit {
			return false
		}
	}
	return true
}

// Divisor is the greatest that two numbers have in common.
func Divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Counter counts the ticks of one duration after another. Remainders are carried over,
// so the sum is right.
type Counter struct {
	Tick int64
	rest int64
}

// Count is the number of ticks of the next duration; none for a short one.
func (c *Counter) Count(duration int64) int64 {
	if c.Tick <= 0 || duration <= 0 {
		return 0
	}
	all := c.rest + duration
	ticks := (all + c.Tick/2) / c.Tick
	c.rest = all - ticks*c.Tick
	return ticks
}
