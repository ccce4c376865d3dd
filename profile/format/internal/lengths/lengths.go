// Package lengths turns samples that have lengths of time, as some formats
// write them, into samples that weigh whole ticks.
package lengths

import (
	"math"
	"slices"
	"time"
)

// Parts is how finely lengths are kept that are no whole intervals.
const Parts = 16

// MaxTicks bounds the ticks that all lengths come to: a file may speak of
// nanoseconds, and of years.
const MaxTicks = 1 << 40

// Ticks returns how many ticks each length (in nanoseconds, not negative) comes
// to, and how long a tick is. Where all lengths are whole multiples of the nominal
// interval (0: of the usual length), but for a microsecond, that is the tick. Elsewhere a
// tick is a sixteenth of it, and what is left of a length goes to the next one of the
// same owner, so that an owner's ticks are never off by more than one. A length
// may come to no tick. Lengths must add up to less than 2⁶² ns.
func Ticks(lengths []float64, owners []int32, nominal time.Duration) (tick time.Duration, ticks []int64) {
	if nominal <= 0 {
		nominal = usual(lengths)
	}
	all := 0.0
	for _, l := range lengths {
		all += l
	}
	coarsest := time.Duration(all/MaxTicks) + 1
	ticks = make([]int64, len(lengths))
	if nominal >= coarsest && whole(lengths, float64(nominal), ticks) {
		return nominal, ticks
	}
	tick = max(1, nominal/Parts, coarsest)
	left := make(map[int32]float64)
	for i, l := range lengths {
		due := left[owners[i]] + l/float64(tick)
		ticks[i] = int64(math.Max(0, math.Round(due)))
		left[owners[i]] = due - float64(ticks[i])
	}
	return tick, ticks
}

// whole fills in the ticks if all lengths are multiples of the interval.
func whole(lengths []float64, interval float64, ticks []int64) bool {
	near := min(1000, interval/100)
	for i, l := range lengths {
		n := math.Round(l / interval)
		if math.Abs(l-n*interval) > near {
			return false
		}
		ticks[i] = int64(n)
	}
	return true
}

// usual is the median of the lengths above zero.
func usual(lengths []float64) time.Duration {
	sorted := slices.Clone(lengths)
	slices.Sort(sorted)
	i, _ := slices.BinarySearch(sorted, 1)
	if sorted = sorted[i:]; len(sorted) == 0 {
		return time.Millisecond
	}
	return time.Duration(sorted[(len(sorted)-1)/2])
}
