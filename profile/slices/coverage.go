package slices

import (
	"sort"

	"github.com/fieldprof/fieldprof/profile"
)

// stretch is a part of a slice's time, in nanoseconds, and the sample that covers it.
type stretch struct {
	sample    int
	time, end int64
}

// patience is how many intervals a sample may come late before the time ahead of it has no
// sample.
const patience = 4

// intervalOf is the profile's interval or, if it does not say, the mean gap of its samples.
func intervalOf(p *profile.Profile) int64 {
	n := int64(p.Len())
	if p.Meta.Interval > 0 || n < 2 {
		return int64(p.Meta.Interval)
	}
	return (p.Samples.Time[n-1] - p.Samples.Time[0]) / (n - 1)
}

// forever is longer than any recording, and far from overflowing.
const forever = 1 << 60

// stretches are what the samples of a profile cover between two moments, in order of time.
func stretches(p *profile.Profile, from, to int64) []stretch {
	s := &p.Samples
	n, interval := p.Len(), intervalOf(p)
	var found []stretch
	first := sort.Search(n, func(i int) bool { return s.Time[i] > from })
	if first == n && n > 0 {
		first = n - 1 // it may cover what is after it
	}
	for i := first; i < n; i++ {
		reach := max(s.Skid[i], int64(min(float64(s.Weight[i])*float64(interval), forever))) + patience*interval
		start := max(from, s.Time[i]-reach)
		if i > 0 {
			start = max(start, s.Time[i-1])
			if s.Time[i-1] >= to {
				break
			}
		}
		end := min(to, s.Time[i])
		if i == n-1 {
			end = min(to, s.Time[i]+interval)
		}
		if end > start {
			found = append(found, stretch{i, end - start, end})
		}
	}
	return found
}
