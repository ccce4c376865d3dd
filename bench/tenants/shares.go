package tenants

import (
	"math"
	"math/rand/v2"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Errors is how far shares are from the true ones, in points of the whole: the tenant's that
// is furthest, and the mean of all.
type Errors struct {
	Largest float64 `json:"largest"`
	Mean    float64 `json:"mean"`
}

// shares are parts of the whole in percent; all 0 of nothing.
func shares(parts []float64) []float64 {
	all, whole := make([]float64, len(parts)), figures.Sum(parts)
	for i, part := range parts {
		if whole > 0 {
			all[i] = 100 * part / whole
		}
	}
	return all
}

// errorsOf compares the shares of what was measured with those of the truth.
func errorsOf(measured, truth []float64) Errors {
	of, is := shares(measured), shares(truth)
	var e Errors
	for i := range is {
		by := math.Abs(of[i] - is[i])
		e.Largest = max(e.Largest, by)
		e.Mean += by / float64(len(is))
	}
	return e
}

// draws is how many rounds of chance there are.
const draws = 400

// chance is the median error of so many ticks that are drawn at random by the true shares.
func chance(truth []float64, ticks float64) Errors {
	random := rand.New(rand.NewPCG(1, uint64(ticks)))
	drawn := make([]float64, len(truth))
	var largest, mean []float64
	for range draws {
		for i, share := range shares(truth) {
			drawn[i] = estimate.Poisson(random, ticks*share/100)
		}
		e := errorsOf(drawn, truth)
		largest, mean = append(largest, e.Largest), append(mean, e.Mean)
	}
	return Errors{figures.Median(largest), figures.Median(mean)}
}

// sum adds up, tenant by tenant.
func sum(a, b []float64) []float64 {
	all := make([]float64, len(a))
	for i := range a {
		all[i] = a[i] + b[i]
	}
	return all
}

// medians are the medians of the rounds' errors, each for itself.
func medians(rounds []Round, of func(*Round) Errors) Errors {
	var largest, mean []float64
	for i := range rounds {
		e := of(&rounds[i])
		largest, mean = append(largest, e.Largest), append(mean, e.Mean)
	}
	return Errors{figures.Median(largest), figures.Median(mean)}
}
