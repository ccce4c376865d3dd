package estimate

import (
	"math"
	"math/rand/v2"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// ThroughOrigin is the slope of y against x of the line through the origin with the
// least squares; NaN if x is 0 everywhere.
func ThroughOrigin(x, y []float64) float64 {
	var xx, xy float64
	for i := range x {
		xx, xy = xx+x[i]*x[i], xy+x[i]*y[i]
	}
	return xy / xx
}

// Line is the line with the least squares; its slope is NaN if x does not vary.
func Line(x, y []float64) (at0, slope float64) {
	meanX, meanY := figures.Mean(x), figures.Mean(y)
	var xx, xy float64
	for i := range x {
		xx, xy = xx+(x[i]-meanX)*(x[i]-meanX), xy+(x[i]-meanX)*(y[i]-meanY)
	}
	slope = xy / xx
	return meanY - slope*meanX, slope
}

// Poisson draws a count of this mean; large ones by the normal distribution.
func Poisson(rng *rand.Rand, mean float64) float64 {
	if mean > 50 {
		return max(0, math.Round(mean+math.Sqrt(mean)*rng.NormFloat64()))
	}
	limit, count := math.Exp(-mean), 0.0
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		count++
	}
	return count
}

// FewestGroups is the number of groups below which a mean over them is of no use.
const FewestGroups = 3

// MeanOfGroups is the mean of estimates that were made each from its own data, groups
// drawn first, then each group's replicates: nil of fewer than FewestGroups.
func MeanOfGroups(groups []Estimate, n int, seed uint64) *Estimate {
	if len(groups) < FewestGroups {
		return nil
	}
	value := 0.0
	for i := range groups {
		value += groups[i].Value / float64(len(groups))
	}
	mean := Percentile(value, Bootstrap(n, seed, func(rng *rand.Rand) float64 {
		sum := 0.0
		for range groups {
			g := &groups[rng.IntN(len(groups))]
			if len(g.Replicates) == 0 {
				sum += g.Value
			} else {
				sum += g.Replicates[rng.IntN(len(g.Replicates))]
			}
		}
		return sum / float64(len(groups))
	}))
	return &mean
}
