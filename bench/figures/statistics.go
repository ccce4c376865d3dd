package figures

import (
	"fmt"
	"math"
	"slices"
)

// Quantile is the value that this part of all values is below, by linear
// interpolation; 0 of none. Every median and percentile of the bench is one.
func Quantile(values []float64, part float64) float64 {
	return SortedQuantile(slices.Sorted(slices.Values(values)), part)
}

// SortedQuantile is Quantile of values in order.
func SortedQuantile(sorted []float64, part float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := part * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Median is the quantile in the middle.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// Spread is the middle of changes in percent, and the quarters below and above.
type Spread struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// SpreadOf is the spread of values.
func SpreadOf(values []float64) Spread {
	return Spread{Median(values), Quantile(values, 0.25), Quantile(values, 0.75)}
}

func (s Spread) String() string {
	return fmt.Sprintf("%+.2f %% (%+.2f…%+.2f)", s.Median, s.Low, s.High)
}

// Sum adds values up.
func Sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// Mean is the mean, 0 of none.
func Mean(values []float64) float64 { return Sum(values) / float64(max(1, len(values))) }

// GeomeanPercent is the geometric mean of changes in percent.
func GeomeanPercent(percents []float64) float64 {
	logs := 0.0
	for _, percent := range percents {
		logs += math.Log(max(1+percent/100, 1e-6))
	}
	return 100 * (math.Exp(logs/float64(max(1, len(percents)))) - 1)
}

// Overlap is what two distributions have in common, in percent: 100 − their total
// variation distance. The same index is the same function in both. An empty
// distribution has nothing in common with any.
func Overlap(a, b []float64) float64 {
	totalA, totalB := Sum(a), Sum(b)
	if totalA <= 0 || totalB <= 0 {
		return 0
	}
	shared := 0.0
	for i, t := range a {
		shared += min(t/totalA, b[i]/totalB)
	}
	return 100 * shared
}

// OverlapByName is Overlap of distributions by name.
func OverlapByName(a, b map[string]float64) float64 {
	var listA, listB []float64
	for name, v := range a {
		listA, listB = append(listA, v), append(listB, b[name])
	}
	for name, v := range b {
		if _, both := a[name]; !both {
			listA, listB = append(listA, 0), append(listB, v)
		}
	}
	return Overlap(listA, listB)
}
