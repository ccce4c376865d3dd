package estimate

import (
	"math"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Variation is how a figure varies at the two levels of an experiment, as variances:
// between invocations, which differ in layout and in what was compiled when, and
// between the iterations of one invocation. More iterations reduce only the second.
//
// The levels, and the repetitions that follow from them, are those of Kalibera and
// Jones, "Rigorous Benchmarking in Reasonable Time" (ISMM 2013).
type Variation struct {
	Between float64 `json:"between"`
	Within  float64 `json:"within"`
}

// VariationOf estimates the variation from the iterations of some invocations, a pilot.
// It is false with fewer than two invocations, or without two iterations in any.
func VariationOf(invocations [][]float64) (Variation, bool) {
	var means []float64
	var within, freedom, share float64 // share: the part of within that means still have
	for _, iterations := range invocations {
		n := float64(len(iterations))
		if n == 0 {
			continue
		}
		mean := figures.Mean(iterations)
		means = append(means, mean)
		for _, v := range iterations {
			within += (v - mean) * (v - mean)
		}
		freedom += n - 1
		share += 1 / n
	}
	if len(means) < 2 || freedom == 0 {
		return Variation{}, false
	}
	within /= freedom
	share /= float64(len(means))
	return Variation{Between: max(0, Variance(means)-within*share), Within: within}, true
}

// Variance is the sample variance, 0 of fewer than two values.
func Variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	mean, sum := figures.Mean(values), 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return sum / float64(len(values)-1)
}

// Iterations is how many iterations an invocation should have for the most precise
// figure in a given time, if starting an invocation costs that many times as much as an
// iteration. Where invocations do not differ, the more the better: at most is returned.
func (v Variation) Iterations(start float64, most int) int {
	if v.Between <= 0 {
		return most
	}
	best := math.Ceil(math.Sqrt(start * v.Within / v.Between))
	return int(min(max(1, best), float64(most)))
}

// Invocations is how many invocations of that many iterations give the mean a 95 %
// interval of this half-width: at least two.
func (v Variation) Invocations(iterations int, halfWidth float64) int {
	variance := v.Between + v.Within/float64(max(1, iterations))
	n := 2
	for ; n < 1000; n++ { // few invocations need Student's quantile, which depends on their number
		if quantile := Student(n - 1); quantile*quantile*variance/float64(n) <= halfWidth*halfWidth {
			break
		}
	}
	return n
}
