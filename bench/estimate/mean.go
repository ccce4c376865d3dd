package estimate

import (
	"math"
	"math/rand/v2"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// FewestForMean is the number of programs that a mean needs: two say nothing about
// others.
const FewestForMean = 3

// Mean is the mean of figures of several programs, as a sample of programs that could
// have been taken: each replicate draws programs, and of each program drawn one of its
// replicates. So the interval is of what other programs and other samples would give. It
// is false if there are too few programs.
//
// A bootstrap over n programs scatters too little, by √((n−1)/n), and a mean of few values
// has heavier tails than the bootstrap shows: the interval is widened for both.
func Mean(programs []Estimate, seed uint64) (Estimate, bool) {
	n := len(programs)
	if n < FewestForMean {
		return Estimate{}, false
	}
	value := 0.0
	centres := make([]float64, n)
	for i, p := range programs {
		value += p.Value / float64(n)
		centres[i] = figures.Mean(p.Replicates)
	}
	replicates := Bootstrap(Resamples, seed, func(rng *rand.Rand) float64 {
		sum := 0.0
		for range n {
			i := rng.IntN(n)
			p := &programs[i]
			sum += p.Value
			if len(p.Replicates) > 0 {
				sum += p.Replicates[rng.IntN(len(p.Replicates))] - centres[i]
			}
		}
		return sum / float64(n)
	})
	e := Percentile(value, replicates)
	wider := math.Sqrt(float64(n)/float64(n-1)) * Student(n-1) / z
	e.Low, e.High = value+wider*min(0, e.Low-value), value+wider*max(0, e.High-value)
	return e, true
}
