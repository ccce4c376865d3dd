package estimate

import (
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Expanded is Percentile for a figure that was made of few values. Resampling them scatters less than
// drawing new ones would, and their own scatter is known only roughly: the interval is between
// quantiles further out, by as much as Student's interval of a mean is wider than the normal one
// (Hesterberg 2015, What Teachers Should Know About the Bootstrap).
func Expanded(value float64, replicates []float64, values int) Estimate {
	e := Percentile(value, replicates)
	if len(replicates) == 0 || values < 2 {
		return e
	}
	tail := normal(-math.Sqrt(float64(values)/float64(values-1)) * Student(values-1))
	e.Low, e.High = quantiles(replicates, tail)
	return e
}

// normal is the standard normal distribution's share below a value.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// quantiles are those that leave the same share of values on either side.
func quantiles(values []float64, tail float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	return figures.SortedQuantile(sorted, tail), figures.SortedQuantile(sorted, 1-tail)
}
