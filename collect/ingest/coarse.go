package ingest

import (
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Series of which there are too many have few rates and intervals: senders choose both. Those that are usual
// are among them.

// coarse is the nearest of 1, 2, 5, 10 and so on.
func coarse(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	best := unit
	for _, next := range []float64{2 * unit, 5 * unit, 10 * unit} {
		if math.Abs(math.Log(next/v)) < math.Abs(math.Log(best/v)) {
			best = next
		}
	}
	return best
}

// coarseRate is the nearest of some twenty rates.
func coarseRate(rate float64) float64 { return 1 / math.Round(coarse(1/rate)) }

// coarseInterval is the nearest of some twenty intervals; 0 stays.
func coarseInterval(d time.Duration) time.Duration {
	if d == 0 || d == 16*time.Millisecond { // of browsers on Windows
		return d
	}
	return time.Duration(math.Round(coarse(float64(d))))
}

// withInterval gives a profile an interval. The time of each sample stays the same but for a remainder, which the next
// one gets.
func withInterval(p *profile.Profile, interval time.Duration) *profile.Profile {
	if p == nil || interval == p.Meta.Interval {
		return p
	}
	scaled := *p
	scaled.Meta.Interval = interval
	scaled.Samples = profile.Samples{}
	from, to := &p.Samples, &scaled.Samples
	rest := 0.0
	for i := range from.Time {
		exact := float64(from.Weight[i]) + rest
		if p.Meta.Interval > 0 {
			exact = float64(from.Weight[i])*float64(p.Meta.Interval)/float64(interval) + rest
		}
		weight := math.Floor(exact + 0.5)
		rest = exact - weight
		if weight < 1 {
			continue
		}
		to.Time, to.Stack = append(to.Time, from.Time[i]), append(to.Stack, from.Stack[i])
		to.Weight, to.Kind = append(to.Weight, int32(min(weight, math.MaxInt32))), append(to.Kind, from.Kind[i])
		to.Skid = append(to.Skid, from.Skid[i])
		if from.Marker != nil {
			to.Marker = append(to.Marker, from.Marker[i])
		}
	}
	return &scaled
}
