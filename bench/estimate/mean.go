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
	wider := math.Sqrt(float64(n)/float64(n-1)) * student(n-1) / student(math.MaxInt)
	e.Low, e.High = value+wider*min(0, e.Low-value), value+wider*max(0, e.High-value)
	return e, true
}

// student is the 97.5 % quantile of Student's distribution, by Cornish and Fisher's
// expansion, which is a hundredth off for three degrees of freedom, and less for more.
func student(freedom int) float64 {
	switch freedom {
	case 1:
		return 12.706
	case 2:
		return 4.303
	}
	const z = 1.959964
	v := float64(freedom)
	z3, z5, z7 := z*z*z, z*z*z*z*z, z*z*z*z*z*z*z
	return z + (z3+z)/(4*v) + (5*z5+16*z3+3*z)/(96*v*v) + (3*z7+19*z5+17*z3-15*z)/(384*v*v*v)
}
