package answer

import "fmt"

// mostWeight bounds weights, as a multiple of the median. Rates come from pages: a single
// forged one must not outweigh all others.
const mostWeight = 1000

// weights say how much the sessions of each rate count in one question.
type weights struct {
	most   float64
	capped bool
}

// weightsOf finds the weights for rates, each with the number of times it occurs.
func weightsOf(rates []weighted) weights {
	for i := range rates {
		rates[i].value = inverse(rates[i].value)
	}
	w := weights{most: mostWeight * max(1, quantileOf(rates, 0.5))}
	for _, r := range rates {
		w.capped = w.capped || r.value > w.most
	}
	return w
}

func inverse(rate float64) float64 {
	if !(rate > 0 && rate < 1) {
		return 1
	}
	return 1 / rate
}

func (w weights) of(rate float64) float64 { return min(inverse(rate), w.most) }

func (w weights) notes() []string {
	if !w.capped {
		return nil
	}
	return []string{fmt.Sprintf("some sessions claim a sample rate below 1/%d of the usual one, and count as if it were 1/%d", mostWeight, mostWeight)}
}
