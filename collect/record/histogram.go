package record

import (
	"maps"
	"math"
	"slices"
	"time"
)

// Histogram counts durations in classes that are 2.2 % wide, so that quantiles are known to
// about 1 %, and histograms can be added up. The zero Histogram is empty.
type Histogram map[int16]int64

const perOctave = 32

// Add counts a duration.
func (h Histogram) Add(d time.Duration, n int64) { h[class(d)] += n }

// Join adds another histogram.
func (h Histogram) Join(other Histogram) {
	for c, n := range other {
		h[c] += n
	}
}

// Count is the number of durations.
func (h Histogram) Count() (all int64) {
	for _, n := range h {
		all += n
	}
	return all
}

// Quantile is the duration below which a share of the durations are; 0 if there are none.
func (h Histogram) Quantile(share float64) time.Duration {
	rank, all := share*float64(h.Count()), int64(0)
	for _, c := range slices.Sorted(maps.Keys(h)) {
		if all += h[c]; h[c] > 0 && float64(all) >= rank {
			return middle(c)
		}
	}
	return 0
}

func class(d time.Duration) int16 {
	return int16(math.Floor(math.Log2(max(1, float64(d)/1e3)) * perOctave)) // from a microsecond on
}

// Edge is the shortest duration of a class.
func Edge(class int16) time.Duration {
	return time.Duration(1e3 * math.Exp2(float64(class)/perOctave))
}

func middle(c int16) time.Duration {
	return time.Duration(1e3 * math.Exp2((float64(c)+0.5)/perOctave))
}
