package view

import (
	"math"

	"github.com/fieldprof/fieldprof/profile"
)

// noise is the difference between equal runs beyond sampling error: the standard
// deviation of a function's time, relative to the time.
type noise struct {
	deviation float64
	// freedom is the degrees of freedom of the measurement; 0 if the noise is given.
	freedom float64
}

// variance is the variance of the difference of two sides, each a mean of runs.
func (n noise) variance(a, b count) float64 {
	return n.deviation * n.deviation * (1/a.runs + 1/b.runs)
}

// measured is the degrees of freedom of a variance that includes noise, by
// Satterthwaite: infinite if the noise is given.
func (n noise) measured(variance float64, a, b count) float64 {
	part := n.variance(a, b) / variance
	if n.freedom == 0 || !(part > 0) {
		return math.Inf(1)
	}
	return n.freedom / (part * part)
}

// twoSided is the probability of a square at least this large of a normal variable
// with a measured variance: Student's t, by Wallace's approximation.
func twoSided(square, freedom float64) float64 {
	square = max(square, 0)
	if !math.IsInf(freedom, 0) {
		square = wallace(freedom) * freedom * math.Log1p(square/freedom)
	}
	return math.Erfc(math.Sqrt(square / 2))
}

// atLevel is the square with a given probability: the inverse of twoSided.
func atLevel(level, freedom float64) float64 {
	root := math.Erfcinv(level)
	if math.IsInf(freedom, 0) {
		return 2 * root * root
	}
	return freedom * math.Expm1(2*root*root/(wallace(freedom)*freedom))
}

func wallace(freedom float64) float64 {
	root := (8*freedom + 1) / (8*freedom + 3)
	return root * root
}

// dispersion measures the noise of functions in the runs of a side as DerSimonian and
// Laird do: by how much more runs differ than their numbers of samples explain.
type dispersion struct{ excess, scale float64 }

// add takes a function's counts in the runs of a side.
func (d *dispersion) add(runs []count, sameWork bool) {
	var weights, squares, mean float64
	values := estimates(runs, sameWork)
	for _, v := range values {
		w := 1 / v.variance
		weights, squares, mean = weights+w, squares+w*w, mean+w*v.value
	}
	if len(values) < 2 {
		return
	}
	mean /= weights
	for _, v := range values {
		d.excess += (v.value - mean) * (v.value - mean) / v.variance
	}
	d.excess -= float64(len(values) - 1)
	d.scale += weights - squares/weights
}

// deviation is the measured deviation.
func (d *dispersion) deviation() float64 {
	if d.scale <= 0 {
		return 0
	}
	return math.Sqrt(max(0, d.excess/d.scale))
}

// estimate is a function's value in one run with its variance, on the scale on which
// noise is equal for all: the log odds of its share, or the logarithm of its time.
type estimate struct{ value, variance float64 }

// estimates has one estimate per run, or none if a run has too few samples.
func estimates(runs []count, sameWork bool) []estimate {
	var ticks, all float64
	for _, c := range runs {
		if c.squares == 0 || c.ticks*c.ticks/c.squares < fewEvents || c.ticks >= c.all || sameWork && c.seconds <= 0 {
			return nil
		}
		ticks, all = ticks+c.ticks, all+c.all
	}
	p := ticks / all
	var list []estimate
	for _, c := range runs {
		e := estimate{math.Log(c.share() * c.seconds), c.variance(p) / (p * p)}
		if !sameWork {
			e = estimate{math.Log(c.share() / (1 - c.share())), e.variance / ((1 - p) * (1 - p))}
		}
		list = append(list, e)
	}
	return list
}

// excess is by how much more the counts of a function differ between blocks than ticks that
// come one by one would: the factor of the variance, and the degrees of freedom of its measurement.
type excess struct{ factor, freedom float64 }

// excessOf measures it by Pearson's statistic, in which small counts are no trouble. Each side has a
// share of its own.
func excessOf(before, after *side, pair pair, self bool) excess {
	var squares, freedom float64
	for _, of := range []struct {
		side *side
		f    profile.FunctionID
	}{{before, pair.before}, {after, pair.after}} {
		whole := of.side.count(of.side.columns(self), of.f)
		p := whole.share()
		if len(of.side.runs) < 2 || p <= 0 || p >= 1 {
			continue
		}
		freedom += float64(len(of.side.runs) - 1)
		for _, run := range of.side.runs {
			c := run.count(run.columns(self), of.f)
			rest := c.ticks - p*c.all
			squares += rest * rest / (c.all * p * (1 - p))
		}
	}
	if freedom == 0 {
		return excess{1, math.Inf(1)}
	}
	return excess{max(1, squares/freedom), freedom}
}
