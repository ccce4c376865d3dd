package profile

import (
	"math"
	"time"
)

// Bounds on the tick that profiles with exact ticks get in common.
const (
	finestShared = int64(time.Microsecond)
	mostShared   = 1 << 40 // ticks of all of them
	longestTimed = 1 << 61 // nanoseconds of one
)

// isTimed reports whether the ticks of a profile are times, which have other ticks, too.
func (p *Profile) isTimed() bool {
	return p.Meta.Exact && p.Meta.Interval > 0 && p.Meta.Ticks == Ticks{} && p.exactTime() < longestTimed
}

func (p *Profile) exactTime() float64 { return float64(p.Samples.Ticks()) * float64(p.Meta.Interval) }

// SameTicks counts profiles with exact ticks in one tick, so that they add up: the tick of a file is whatever divides the
// times of its own samples. It is the longest that divides all of them, but no shorter than a microsecond where no file's is: what does not fit
// is carried over to the next sample. Other profiles are returned as they are.
func SameTicks(ps ...*Profile) []*Profile {
	tick := sharedTick(ps)
	same := make([]*Profile, len(ps))
	for i, p := range ps {
		if same[i] = p; p.isTimed() && int64(p.Meta.Interval) != tick {
			same[i] = p.countedIn(tick)
		}
	}
	return same
}

// sharedTick is the tick that exact ticks are counted in.
func sharedTick(ps []*Profile) int64 {
	var divisor int64
	finest, coarsest, time := int64(math.MaxInt64), int64(0), 0.0
	for _, p := range ps {
		if !p.isTimed() {
			continue
		}
		interval := int64(p.Meta.Interval)
		finest, coarsest, time = min(finest, interval), max(coarsest, interval), time+p.exactTime()
		for rest := interval; rest != 0; {
			divisor, rest = rest, divisor%rest
		}
	}
	if finest == coarsest {
		return finest
	}
	return max(divisor, min(finest, finestShared), int64(time/mostShared))
}

// countedIn is a profile with exact ticks of another length.
func (p *Profile) countedIn(tick int64) *Profile {
	interval := int64(p.Meta.Interval)
	var kept []int
	var weights []int32
	rest := tick / 2 // so that it is rounded
	for i, weight := range p.Samples.Weight {
		rest += int64(weight) * interval
		for ; rest >= tick; rest -= tick * int64(weights[len(weights)-1]) {
			kept, weights = append(kept, i), append(weights, int32(min(rest/tick, math.MaxInt32)))
		}
	}
	out := *p
	out.Samples = p.Samples.pick(kept)
	out.Samples.Weight = weights
	out.Meta.Interval, out.tick = time.Duration(tick), 0
	return &out
}
