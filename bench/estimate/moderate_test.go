package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
)

func TestPolygammas(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{digamma(1), -0.5772156649}, {digamma(0.5), -1.9635100260}, {trigamma(1), 1.6449340668}, {trigamma(0.5), 4.9348022005}, {trigamma(trigammaInverse(0.7)), 0.7},
	} {
		if math.Abs(c.got-c.want) > 1e-7 {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

// cells are figures in several processes each, which add a scatter of their own to that of
// the samples: alike in all, or in few.
func cells(rng *rand.Rand, n, processes int, deviation func(cell int) float64) (groups [][]float64) {
	for i := range n {
		values := make([]float64, processes)
		for k := range values {
			values[k] = deviation(i)*rng.NormFloat64() + rng.NormFloat64()
		}
		groups = append(groups, values)
	}
	return groups
}

// sampling is the interval of the mean of a cell by its samples alone.
func sampling(values []float64) Estimate {
	e, half := Exactly(figures.Mean(values)), z/math.Sqrt(float64(len(values)))
	e.Low, e.High = e.Value-half, e.Value+half
	return e
}

// Where processes add a scatter, intervals of samples hold the figure in few experiments,
// and those among processes in 95 of 100; where they add none, intervals are hardly wider.
func TestAmongProcessesCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for name, c := range map[string]struct {
		processes int
		deviation func(int) float64
		plain     float64 // most that the samples' own hold, in percent
		width     float64 // most, of the calm cells', in sampling's
	}{
		"none":             {3, func(int) float64 { return 0 }, 97, 1.1},
		"alike":            {3, func(int) float64 { return 2 }, 70, 4},
		"of two processes": {2, func(int) float64 { return 2 }, 70, 4},
		"unlike":           {2, func(i int) float64 { return float64(i % 5) }, 80, 8},
		"of one in ten":    {3, func(i int) float64 { return 10 * float64(max(0, i%10-8)) }, 90, 2.5},
	} {
		held, plain, all, width, calm := 0, 0, 0, 0., 0
		for range 60 {
			groups := cells(rng, 40, c.processes, c.deviation)
			prior, ok := PriorOf(groups)
			if !ok {
				t.Fatal("no prior")
			}
			for i, values := range groups {
				own := sampling(values)
				e := own.Among(values, prior)
				all++
				if e.Low <= 0 && 0 <= e.High {
					held++
				}
				if own.Low <= 0 && 0 <= own.High {
					plain++
				}
				if c.deviation(i) <= 2 {
					width, calm = width+(e.High-e.Low)/(own.High-own.Low), calm+1
				}
			}
		}
		percent := func(n int) float64 { return 100 * float64(n) / float64(all) }
		t.Logf("%s: %.1f %%, by samples alone %.1f %%, %.1f times as wide", name, percent(held), percent(plain), width/float64(calm))
		if percent(held) < 93 || percent(plain) > c.plain || width/float64(calm) > c.width {
			t.Errorf("%s: %.1f %% of intervals hold it, %.1f %% of those by samples alone; they are %.1f times as wide", name, percent(held), percent(plain), width/float64(calm))
		}
	}
}

// With few figures, or where nothing scatters at all, there is nothing to learn.
func TestNoPrior(t *testing.T) {
	for _, groups := range [][][]float64{nil, {{1, 2}, {1, 2}, {3}}, {{1, 1}, {2, 2}, {3, 3}}} {
		if p, ok := PriorOf(groups); ok {
			t.Errorf("%v: %+v", groups, p)
		}
	}
}
