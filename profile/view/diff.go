package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// DiffOptions say what Diff compares, and how sure it is to be. The zero value is
// for two runs of any length.
type DiffOptions struct {
	// SameWork compares times instead of shares: both runs did the same work, from
	// beginning to end, on machines of one speed. It tells smaller changes apart,
	// for a function's time does not depend on that of the others.
	SameWork bool
	// Noise is how much a function's time differs between runs that are the same:
	// the standard deviation, relative to it. 0 stands for DefaultNoise.
	Noise float64
	// Level is the share of comparisons of like with like in which a change is
	// found all the same. 0 stands for DefaultLevel.
	Level float64
}

// What DiffOptions has where nothing is said.
const (
	DefaultNoise = 0.01
	DefaultLevel = 0.02
)

// Difference is what Diff finds.
type Difference struct {
	Options       DiffOptions // as used
	Before, After Recorded
	Functions     []Change // what is significant first, then by size
	Changed       int      // functions with a significant change
}

// Recorded sums up one of the profiles compared.
type Recorded struct {
	Samples int
	Ticks   int64 // all of them
	Busy    int64 // without idle and lost ones: what shares are of
	Seconds float64
}

// Status says whether a function occurs in both profiles.
type Status string

// A function that no sample of a profile has may still have been there.
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

	Self, Total Shift
}

// Shift is a function's share of the busy ticks in two profiles, in percent.
type Shift struct {
	Before, After           float64
	TicksBefore, TicksAfter int64
	// SecondsBefore and SecondsAfter are its times; 0 where a profile has no clock.
	SecondsBefore, SecondsAfter float64
	// Margin is half the width of the 95 % interval of the change: of the shares in
	// percent or, with SameWork, of the time in percent of itself.
	Margin float64
	// P is the probability of a change such as this between runs that are the same,
	// adjusted for the number of functions; 1 where there is too little to compare.
	P           float64
	Significant bool
}

// Change is how much it changed: in points of share or, for time, in percent of
// itself.
func (s Shift) Change(sameWork bool) float64 {
	if !sameWork {
		return s.After - s.Before
	}
	if s.SecondsBefore == 0 {
		return math.Inf(1)
	}
	return 100 * (s.SecondsAfter/s.SecondsBefore - 1)
}

// Diff compares two profiles, function by function. Idle and lost ticks are left
// out, so it does not matter how long either program waited. See the package's
// notes on significance for what it takes to be called a change.
func Diff(before, after *profile.Profile, o DiffOptions) *Difference {
	if o.Noise == 0 {
		o.Noise = DefaultNoise
	}
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	x, y := tallyOf(before), tallyOf(after)
	d := &Difference{Options: o, Before: x.recorded, After: y.recorded}
	compare := compareShares
	if o.SameWork {
		compare = compareTimes
	}
	for _, pair := range match(before, after, x.used, y.used) {
		c := Change{Status: Both}
		c.Self = x.shift(y, pair, x.self, y.self, compare, o)
		c.Total = x.shift(y, pair, x.total, y.total, compare, o)
		p, f := after, pair.after
		switch {
		case f == none:
			p, f, c.Status = before, pair.before, Gone
		case pair.before == none:
			c.Status = New
		}
		c.Name, c.File, c.Line = p.DisplayName(f), p.Strings[p.Functions.File[f]], p.Functions.Line[f]
		d.Functions = append(d.Functions, c)
	}
	d.judge()
	return d
}

// judge adjusts the p-values and puts the functions in order.
func (d *Difference) judge() {
	var list []tested
	for i := range d.Functions {
		for _, s := range []*Shift{&d.Functions[i].Self, &d.Functions[i].Total} {
			if s.P >= 0 {
				list = append(list, tested{&s.P, s.Before + s.After})
			} else {
				s.P = 1
			}
		}
	}
	adjust(list)
	for i := range d.Functions {
		c := &d.Functions[i]
		c.Self.Significant, c.Total.Significant = c.Self.P <= d.Options.Level, c.Total.P <= d.Options.Level
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

// tally is a profile's busy ticks by function.
type tally struct {
	recorded Recorded
	squares  float64
	used     []profile.FunctionID // that occur in busy samples
	self     columns
	total    columns
}

// columns are by function: sums of weights, and of their squares.
type columns struct{ ticks, squares []int64 }

// heaviest is the weight beyond which squares would overflow when they are summed
// up: minutes in one sample.
const heaviest = 1 << 18

func tallyOf(p *profile.Profile) *tally {
	t := &tally{}
	n := len(p.Stacks.Parent)
	onTop, squares := make([]int64, n), make([]int64, n)
	for i, s := range p.Samples.Stack {
		w := int64(p.Samples.Weight[i])
		t.recorded.Ticks += w
		if !p.IsBusy(s) {
			continue
		}
		t.recorded.Samples++
		t.recorded.Busy += w
		onTop[s] += w
		w = min(w, heaviest)
		t.squares += float64(w * w)
		squares[s] += w * w
	}
	below := sameBelow(p)
	t.self.ticks, t.total.ticks = sums(p, below, onTop)
	t.self.squares, t.total.squares = sums(p, below, squares)
	for f, ticks := range t.total.ticks {
		if ticks > 0 {
			t.used = append(t.used, profile.FunctionID(f))
		}
	}
	t.recorded.Seconds = busySeconds(p, t.recorded)
	return t
}

// busySeconds is the time that the busy ticks stand for: their part of the whole
// duration, for the number of ticks in it is a matter of chance. A profile that
// was merged of several has more ticks than its duration holds.
func busySeconds(p *profile.Profile, r Recorded) float64 {
	if r.Ticks == 0 || p.Meta.Interval == 0 {
		return 0
	}
	byTicks := float64(r.Busy) * p.Meta.Interval.Seconds()
	byDuration := p.Meta.Duration.Seconds() * float64(r.Busy) / float64(r.Ticks)
	if byDuration < byTicks*0.7 {
		return byTicks
	}
	return byDuration
}

func (t *tally) count(c columns, f profile.FunctionID) count {
	out := count{all: float64(t.recorded.Busy), allSquares: t.squares, seconds: t.recorded.Seconds}
	if f != none {
		out.ticks, out.squares = float64(c.ticks[f]), float64(c.squares[f])
	}
	return out
}

// shift compares one function in two tallies. P is -1 where nothing was tested.
func (t *tally) shift(after *tally, pair pair, x, y columns, compare func(a, b count, noise float64) comparison, o DiffOptions) Shift {
	a, b := t.count(x, pair.before), after.count(y, pair.after)
	s := Shift{Before: 100 * a.share(), After: 100 * b.share(), TicksBefore: int64(a.ticks), TicksAfter: int64(b.ticks),
		SecondsBefore: a.share() * a.seconds, SecondsAfter: b.share() * b.seconds, P: -1}
	if c := compare(a, b, o.Noise); c.tested {
		s.P, s.Margin = c.p, 100*1.96*c.spread
	}
	return s
}
