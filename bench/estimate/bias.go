package estimate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Bias is the distance of a profile's distribution from the true one as total variation
// in percent, without what chance adds. It lies between two bounds, each unbiased or on
// its side; the figure is in their middle, and its interval reaches from the scatter below
// the lower one to the scatter above the upper one. An interval that begins at 0 says "at most".
type Bias struct {
	Estimate
	least, most Estimate
}

// BiasOf estimates the bias of a profile from two runs of the truth, which together are
// the truth here. Samples are few, so each function's difference x is noise of variance
// s² around a true difference d, and the sum of |x| is too large, by half or more where
// functions are many.
//
// Least adds up |d|·(2Φ(|d|/1.2s) − 1) ≤ |d|: what is left of |x| if one half of the data
// has to tell on which side of 0 the difference is, and the other half how large it is. Noise alone adds up to
// nothing in it. It is what D − F is meant to be.
//
// Most is the quadrature of Quadrature, taken in groups of functions with about equal
// shares (the first, the next two, the next four, …), since the bias of a few hot
// functions and the noise of many cold ones are not in the same group. The sum of the
// roots is above the sum of |d|: by Minkowski's inequality, and since no group's is below
// 0.
//
// The noise is that of independent samples with their weights, and more if the two runs of
// the truth differ by more than such samples would. In simulations (bias_test.go) the
// interval holds the true bias in 95 % of cases or more, whether it is spread over all
// functions, in two of them, or in the rarest.
func BiasOf(measured, truth, again Sampled, resamples int, seed uint64) Bias {
	rng := rand.New(rand.NewPCG(seed, 0x2545f4914f6cdd1d))
	all := differencesOf(measured, truth, again, rng)
	seen, moved := make([]float64, len(all)), make([]float64, len(all))
	for k := range all {
		seen[k] = all[k].seen
	}
	least, most := leastBias(all, seen), mostBias(all, seen)
	var leasts, mosts []float64
	for range resamples {
		for k := range all {
			moved[k] = seen[k] + all[k].scatter*rng.NormFloat64()
		}
		leasts, mosts = append(leasts, leastBias(all, moved)), append(mosts, mostBias(all, moved))
	}
	return between(Centred(least, leasts), Centred(most, mosts), slack)
}

// slack widens the scatter of the bounds, which is itself an estimate.
const slack = 1.15

// slackOfMean does so for the bounds of a mean. The upper one is a few tenths too low where
// a group's noise is larger than what is seen of its bias, which is no scatter.
const slackOfMean = 1.3

func between(least, most Estimate, slack float64) Bias {
	b := Bias{least: least, most: most}
	b.Value = (max(0, least.Value) + max(0, most.Value)) / 2
	b.Low = least.Value - slack*(least.Value-least.Low)
	b.High = most.Value + slack*(most.High-most.Value)
	b.Estimate = b.Bounded(0, 100)
	return b
}

// MeanBias is the mean over programs, which are drawn again as in Mean. It is the mean of
// the bounds that is not below 0: single ones are where chance takes them.
func MeanBias(programs []Bias, seed uint64) (Bias, bool) {
	var leasts, mosts []Estimate
	for _, p := range programs {
		leasts, mosts = append(leasts, p.least), append(mosts, p.most)
	}
	least, ok := Mean(leasts, seed)
	if !ok {
		return Bias{}, false
	}
	most, _ := Mean(mosts, seed)
	return between(least, most, slackOfMean), true
}

// difference is one function's share in the profile less its share in the truth, with
// what chance does to it.
type difference struct {
	seen    float64
	scatter float64 // its standard deviation
	noise   float64 // the mean size that it has without a bias
	share   float64
}

// draws is how often noise is simulated to know its mean size.
const draws = 40

// differencesOf are the differences of all functions that have a sample, the hottest first.
func differencesOf(measured, truth, again Sampled, rng *rand.Rand) []difference {
	measured, truth, again = measured.unitless(), truth.unitless(), again.unitless()
	m, t, a := figures.Sum(measured.Weight), figures.Sum(truth.Weight), figures.Sum(again.Weight)
	if m <= 0 || t <= 0 || a <= 0 {
		return nil
	}
	known := t + a
	var all []difference
	floors := 0.0 // what the floor should be on average
	for k := range measured.Weight {
		w := measured.Weight[k] + truth.Weight[k] + again.Weight[k]
		if w <= 0 {
			continue
		}
		each := (measured.Square[k] + truth.Square[k] + again.Square[k]) / w // ticks of a sample
		p, q, both := (truth.Weight[k]+again.Weight[k])/known, measured.Weight[k]/m, w/(m+known)
		f := difference{seen: q - p, share: both}
		rest := math.Sqrt(1 - both) // shares add up to 1
		f.scatter = rest * math.Sqrt(each*((p+both)/2/known+(q+both)/2/m))
		for range draws {
			draw := func(of float64) float64 { return each * Poisson(rng, both*of/each) }
			ofM, ofT, ofA := draw(m), draw(t), draw(a)
			f.noise += rest * math.Abs(ofM/m-(ofT+ofA)/known) / draws
			floors += 50 * rest * math.Abs(ofT/t-ofA/a) / draws
		}
		all = append(all, f)
	}
	if floor := 100 - figures.Overlap(truth.Weight, again.Weight); floor > floors && floors > 0 {
		for k := range all {
			all[k].scatter *= floor / floors
			all[k].noise *= floor / floors
		}
	}
	slices.SortStableFunc(all, func(a, b difference) int { return cmp.Compare(b.share, a.share) })
	return all
}

// split is how the data is divided in leastBias: 1 is into equal halves, and less leaves
// more for the sides.
const split = 0.7

// leastBias: x plus split·s·Z and x − s·Z/split are independent if Z is another normal
// variable, and so are the sign of one of them and the size of the other. The mean over Z has
// a closed form (Leiner, Duan, Wasserman, Ramdas: Data fission, 2023).
func leastBias(all []difference, x []float64) float64 {
	sum := 0.0
	for k := range x {
		s := all[k].scatter
		if s == 0 {
			sum += math.Abs(x[k])
			continue
		}
		z := x[k] / (split * s)
		sum += x[k]*math.Erf(z/math.Sqrt2) - 2*s/split*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
	}
	return 50 * sum
}

func mostBias(all []difference, x []float64) float64 {
	sum := 0.0
	for from, size := 0, 1; from < len(all); from, size = from+size, 2*size {
		d, noise := 0.0, 0.0
		for k := from; k < min(from+size, len(all)); k++ {
			d += math.Abs(x[k])
			noise += all[k].noise
		}
		sum += math.Sqrt(max(0, d*d-noise*noise))
	}
	return 50 * sum
}
