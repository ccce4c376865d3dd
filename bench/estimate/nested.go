package estimate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Nested is the mean over groups of the means of their values, such as programs and
// their invocations. Replicates draw groups again and then the values of each, so the
// interval is about other programs of the kind as well as about other invocations. A
// single group is drawn as it is.
//
// Quantiles of replicates are too close where there is little to draw from, so the
// interval is widened as Student's is. Groups have the scatter of their values already,
// so the interval errs on the wide side where groups do not differ. There is none, and
// no estimate, with fewer than two values to draw from.
func Nested(groups [][]float64, seed uint64) *Estimate {
	groups = slices.DeleteFunc(slices.Clone(groups), func(values []float64) bool { return len(values) == 0 })
	units := len(groups)
	if units == 1 {
		units = len(groups[0])
	}
	if units < 2 {
		return nil
	}
	means := make([]float64, len(groups))
	for i, values := range groups {
		means[i] = figures.Mean(values)
	}
	var space []float64
	drawn := make([]float64, len(groups))
	value := figures.Mean(means)
	replicates := Bootstrap(Resamples, seed, func(rng *rand.Rand) float64 {
		for i := range drawn {
			values := groups[rng.IntN(len(groups))]
			space = Draw(rng, values, space)
			drawn[i] = figures.Mean(space)
		}
		return figures.Mean(drawn)
	})
	k := float64(units)
	widen := math.Sqrt(k/(k-1)) * Student(units-1) / normal
	for i, r := range replicates {
		replicates[i] = value + widen*(r-value)
	}
	e := Percentile(value, replicates)
	return &e
}

// Percents turns an estimate of the logarithm of a ratio into percent of growth.
func (e Estimate) Percents() Estimate {
	percent := func(log float64) float64 { return 100 * math.Expm1(log) }
	p := Estimate{Value: percent(e.Value), Low: percent(e.Low), High: percent(e.High)}
	for _, r := range e.Replicates {
		p.Replicates = append(p.Replicates, percent(r))
	}
	return p
}

// Trimmed is the mean without this part of the values at each end: a stall of the
// machine falls into one value.
func Trimmed(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	cut := int(part * float64(len(sorted)))
	return figures.Mean(sorted[cut : len(sorted)-cut])
}
