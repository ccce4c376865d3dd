package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
)

func TestLines(t *testing.T) {
	x, y := []float64{0, 1, 2, 4}, []float64{3, 5, 7, 11}
	if at0, slope := Line(x, y); at0 != 3 || slope != 2 {
		t.Errorf("line: %v + %v x", at0, slope)
	}
	if _, slope := Line([]float64{2, 2}, []float64{1, 5}); !math.IsNaN(slope) {
		t.Errorf("a line without a slope has %v", slope)
	}
	if slope := ThroughOrigin(x, []float64{0, 0.5, 1, 2}); slope != 0.5 {
		t.Errorf("through the origin: %v", slope)
	}
}

func TestPoisson(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, mean := range []float64{0, 0.3, 7, 200} {
		var counts, squares []float64
		for range 20000 {
			n := Poisson(rng, mean)
			counts, squares = append(counts, n), append(squares, (n-mean)*(n-mean))
		}
		if got := figures.Mean(counts); math.Abs(got-mean) > 0.03*math.Sqrt(mean) {
			t.Errorf("mean of %v: %v", mean, got)
		}
		if got := figures.Mean(squares); math.Abs(got-mean) > 0.05*mean {
			t.Errorf("variance of %v: %v", mean, got)
		}
	}
}
