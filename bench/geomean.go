package bench

import "math"

// geomeanPercent is the geometric mean of changes in percent.
func geomeanPercent(percents []float64) float64 {
	logs := 0.0
	for _, percent := range percents {
		logs += math.Log(1 + percent/100)
	}
	return 100 * (math.Exp(logs/float64(max(1, len(percents)))) - 1)
}
