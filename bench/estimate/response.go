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

// large is the mean from which a Poisson distribution is as good as a normal one.
const large = 30

// Poisson draws a count of this mean.
func Poisson(rng *rand.Rand, mean float64) float64 {
	if mean > large {
		return max(0, math.Round(mean+math.Sqrt(mean)*rng.NormFloat64()))
	}
	limit, count := math.Exp(-mean), 0.0
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		count++
	}
	return count
}
