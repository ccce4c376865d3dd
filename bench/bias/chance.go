package bias

import (
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Independence compares two profiles that should not differ, taken with other seeds or
// intervals, with the effect of chance alone on one distribution.
type Independence struct {
	Overlap float64 `json:"overlap"`
	Chance  float64 `json:"chance"` // of two such profiles of one distribution, on average
	Low     float64 `json:"low"`    // 97.5 % of them overlap by more
}

// Independent reports whether chance explains the difference.
func (i Independence) Independent() bool { return i.Overlap >= i.Low }

// CompareByChance draws pairs of profiles of the same sizes from both together.
func CompareByChance(a, b *Distribution, resamples int, seed uint64) Independence {
	both := &Distribution{}
	for _, d := range []*Distribution{a, b} {
		for i, owner := range d.owner {
			both.Add(d.keys[owner], d.weight[i])
		}
	}
	drawn := func(rng *rand.Rand, n int) []float64 {
		ticks := make([]float64, len(both.keys))
		for range n {
			i := rng.IntN(both.Len())
			ticks[both.owner[i]] += both.weight[i]
		}
		return ticks
	}
	result := Independence{Overlap: Overlap(a, b)}
	if a.Len() == 0 || b.Len() == 0 {
		return result
	}
	rng := rand.New(rand.NewPCG(seed, 0xbf58476d1ce4e5b9))
	var values []float64
	for range max(resamples, 1) {
		values = append(values, figures.Overlap(drawn(rng, a.Len()), drawn(rng, b.Len())))
	}
	slices.Sort(values)
	result.Chance = figures.Sum(values) / float64(len(values))
	result.Low = figures.SortedQuantile(values, 0.025)
	return result
}
