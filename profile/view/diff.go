package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// DiffOptions say what Diff compares, and how certain it must be. The zero value is
// for two runs of any length.
type DiffOptions struct {
	// SameWork compares times instead of shares: both runs did the same work, from
	// beginning to end, on machines of one speed. It detects smaller changes, because
	// a function's time does not depend on the others'.
	SameWork bool
	// Noise is how much a function's time differs between equal runs: the standard
	// deviation, relative to the time. 0 means DefaultNoise. With several runs it is
	// measured; Noise is then the minimum.
	Noise float64
	// Blocks: runs are blocks of what many sessions did. How much a function differs between runs is measured
	// for each function, because some are in few sessions and others in all.
	Blocks bool
	// Level is the share of comparisons of like with like that still find a change. 0
	// means DefaultLevel.
	Level float64
}

// The defaults of DiffOptions.
const (
	DefaultNoise = 0.01
	DefaultLevel = 0.02
)

// Difference is the result of Diff.
type Difference struct {
	Options       DiffOptions // as used
	Before, After Recorded
	Functions     []Change // what is significant first, then by size
	Changed       int      // functions with a significant change
}

// Recorded sums up one of the profiles compared.
type Recorded struct {
	Runs    int
	Samples int     // of all runs, as are ticks
	Ticks   int64   // all of them
	Busy    int64   // without idle and lost ones: what shares are of
	Seconds float64 // of one run, on average
}

// Status says whether a function occurs in both profiles.
type Status string

// A function without samples in a profile may still have been there.
const (
	Both Status = ""
	New  Status = "new"
	Gone Status = "gone"
)

// Change is one function in two profiles.
type Change struct {
	Name   string // as displayed, not fit for a terminal: see Printable
	File   string
	Line   int32 // in the later profile, if it is there
	Status Status
	// HoldsOthers: its time includes that of functions without checks, in either profile.
	HoldsOthers bool

	Self, Total Shift
}

// Shift is a function's share of the busy ticks in two profiles, in percent.
type Shift struct {
	Before, After           float64
	TicksBefore, TicksAfter int64
	// SecondsBefore and SecondsAfter are the function's times; 0 if a profile has no clock.
	SecondsBefore, SecondsAfter float64
	// Margin is half the width of the 95 % interval of the change: of the shares in
	// percent or, with SameWork, of the time in percent of itself.
	Margin float64
	// Least is the growth of the function's time, in percent, that 9 of 10 comparisons
	// with as many samples call significant; infinite if there are too few.
	Least float64
	// P is the probability of such a change between equal runs, adjusted for the number
	// of functions; 1 if there is too little to compare.
	P           float64
	Significant bool

	test comparison
}

// Change is the size of the change: in points of share or, for time, in percent.
func (s Shift) Change(sameWork bool) float64 {
	if !sameWork {
		return s.After - s.Before
	}
	if s.SecondsBefore == 0 {
		return math.Inf(1)
	}
	return 100 * (s.SecondsAfter/s.SecondsBefore - 1)
}

// same reports whether two shifts come from the same samples.
func (s *Shift) same(other *Shift) bool {
	return s.TicksBefore == other.TicksBefore && s.TicksAfter == other.TicksAfter
}

// Diff compares two profiles, function by function. Idle and lost ticks are left
// out, so it does not matter how long either program waited. The package's
// documentation says what counts as a change.
func Diff(before, after *profile.Profile, o DiffOptions) *Difference {
	return diff(oneRun(before), oneRun(after), o)
}

// DiffRuns compares runs before with runs after. Several runs have more samples than
// one, and show how much equal runs differ. The intervals of a side must be equal.
func DiffRuns(before, after []*profile.Profile, o DiffOptions) (*Difference, error) {
	x, err := sideOf(before)
	if err != nil {
		return nil, err
	}
	y, err := sideOf(after)
	if err != nil {
		return nil, err
	}
	return diff(x, y, o), nil
}

func diff(before, after *side, o DiffOptions) *Difference {
	if o.Noise == 0 {
		o.Noise = DefaultNoise
	}
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	between := noise{deviation: o.Noise}
	if !o.Blocks {
		if measured := noiseOf(before, after, o.SameWork); measured.deviation > o.Noise {
			between = measured
		}
	}
	o.Noise = between.deviation
	d := &Difference{Options: o, Before: before.recorded, After: after.recorded}
	shift := func(pair pair, self bool) Shift {
		a, b := before.count(before.columns(self), pair.before), after.count(after.columns(self), pair.after)
		s := Shift{Before: 100 * a.share(), After: 100 * b.share(), TicksBefore: int64(a.ticks), TicksAfter: int64(b.ticks),
			SecondsBefore: a.share() * a.seconds, SecondsAfter: b.share() * b.seconds, Least: math.Inf(1), P: 1}
		switch {
		case o.SameWork:
			s.test = compareTimes(a, b, between)
		case o.Blocks:
			s.test = compareShares(a, b, between, excessOf(before, after, pair, self))
		default:
			s.test = compareShares(a, b, between, excess{1, math.Inf(1)})
		}
		if s.test.tested {
			s.P, s.Margin = s.test.p, 100*1.96*s.test.spread
		}
		return s
	}
	for _, pair := range match(before.p, after.p, before.used, after.used) {
		c := Change{Status: Both, Self: shift(pair, true), Total: shift(pair, false)}
		p, f := after.p, pair.after
		switch {
		case f == none:
			p, f, c.Status = before.p, pair.before, Gone
		case pair.before == none:
			c.Status = New
		}
		c.Name, c.File, c.Line = p.DisplayName(f), p.Strings[p.Functions.File[f]], p.Functions.Line[f]
		c.HoldsOthers = pair.before != none && holdsOthers(before.p, pair.before) || pair.after != none && holdsOthers(after.p, pair.after)
		d.Functions = append(d.Functions, c)
	}
	d.judge()
	return d
}

// judge adjusts the p-values and puts the functions in order.
func (d *Difference) judge() {
	var list []tested
	for i := range d.Functions {
		c := &d.Functions[i]
		shifts := []*Shift{&c.Self, &c.Total}
		if c.Total.same(&c.Self) { // it has no callees: one question, not two
			shifts = shifts[:1]
		}
		for _, s := range shifts {
			if s.test.tested {
				list = append(list, tested{&s.P, s.Before + s.After})
			}
		}
	}
	all := adjust(list)
	for i := range d.Functions {
		c := &d.Functions[i]
		if c.Total.same(&c.Self) {
			c.Total.P = c.Self.P
		}
		for _, s := range []*Shift{&c.Self, &c.Total} {
			if s.test.tested {
				s.Least = 100 * s.least(d.Options.Level*(s.Before+s.After)/all, d.Options.SameWork)
				s.Significant = s.P <= d.Options.Level
			}
		}
		if c.Significant() {
			d.Changed++
		}
	}
	rank := func(c *Change) (int, float64) {
		size := math.Abs(c.Self.After - c.Self.Before)
		switch {
		case c.Self.Significant:
			return 0, size
		case c.Total.Significant:
			return 1, math.Abs(c.Total.After - c.Total.Before)
		}
		return 2, size
	}
	slices.SortStableFunc(d.Functions, func(x, y Change) int {
		a, sizeA := rank(&x)
		b, sizeB := rank(&y)
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(sizeB, sizeA), cmp.Compare(y.Total.After, x.Total.After),
			cmp.Compare(x.Name, y.Name), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
}

// Significant reports whether the function's self or total changed beyond chance.
func (c *Change) Significant() bool { return c.Self.Significant || c.Total.Significant }
