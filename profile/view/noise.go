package view

import "math"

// noise is what runs that are the same differ by, beyond what chance does to samples:
// the standard deviation of a function's time, relative to it.
type noise struct {
	deviation float64
	// freedom is of how many differences between runs it was measured; 0: it is known.
	freedom float64
}

// variance is that of the difference of two sides, each of which is a mean of runs.
func (n noise) variance(a, b count) float64 {
	return n.deviation * n.deviation * (1/a.runs + 1/b.runs)
}

// measured is of how many differences a variance was measured that noise has a part
// in, by Satterthwaite: infinite where it is known.
func (n noise) measured(variance float64, a, b count) float64 {
	part := n.variance(a, b) / variance
	if n.freedom == 0 || !(part > 0) {
		return math.Inf(1)
	}
	return n.freedom / (part * part)
}

// twoSided is the probability of a square as large as this, of a variable that is
// normal but for a variance that was measured: Student's t, by Wallace's approximation.
func twoSided(square, freedom float64) float64 {
	square = max(square, 0)
	if !math.IsInf(freedom, 0) {
		square = wallace(freedom) * freedom * math.Log1p(square/freedom)
	}
	return math.Erfc(math.Sqrt(square / 2))
}

// atLevel is the square that has a probability: twoSided the other way round.
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
// Laird do: by how much more runs differ than the number of their samples lets them.
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

// deviation is what was measured.
func (d *dispersion) deviation() float64 {
	if d.scale <= 0 {
		return 0
	}
	return math.Sqrt(max(0, d.excess/d.scale))
}

// estimate is what one run says of a function, and how exactly, on the scale on which
// noise is the same for all: the log odds of its share, or the logarithm of its time.
type estimate struct{ value, variance float64 }

// estimates are those of runs; none where a run has too few samples.
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
