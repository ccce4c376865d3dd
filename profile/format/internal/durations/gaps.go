package durations

import (
	"slices"
	"time"
)

// Bounds on how long a sample of a sampler may last; in between it is usualGaps times the median.
const (
	usualGaps   = 10
	atLeast     = int64(time.Second)
	notMoreThan = int64(10 * time.Second)
)

// Gaps are the gaps between the samples of a sampler that runs all the time. In one that is much longer than
// most, the machine slept or the page was frozen: what ran is unknown, and the function that was sampled
// before it did not.
type Gaps struct {
	Mean    int64 // of those that are not longer; 0 if all are
	Longest int64 // that a sample may last
}

// GapsOf describes n gaps.
func GapsOf(n int, at func(i int) int64) (g Gaps) {
	if n == 0 {
		return g
	}
	all := make([]int64, n)
	for i := range all {
		all[i] = at(i)
	}
	slices.Sort(all)
	median := all[n/2]
	g.Longest = min(max(min(median, notMoreThan)*usualGaps, atLeast), notMoreThan)
	sum, usual := int64(0), int64(0)
	for _, gap := range all {
		if gap > g.Longest {
			break
		}
		sum, usual = sum+gap, usual+1
	}
	if usual > 0 {
		g.Mean = sum / usual
	}
	return g
}

// Lasts is how long the sample before a gap lasts.
func (g Gaps) Lasts(gap int64) int64 {
	if gap > g.Longest {
		return g.Mean
	}
	return gap
}
