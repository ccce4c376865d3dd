package estimate

import (
	"math/rand/v2"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// The interval of a mean or a median of few values holds the true one in about 95 of 100 experiments,
// where that between the plain quantiles does in fewer.
func TestExpandedCovers(t *testing.T) {
	for name, figure := range map[string]func([]float64) float64{"mean": figures.Mean, "median": figures.Median} {
		for _, n := range []int{8, 15} {
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			held, plain, experiments := 0, 0, 1000
			for i := range experiments {
				values := make([]float64, n)
				for i := range values {
					values[i] = 10 + 3*rng.NormFloat64()
				}
				var space []float64
				replicates := Bootstrap(Resamples, uint64(i), func(rng *rand.Rand) float64 {
					space = Draw(rng, values, space)
					return figure(space)
				})
				if e := Expanded(figure(values), replicates, n); e.Low <= 10 && 10 <= e.High {
					held++
				}
				if e := Percentile(figure(values), replicates); e.Low <= 10 && 10 <= e.High {
					plain++
				}
			}
			if held < 935 || held > 980 || plain >= held {
				t.Errorf("%s of %d: %d of %d intervals hold it, %d of the plain ones", name, n, held, experiments, plain)
			}
		}
	}
}
