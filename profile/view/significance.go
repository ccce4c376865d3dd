package view

import (
	"cmp"
	"math"
	"slices"
)

// The tests, and the reasons for them, are in the package's documentation.

// count is how much of one profile a function has.
type count struct {
	ticks, all float64 // of the function, and of the profile
	squares    float64 // of weights, of the function's samples
	allSquares float64
	seconds    float64 // that all of the profile's ticks stand for, of one run
	runs       float64 // how many the profile is of
}

func (c count) share() float64 {
	if c.all == 0 {
		return 0
	}
	return c.ticks / c.all
}

// fewEvents is the number of samples in both profiles below which no test is
// conclusive; such functions are not compared.
const fewEvents = 16

// comparison is the outcome of a test.
type comparison struct {
	tested bool
	p      float64 // of a difference such as this between runs that are the same
	// spread is the standard error of the difference of shares, or, by time, of
	// the logarithm of the ratio.
	spread float64
	// measured is the degrees of freedom of spread; infinite if it is known.
	measured float64
}

// compareShares tests whether a function's share differs.
func compareShares(a, b count, between noise, over excess) comparison {
	p, wider, ok := pooled(a, b)
	if !ok || p >= 1 {
		return comparison{p: 1}
	}
	wider = max(wider, over.factor)
	// On the scale of log odds, on which noise is the same for every share.
	sampling := wider * (1/a.all + 1/b.all) / (p * (1 - p))
	variance := sampling + between.variance(a, b)
	g := 2 * (surprise(a.ticks, a.all*p) + surprise(a.all-a.ticks, a.all*(1-p)) +
		surprise(b.ticks, b.all*p) + surprise(b.all-b.ticks, b.all*(1-p)))
	measured := min(between.measured(variance, a, b), over.freedom)
	return comparison{true, twoSided(g/wider*sampling/variance, measured), math.Sqrt(variance) * p * (1 - p), measured}
}

// compareTimes tests whether a function's time differs between runs that did the
// same work. The whole times are known without sampling, so only the share is subject
// to chance.
func compareTimes(a, b count, between noise) comparison {
	p, wider, ok := pooled(a, b)
	if !ok || a.seconds == 0 || b.seconds == 0 {
		return comparison{p: 1}
	}
	perTick := wider * (1/a.all + 1/b.all) / p
	variance := perTick*(1-p) + between.variance(a, b)
	var square float64
	if p < 1 {
		both, expected := a.ticks+b.ticks, a.all/a.seconds/(a.all/a.seconds+b.all/b.seconds)
		g := 2 * (surprise(a.ticks, both*expected) + surprise(b.ticks, both*(1-expected)))
		square = g / wider * perTick / variance
	} else { // every sample has it: its time is the whole
		change := math.Log(b.seconds / a.seconds)
		square = change * change / variance
	}
	measured := between.measured(variance, a, b)
	return comparison{true, twoSided(square, measured), math.Sqrt(variance), measured}
}

// pooled is a function's share of both profiles together, and how much wider the
// variance of a share is than a binomial's; not ok if there is too little.
func pooled(a, b count) (p, wider float64, ok bool) {
	squares := a.squares + b.squares
	if a.all == 0 || b.all == 0 || squares == 0 {
		return 0, 0, false
	}
	p = (a.ticks + b.ticks) / (a.all + b.all)
	if events := (a.ticks + b.ticks) * (a.ticks + b.ticks) / squares; events < fewEvents {
		return p, 0, false
	}
	wider = 1
	if p < 1 {
		wider = max(1, (a.variance(p)+b.variance(p))/(p*(1-p)*(1/a.all+1/b.all)))
	}
	return p, wider, true
}

// variance is the variance of a share, a ratio of sums of weights, if the true share
// is p.
func (c count) variance(p float64) float64 {
	return ((1-p)*(1-p)*c.squares + p*p*(c.allSquares-c.squares)) / (c.all * c.all)
}

// surprise is a cell's part in the likelihood ratio.
func surprise(observed, expected float64) float64 {
	if observed <= 0 || expected <= 0 {
		return 0
	}
	return observed * math.Log(observed/expected)
}

// tested is a p-value to adjust, with its weight.
type tested struct {
	p      *float64
	weight float64
}

// adjust replaces p-values by those after Benjamini and Hochberg, and returns the sum
// of the weights.
func adjust(list []tested) (all float64) {
	for _, t := range list {
		all += t.weight
	}
	for _, t := range list {
		*t.p *= all / (t.weight * float64(len(list)))
	}
	slices.SortFunc(list, func(x, y tested) int { return cmp.Compare(*y.p, *x.p) }) // largest first
	least := 1.0
	for i, t := range list {
		rank := len(list) - i
		least = min(least, *t.p*float64(len(list))/float64(rank))
		*t.p = least
	}
	return all
}

// surely is how many standard errors beyond significance a change must be to be found
// in 9 of 10 comparisons.
const surely = 1.2816

// least is the relative growth of a function's time that is found so, if a single
// p-value is significant up to level.
func (s *Shift) least(level float64, sameWork bool) float64 {
	change := (math.Sqrt(atLevel(level, s.test.measured)) + surely) * s.test.spread
	if p := (s.Before + s.After) / 200; !sameWork {
		change /= p * (1 - p) // of the log odds
	}
	return math.Expm1(change)
}
