package bias

import (
	"fmt"
	"math"
	"math/rand/v2"

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

// Comparison compares a profile with two runs of the truth.
type Comparison struct {
	// Overlap is with either run, on average, and has no more samples than a run of the truth,
	// so that chance lowers it as it lowers the floor.
	Overlap Estimate      `json:"overlap"`
	Floor   Estimate      `json:"floor"` // of the two runs with each other
	Bias    estimate.Bias `json:"bias"`  // δ̂: the part of 100 − overlap that is not chance
	// Quadrature is √(D² − F²·(1 + n_t/n_m)/2), which is too large where few functions have
	// the bias.
	Quadrature float64 `json:"quadrature"`
	// Alone says why the comparison is in no mean.
	Alone string `json:"alone,omitempty"`
}

// The requirements for a comparison to be in a mean.
const (
	fewestForMean = 1000 // samples, of each run of the truth and of the profile
	lowestFloor   = 90
)

// Compare compares a profile with two runs of the truth. The seed decides how
// samples are drawn again.
func Compare(measured, truth, again *Distribution, resamples int, seed uint64) Comparison {
	all := align(measured.thinned((truth.Len()+again.Len())/2, seed), truth, again)
	both := func(m, t, a []float64) (float64, float64) {
		return (figures.Overlap(m, t) + figures.Overlap(m, a)) / 2, figures.Overlap(t, a)
	}
	var m, t, a []float64
	value, floor := both(all[0].ticks(nil, nil), all[1].ticks(nil, nil), all[2].ticks(nil, nil))
	c := Comparison{Overlap: estimate.Exactly(value), Floor: estimate.Exactly(floor)}
	if resamples == 0 {
		return c
	}
	var values, floors []float64
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	for range resamples {
		m, t, a = all[0].ticks(rng, m), all[1].ticks(rng, t), all[2].ticks(rng, a)
		v, f := both(m, t, a)
		values, floors = append(values, v), append(floors, f)
	}
	c.Overlap, c.Floor = estimate.Centred(value, values).Bounded(0, 100), estimate.Centred(floor, floors).Bounded(0, 100)
	all = align(measured, truth, again)
	sm, st, sa := all[0].sampled(), all[1].sampled(), all[2].sampled()
	c.Bias, c.Quadrature = estimate.BiasOf(sm, st, sa, resamples, seed), estimate.Quadrature(sm, st, sa)
	switch fewest := min(truth.Len(), again.Len()); {
	case fewest < fewestForMean:
		c.Alone = fmt.Sprintf("the truth has %d samples", fewest)
	case measured.Len() < fewestForMean:
		c.Alone = fmt.Sprintf("%d samples", measured.Len())
	case floor < lowestFloor:
		c.Alone = fmt.Sprintf("floor %.0f", math.Floor(floor))
	}
	return c
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

// sampled is the distribution as package estimate has it.
func (a aligned) sampled() estimate.Sampled {
	s := estimate.Sampled{Weight: make([]float64, a.keys), Square: make([]float64, a.keys)}
	for i, owner := range a.d.owner {
		at, w := a.at[owner], a.d.weight[i]
		s.Weight[at], s.Square[at] = s.Weight[at]+w, s.Square[at]+w*w
	}
	return s
}
