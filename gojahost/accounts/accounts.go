// Package accounts has what a recording of scripts reports in addition to its profiles: its own
// state, and for whom runtimes worked. It knows no engine, so a package that shows it, as
// jsprofile does, serves hosts of goja and of sobek alike. Users know its types as those of
// gojahost.
package accounts

import (
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// State says how a recording is.
type State struct {
	Runtimes int       // that are registered
	Samples  int       // that are kept
	Oldest   time.Time // when the first of them was taken; zero without any
	Tags     int       // different sets
	// Ticks is the account of all runtimes, since they were registered, without those that
	// wait to be taken: it only grows. Missed deadlines count once for all. Unlike in a
	// profile's, Dropped ticks are among the Raised ones.
	Ticks profile.Ticks
}

// Usage says for whom runtimes worked, in a stretch of time.
type Usage struct {
	Since, Until time.Time
	Rows         []UsageOf // those who used most first
}

// UsageOf is what the tasks with one set of tags used. Tasks within others are not
// among the others' time.
type UsageOf struct {
	Tags    []profile.Tag // empty: of tasks without tags
	Tasks   int64
	Wall    time.Duration // that tasks took, without what they waited
	Waiting time.Duration // in Waiting
	CPU     time.Duration // of the processor, where CPUKnown
	// CPUKnown: the processor's time was measured (Options.CPU), so CPU is not an estimate.
	CPUKnown bool

	// Ticks counts the sampled ticks, and Time is how much time they represent. Low and High are
	// the ends of its 95 % confidence interval, which holds if the clock could run.
	Ticks           int64
	Time, Low, High time.Duration
}

// Work is the time by which rows are sorted: the processor's where it is known.
func (u *UsageOf) Work() time.Duration {
	if u.CPUKnown {
		return u.CPU
	}
	return u.Wall
}
