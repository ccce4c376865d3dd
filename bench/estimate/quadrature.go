package estimate

import (
	"math"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Sampled is a distribution as samples show it, by function: the sum of its samples'
// weights, and of their squares. The same index is the same function everywhere.
type Sampled struct{ Weight, Square []float64 }

// Len is the number of equal samples that would scatter as much (Kish's effective
// number). Samples that carry several ticks count for fewer.
func (s Sampled) Len() float64 {
	weight, squares := figures.Sum(s.Weight), figures.Sum(s.Square)
	if squares <= 0 {
		return 0
	}
	return weight * weight / squares
}

// unitless has weights that add up to the effective number, whatever their unit was: one
// sampler counts ticks, and another nanoseconds.
func (s Sampled) unitless() Sampled {
	n, weight := s.Len(), figures.Sum(s.Weight)
	if n == 0 {
		return s
	}
	u := Sampled{make([]float64, len(s.Weight)), make([]float64, len(s.Square))}
	for k := range s.Weight {
		u.Weight[k], u.Square[k] = s.Weight[k]*n/weight, s.Square[k]*n/weight*n/weight
	}
	return u
}

// Distances are D, the distance of a profile from two runs of the truth on average, and
// F, the distance of these from each other, as total variation in percent. Ratio is the
// noise in D² for each unit of F²: with n_t samples in a run of the truth and n_m in the
// profile, F² is noise of 1/n_t + 1/n_t and D² of 1/n_t + 1/n_m, so it is (1 + n_t/n_m)/2.
func Distances(measured, truth, again Sampled) (d, f, ratio float64) {
	d = 100 - (figures.Overlap(measured.Weight, truth.Weight)+figures.Overlap(measured.Weight, again.Weight))/2
	f = 100 - figures.Overlap(truth.Weight, again.Weight)
	m, t, a := measured.Len(), truth.Len(), again.Len()
	if m == 0 || t == 0 || a == 0 {
		return d, f, 1
	}
	ofTruth := 1/t + 1/a
	return d, f, (1/m + ofTruth/2) / ofTruth
}

// Quadrature is the bias if it and the noise add as squares do: √(D² − noise²), or 0
// where noise explains all of D. D − F, which ignores that, reads half of a true bias or
// less.
//
// For one function this is how noise adds to a bias. For a sum over functions it holds if
// each has its part of the bias as it has of the noise. If few functions have all the
// bias, then D is nearer to bias + noise, and this is too large: never too small, give or
// take chance. BiasOf does better.
func Quadrature(measured, truth, again Sampled) float64 {
	d, f, ratio := Distances(measured, truth, again)
	return math.Sqrt(max(0, d*d-f*f*ratio))
}
