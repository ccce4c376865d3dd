package profile

import (
	"math"
	"time"
)

// Limits of TickTime: a clock that was late all the time raises fewer ticks than its interval
// promises, but one that raised far fewer was stopped, and its ticks do not stand for the rest
// of the duration.
const (
	leastOfPromised = 0.7
	deviations      = 5 // of a count of ticks; chance explains no more
)

// TickTime is the time that a tick stands for, in nanoseconds; 0 without a clock.
type TickTime float64

// Of is the time that ticks stand for, at most the longest Duration.
func (t TickTime) Of(ticks int64) time.Duration {
	ns := math.Round(float64(ticks) * float64(t))
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// TickTime says what a tick of the profile stands for.
//
// The gaps between ticks are random, so the number of ticks in a recording is, too: 212 ticks
// of 10 ms in 1.86 s are likely enough, and no error. So a tick stands for its part of the
// duration, and the times of all ticks add up to the wall clock. Where chance and lateness do
// not explain how the number of ticks differs from the duration (profiles of several threads,
// merged; a page that was hidden), or the duration is unknown, it stands for the interval. The
// number is that of the account, or else of the samples, which may be without the idle time:
// then a difference is not taken for lateness.
func (p *Profile) TickTime() TickTime {
	m := &p.Meta
	interval, duration := float64(m.Interval), float64(m.Duration)
	ticks, isAccount := float64(m.Ticks.Raised)+float64(m.Ticks.Missed), true
	if ticks <= 0 {
		ticks, isAccount = float64(p.Samples.Ticks()), false
	}
	if interval <= 0 || duration <= 0 || ticks <= 0 {
		return TickTime(interval)
	}
	promised := duration / interval
	byChance := math.Abs(ticks-promised) <= deviations*math.Sqrt(promised)
	isLate := isAccount && ticks < promised && ticks >= promised*leastOfPromised
	if byChance || isLate {
		return TickTime(duration / ticks)
	}
	return TickTime(interval)
}
