package estimate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// simulated are invocations of a figure with known variation.
func simulated(rng *rand.Rand, v Variation, invocations, iterations int) [][]float64 {
	all := make([][]float64, invocations)
	for i := range all {
		own := math.Sqrt(v.Between) * rng.NormFloat64()
		for range iterations {
			all[i] = append(all[i], own+math.Sqrt(v.Within)*rng.NormFloat64())
		}
	}
	return all
}

// The components are found in simulated data.
func TestVariationOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, want := range []Variation{{4, 1}, {1, 9}, {0, 4}} {
		var between, within float64
		const experiments = 300
		for range experiments {
			got, ok := VariationOf(simulated(rng, want, 12, 8))
			if !ok {
				t.Fatal("no variation")
			}
			between += got.Between / experiments
			within += got.Within / experiments
		}
		// Estimates of a variance of 0 are cut off there, so their mean is above 0.
		if math.Abs(between-want.Between) > 0.1*want.Between+0.15 || math.Abs(within-want.Within) > 0.05*want.Within {
			t.Errorf("%+v: found %.2f between, %.2f within", want, between, within)
		}
	}
	if _, ok := VariationOf([][]float64{{1, 2}}); ok {
		t.Error("of one invocation")
	}
	if _, ok := VariationOf([][]float64{{1}, {2}}); ok {
		t.Error("of single iterations")
	}
}

// No other number of iterations gives a more precise mean in the same time.
func TestIterationsAreOptimal(t *testing.T) {
	const start = 40
	for _, v := range []Variation{{1, 1}, {1, 25}, {0.2, 9}} {
		// The variance of the mean, times what it cost.
		price := func(iterations int) float64 {
			n := float64(iterations)
			return (v.Between + v.Within/n) * (start + n)
		}
		best := 1
		for n := range 500 {
			if price(n+1) < price(best) {
				best = n + 1
			}
		}
		got := v.Iterations(start, 500)
		if got < best-1 || got > best+1 {
			t.Errorf("%+v: %d iterations, where %d are best", v, got, best)
		}
	}
	if got := (Variation{0, 1}).Iterations(start, 30); got != 30 {
		t.Errorf("equal invocations: %d iterations", got)
	}
}

// As many invocations as are asked for give the half-width on average, within a tenth.
func TestInvocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	v := Variation{Between: 1, Within: 4}
	const iterations, halfWidth = 6, 0.6
	n := v.Invocations(iterations, halfWidth)
	missed := 0
	const experiments = 1000
	for range experiments {
		var mean float64
		for _, values := range simulated(rng, v, n, iterations) {
			for _, x := range values {
				mean += x / float64(n*iterations)
			}
		}
		if math.Abs(mean) > halfWidth {
			missed++
		}
	}
	if missed > 60 {
		t.Errorf("%d invocations: %d of %d means are further than %v from the truth", n, missed, experiments, halfWidth)
	}
	if fewer := v.Invocations(iterations, 2*halfWidth); fewer >= n {
		t.Errorf("twice the width takes %d invocations, half of it %d", fewer, n)
	}
}

func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.706, 5: 2.571, 6: 2.447, 10: 2.228, 30: 2.042, 1000: 1.962} {
		if got := Student(freedom); math.Abs(got-want) > 0.002 {
			t.Errorf("%d degrees of freedom: %.4f, want %.3f", freedom, got, want)
		}
	}
}

// The interval of a nested mean holds the true one in 95 of 100 experiments or more,
// whether programs differ or only their invocations do.
func TestNestedCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		programs, invocations int
		v                     Variation
	}{{9, 4, Variation{0, 1}}, {9, 4, Variation{9, 1}}, {3, 4, Variation{1, 1}}, {1, 5, Variation{0, 1}}} {
		held := 0
		const experiments = 400
		for i := range experiments {
			e := Nested(simulated(rng, c.v, c.programs, c.invocations), uint64(i))
			if e.Low <= 0 && 0 <= e.High {
				held++
			}
		}
		if held < 368 || held > 396 {
			t.Errorf("%+v: %d of %d intervals hold the mean", c, held, experiments)
		}
	}
	if Nested([][]float64{{1}, nil}, 1) != nil || Nested(nil, 1) != nil {
		t.Error("an estimate of a single value")
	}
}

// The interval for just these programs does not grow with what they differ by.
func TestStratifiedCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	held := 0
	const experiments = 400
	for i := range experiments {
		groups, truth := [][]float64{}, 0.
		for range 3 {
			own := 50 * rng.NormFloat64()
			truth += own / 3
			groups = append(groups, []float64{own + rng.NormFloat64(), own + rng.NormFloat64(), own + rng.NormFloat64()})
		}
		e := Stratified(groups, uint64(i))
		if e.Low <= truth && truth <= e.High {
			held++
		}
		if e.High-e.Low > 8 {
			t.Fatalf("experiment %d: %+v", i, e)
		}
	}
	if held < 368 || held > 396 {
		t.Errorf("%d of %d intervals hold the mean", held, experiments)
	}
	if Stratified([][]float64{{1}, {2}}, 1) != nil {
		t.Error("an estimate of single values")
	}
}

// It does so, too, where a part of the groups have a single value, as programs have whose recordings
// the budget allowed once.
func TestStratifiedOfSingleValuesCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, singles := range []int{1, 4, 7} {
		held := 0
		const experiments = 400
		for i := range experiments {
			groups, truth := [][]float64{}, 0.
			for n := range 10 {
				own := 50 * rng.NormFloat64()
				truth += own / 10
				values := []float64{own + rng.NormFloat64()}
				if n >= singles {
					values = append(values, own+rng.NormFloat64())
				}
				groups = append(groups, values)
			}
			if e := Stratified(groups, uint64(i)); e.Low <= truth && truth <= e.High {
				held++
			}
		}
		if held < 368 || held > 396 {
			t.Errorf("%d single values: %d of %d intervals hold the mean", singles, held, experiments)
		}
	}
}

func TestTrimmed(t *testing.T) {
	if got := Trimmed([]float64{1000, 1, 2, 3, 2, 1, 2, 3, 2, -50}, 0.1); got != 2 {
		t.Errorf("trimmed: %v", got)
	}
	if got := Trimmed([]float64{1, 3}, 0.1); got != 2 {
		t.Errorf("two values: %v", got)
	}
	if got := Trimmed([]float64{1, 3, 50}, 0.4); got != 3 {
		t.Errorf("three values: %v", got)
	}
}

func TestPercents(t *testing.T) {
	e := Estimate{Value: math.Log(1.1), Low: 0, High: math.Log(1.5), Replicates: []float64{math.Log(2)}}.Percents()
	if math.Abs(e.Value-10) > 1e-9 || e.Low != 0 || math.Abs(e.High-50) > 1e-9 || math.Abs(e.Replicates[0]-100) > 1e-9 {
		t.Errorf("%+v", e)
	}
}
