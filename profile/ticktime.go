package profile

import (
	"math"
	"time"
)

// Limits of TickTime. A clock that was late all the time counts fewer ticks than its interval
// promises, but one that counted far fewer was stopped, and one that missed most of them slept
// with its machine: then ticks do not stand for the rest of the duration.
const (
	leastOfPromised = 0.7
	leastRaised     = 0.5 // of the ticks counted
	deviations      = 5   // of a count of ticks; chance explains no more
	fewest          = 100 // ticks without an account: files of other profilers often end with the last sample
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
// of 10 ms in 1.86 s are likely enough, and no error. So a raised tick stands for its part of
// the duration, and the times of all ticks add up to the wall clock. Where chance, lateness and
// missed deadlines do not explain how the number differs from the duration (profiles of several
// threads, merged; a page that was hidden), or the duration is unknown, a tick stands for the
// interval. So it does if it is Exact. Without an account the ticks of the samples count, if there are enough of them; they may
// be without the idle time, so a difference is not taken for lateness.
func (p *Profile) TickTime() TickTime {
	if p.tick > 0 {
		return p.tick
	}
	m := &p.Meta
	interval, duration := float64(m.Interval), float64(m.Duration)
	raised, missed, isAccount := float64(m.Ticks.Raised), float64(m.Ticks.Missed), true
	if raised <= 0 {
		raised, missed, isAccount = float64(p.Samples.Ticks()), 0, false
		if raised < fewest {
			raised = 0
		}
	}
	if m.Exact || interval <= 0 || duration <= 0 || raised <= 0 {
		return TickTime(interval)
	}
	counted, promised := raised+missed, duration/interval
	byChance := math.Abs(counted-promised) <= deviations*math.Sqrt(promised)
	isLate := isAccount && counted < promised && counted >= promised*leastOfPromised
	if (byChance || isLate) && raised >= counted*leastRaised {
		return TickTime(duration / raised)
	}
	return TickTime(interval)
}
