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
// single group is drawn as it is. There is no estimate with fewer than two units to draw.
//
// The quantiles of few values drawn again are too close, and groups that are drawn
// already have the scatter of their values. So replicates have the shape of the interval,
// and Student's distribution its width.
func Nested(groups [][]float64, seed uint64) *Estimate {
	groups = filled(groups)
	if len(groups) == 1 {
		return Stratified(groups, seed)
	}
	means := meansOf(groups)
	if len(means) < 2 {
		return nil
	}
	drawn := make([]float64, len(groups))
	var space []float64
	replicates := Bootstrap(Resamples, seed, func(rng *rand.Rand) float64 {
		for i := range drawn {
			space = Draw(rng, groups[rng.IntN(len(groups))], space)
			drawn[i] = figures.Mean(space)
		}
		return figures.Mean(drawn)
	})
	return scaled(figures.Mean(means), replicates, Variance(means)/float64(len(means)), len(means)-1)
}

// Stratified is the same mean with the interval for just these groups: replicates
// draw only their values. It shows a change in all of them that Nested cannot tell from a
// choice of other groups.
//
// A single value does not show its own scatter, which is not none: such a group is taken to scatter
// as the others do.
func Stratified(groups [][]float64, seed uint64) *Estimate {
	groups = filled(groups)
	squares, freedom := 0., 0
	for _, values := range groups {
		squares += Variance(values) * float64(len(values)-1)
		freedom += len(values) - 1
	}
	if freedom == 0 {
		return nil
	}
	square := 0.
	for _, values := range groups {
		variance := Variance(values)
		if len(values) == 1 {
			variance = squares / float64(freedom)
		}
		square += variance / float64(len(values))
	}
	drawn := make([]float64, len(groups))
	var space []float64
	replicates := Bootstrap(Resamples, seed, func(rng *rand.Rand) float64 {
		for i, values := range groups {
			space = Draw(rng, values, space)
			drawn[i] = figures.Mean(space)
		}
		return figures.Mean(drawn)
	})
	k := float64(len(groups))
	return scaled(figures.Mean(meansOf(groups)), replicates, square/(k*k), freedom)
}

func filled(groups [][]float64) [][]float64 {
	return slices.DeleteFunc(slices.Clone(groups), func(values []float64) bool { return len(values) == 0 })
}

func meansOf(groups [][]float64) []float64 {
	means := make([]float64, len(groups))
	for i, values := range groups {
		means[i] = figures.Mean(values)
	}
	return means
}

// scaled gives replicates around a value the width that a squared standard error with
// these degrees of freedom calls for.
func scaled(value float64, replicates []float64, squaredError float64, freedom int) *Estimate {
	scale := 0.
	if variance := Variance(replicates); variance > 0 {
		scale = Student(freedom) / z * math.Sqrt(squaredError/variance)
	}
	for i, r := range replicates {
		replicates[i] = value + scale*(r-value)
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

// Trimmed is the mean without this part of the values at each end, rounded up where that
// leaves any: a stall of the machine falls into one value.
func Trimmed(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	cut := int(math.Ceil(part * float64(len(sorted))))
	if 2*cut >= len(sorted) {
		cut = (len(sorted) - 1) / 2
	}
	return figures.Mean(sorted[cut : len(sorted)-cut])
}
