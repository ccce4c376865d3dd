package answer

import (
	"context"
	"fmt"
	"math"

	"github.com/fieldprof/fieldprof/collect/store"
)

// mostWeight bounds weights, as a multiple of the median. Rates come from pages: a single
// forged one must not outweigh all others.
const mostWeight = 1000

// weights say how much the sessions of each rate count in one question.
type weights struct {
	most   float64
	capped bool
}

// weightsOfTicks finds the weights for groups with so many ticks each. If some might have to be bounded,
// chunks decide what is usual: one that claims an hour at once has as many ticks as many honest ones.
func (s *Service) weightsOfTicks(ctx context.Context, of store.Selection, groups []store.Group, n []int64) (weights, error) {
	var rates []weighted
	least, most := math.Inf(1), 0.0
	for i, group := range groups {
		rates = append(rates, weighted{group.Rate, float64(n[i])})
		least, most = min(least, inverse(group.Rate)), max(most, inverse(group.Rate))
	}
	if most <= mostWeight*least {
		return weightsOf(rates), nil
	}
	totals, err := s.store.Totals(ctx, of, store.Grouping{})
	if err != nil {
		return weights{}, err
	}
	rates = nil
	for i := range totals {
		if totals[i].Ticks > 0 {
			rates = append(rates, weighted{totals[i].Rate, float64(totals[i].Chunks)})
		}
	}
	return weightsOf(rates), nil
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
