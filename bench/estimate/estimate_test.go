package estimate

import (
	"math/rand/v2"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// The interval of a mean holds the true one in about 95 of 100 experiments.
func TestPercentileCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	held, experiments := 0, 400
	for i := range experiments {
		values := make([]float64, 60)
		for i := range values {
			values[i] = 10 + 3*rng.NormFloat64()
		}
		var space []float64
		e := Percentile(figures.Mean(values), Bootstrap(Resamples, uint64(i), func(rng *rand.Rand) float64 {
			space = Draw(rng, values, space)
			return figures.Mean(space)
		}))
		if e.Low <= 10 && 10 <= e.High {
			held++
		}
	}
	if held < 365 || held > 395 {
		t.Errorf("%d of %d intervals hold the mean", held, experiments)
	}
}

func TestCentred(t *testing.T) {
	e := Centred(90, []float64{70, 80, 90}) // chance lowers replicates by 10
	if e.Value != 90 || e.Low >= 82 || e.High <= 98 {
		t.Errorf("%+v", e)
	}
	if e = e.Bounded(0, 95); e.High != 95 || e.Value != 90 {
		t.Errorf("bounded: %+v", e)
	}
	if e := Centred(5, nil); e.Low != 5 || e.High != 5 {
		t.Errorf("without replicates: %+v", e)
	}
}
