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
	for name, c := range map[string]struct {
		processes int
		deviation func(int) float64
		held      float64 // least, in percent
		plain     float64 // most that the samples' own hold
		width     float64 // most, of the calm cells', in sampling's
	}{
		"none":             {3, func(int) float64 { return 0 }, 94, 97, 1.1},
		"alike":            {3, func(int) float64 { return 2 }, 94, 70, 4},
		"of two processes": {2, func(int) float64 { return 2 }, 94, 70, 4},
		"unlike":           {2, func(i int) float64 { return float64(i % 5) }, 92.5, 80, 8}, // two values are moderated too much where cells differ this much: 92.7 %
		"of one in ten":    {3, func(i int) float64 { return 10 * float64(max(0, i%10-8)) }, 94, 90, 2.5},
	} {
		rng := rand.New(rand.NewPCG(11, 12)) // each its own: maps have no order
		held, plain, all, width, calm := 0, 0, 0, 0., 0
		for range 400 {
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
		if percent(held) < c.held || percent(plain) > c.plain || width/float64(calm) > c.width {
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

// One program that scatters ten times as much as the others does not widen their intervals, and
// does not get theirs.
func TestMeanOfFewValuesCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	held, calm, wild, experiments := 0, 0, 0, 200
	width := 0.
	for range experiments {
		var groups [][]float64
		for i := range 20 {
			deviation := 1.
			if i == 0 {
				deviation = 10
			}
			groups = append(groups, []float64{deviation * rng.NormFloat64(), deviation * rng.NormFloat64(), deviation * rng.NormFloat64()})
		}
		prior, ok := PriorOf(groups)
		if !ok {
			t.Fatal("no prior")
		}
		for i, values := range groups {
			e := prior.Mean(values)
			holds := e.Low <= 0 && 0 <= e.High
			switch {
			case i > 0:
				calm++
				width += e.High - e.Low
				if holds {
					held++
				}
			case holds:
				wild++
			}
		}
	}
	if part := 100 * float64(held) / float64(calm); part < 93 {
		t.Errorf("%.1f %% of the calm ones' intervals hold the mean", part)
	}
	if mean, known := width/float64(calm), 2*z/math.Sqrt(3); mean > 2*known {
		t.Errorf("the calm ones' intervals are %.2f wide; by a known deviation they were %.2f", mean, known)
	}
	if part := 100 * float64(wild) / float64(experiments); part < 60 {
		t.Errorf("%.1f %% of the wild one's intervals hold the mean", part)
	}
	if (Prior{1, 3}).Mean(nil) != nil {
		t.Error("an estimate of no values")
	}
}
