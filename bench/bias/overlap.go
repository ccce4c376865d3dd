package bias

import (
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Overlap is what two distributions have in common, in percent: 100 − their
// total variation distance. An empty one has nothing in common with any.
func Overlap(a, b *Distribution) float64 {
	pair := align(a, b)
	return figures.Overlap(pair[0].ticks(nil, nil), pair[1].ticks(nil, nil))
}

// Estimate is a figure with its 95 % interval.
type Estimate = estimate.Estimate

// mean is the mean of independent estimates, with its interval.
func mean(estimates []Estimate) Estimate {
	if len(estimates) == 0 {
		return Estimate{}
	}
	n := float64(len(estimates))
	value, replicates := 0.0, slices.Clone(estimates[0].Replicates)
	for i := range replicates {
		replicates[i] = 0
	}
	for _, e := range estimates {
		value += e.Value / n
		for i := range min(len(replicates), len(e.Replicates)) {
			replicates[i] += e.Replicates[i] / n
		}
	}
	return estimate.Centred(value, replicates)
}

// Comparison compares a profile with two runs of the truth.
type Comparison struct {
	Overlap Estimate `json:"overlap"` // with either run, on average
	Floor   Estimate `json:"floor"`   // of the two runs with each other
	Bias    Estimate `json:"bias"`    // floor − overlap
}

// Compare compares a profile with two runs of the truth. The seed decides how
// samples are drawn again.
func Compare(measured, truth, again *Distribution, resamples int, seed uint64) Comparison {
	all := align(measured, truth, again)
	figures := func(m, t, a []float64) (float64, float64) {
		return (figures.Overlap(m, t) + figures.Overlap(m, a)) / 2, figures.Overlap(t, a)
	}
	var m, t, a []float64
	value, floor := figures(all[0].ticks(nil, nil), all[1].ticks(nil, nil), all[2].ticks(nil, nil))
	var values, floors, biases []float64
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	for range resamples {
		m, t, a = all[0].ticks(rng, m), all[1].ticks(rng, t), all[2].ticks(rng, a)
		v, f := figures(m, t, a)
		values, floors, biases = append(values, v), append(floors, f), append(biases, f-v)
	}
	return Comparison{Overlap: estimate.Centred(value, values).Bounded(0, 100), Floor: estimate.Centred(floor, floors).Bounded(0, 100), Bias: estimate.Centred(floor-value, biases)}
}

// OverlapInterval is Overlap with its interval.
func OverlapInterval(a, b *Distribution, resamples int, seed uint64) Estimate {
	pair := align(a, b)
	var drawnA, drawnB, values []float64
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	for range resamples {
		drawnA, drawnB = pair[0].ticks(rng, drawnA), pair[1].ticks(rng, drawnB)
		values = append(values, figures.Overlap(drawnA, drawnB))
	}
	return estimate.Centred(figures.Overlap(pair[0].ticks(nil, nil), pair[1].ticks(nil, nil)), values).Bounded(0, 100)
}

// aligned is a distribution by an index that others share.
type aligned struct {
	d    *Distribution
	at   []int // of each key
	keys int   // of all distributions
}

// align gives distributions a common index.
func align(ds ...*Distribution) []aligned {
	index := map[string]int{}
	all := make([]aligned, len(ds))
	for i, d := range ds {
		all[i] = aligned{d: d, at: make([]int, len(d.keys))}
		for k, key := range d.keys {
			at, ok := index[key]
			if !ok {
				at = len(index)
				index[key] = at
			}
			all[i].at[k] = at
		}
	}
	for i := range all {
		all[i].keys = len(index)
	}
	return all
}

// ticks are the ticks of each key; with a generator, those of as many samples drawn
// with replacement. They are written into space if it is large enough.
func (a aligned) ticks(rng *rand.Rand, space []float64) []float64 {
	if cap(space) < a.keys {
		space = make([]float64, a.keys)
	}
	space = space[:a.keys]
	clear(space)
	for k, share := range a.d.known {
		space[a.at[k]] += share
	}
	n := len(a.d.owner)
	for i := range n {
		if rng != nil {
			i = rng.IntN(n)
		}
		space[a.at[a.d.owner[i]]] += a.d.weight[i]
	}
	return space
}
