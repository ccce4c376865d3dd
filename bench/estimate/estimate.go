// Package estimate is the statistics of the bench: figures with intervals, and what
// they mean when they come from few samples, few runs or few programs. It knows
// nothing of profiles, engines or tables.
package estimate

import (
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Estimate is a figure with its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`

	// Replicates are the figure in resampled data, in the order of drawing, so that
	// figures drawn together can be combined replicate by replicate.
	Replicates []float64 `json:"-"`
}

// Exactly is a figure without an interval.
func Exactly(value float64) Estimate { return Estimate{Value: value, Low: value, High: value} }

// Row is a row of a report, with the estimate under the name of its figure.
func (e Estimate) Row(of figures.Row, figure string) figures.Row {
	of.Figure, of.Value, of.Low, of.High = figure, e.Value, e.Low, e.High
	return of
}

// Percentile is the estimate of a figure whose replicates scatter around it as it does
// around the truth: the interval is between their quantiles.
func Percentile(value float64, replicates []float64) Estimate {
	e := Exactly(value)
	if len(replicates) > 0 {
		sorted := slices.Sorted(slices.Values(replicates))
		e.Low, e.High = figures.SortedQuantile(sorted, 0.025), figures.SortedQuantile(sorted, 0.975)
	}
	e.Replicates = replicates
	return e
}

// Centred is the estimate of a figure that chance moves in one direction: it lowers an
// overlap in the samples, and again in resampling them. Only the scatter of the
// replicates is used, around their own mean.
func Centred(value float64, replicates []float64) Estimate {
	e := Exactly(value)
	if len(replicates) > 0 {
		sorted, middle := slices.Sorted(slices.Values(replicates)), figures.Mean(replicates)
		e.Low = value + min(0, figures.SortedQuantile(sorted, 0.025)-middle)
		e.High = value + max(0, figures.SortedQuantile(sorted, 0.975)-middle)
	}
	e.Replicates = replicates
	return e
}

// Bounded limits an estimate to a range.
func (e Estimate) Bounded(low, high float64) Estimate {
	e.Value, e.Low, e.High = bound(e.Value, low, high), bound(e.Low, low, high), bound(e.High, low, high)
	return e
}

func bound(v, low, high float64) float64 { return min(max(v, low), high) }

// Resamples is the number of replicates that the measures draw.
const Resamples = 500

// Bootstrap draws replicates of a figure: the function draws its data again from the
// generator, and returns the figure in it. The same seed draws the same.
func Bootstrap(n int, seed uint64, figure func(*rand.Rand) float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	replicates := make([]float64, n)
	for i := range replicates {
		replicates[i] = figure(rng)
	}
	return replicates
}

// Draw draws as many values as there are, with replacement, into space if it is large
// enough.
func Draw[T any](rng *rand.Rand, values, space []T) []T {
	space = space[:0]
	for range values {
		space = append(space, values[rng.IntN(len(values))])
	}
	return space
}
