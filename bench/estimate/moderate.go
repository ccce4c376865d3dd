package estimate

import (
	"math"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Prior is what the variances of many figures say of the variance of one: each was
// estimated from a few values, and they are alike to a degree. One variance for all would
// give a calm figure the interval of the wildest; its own alone, from two or three values,
// says next to nothing.
type Prior struct {
	Variance float64
	// Freedom is how many degrees of freedom it is worth: +Inf if all figures scatter alike.
	Freedom float64
}

// PriorOf fits a scaled F distribution to the variances of groups of values, by the first
// two moments of their logarithms (Smyth 2004, Linear Models and Empirical Bayes Methods).
// It is false if fewer than FewestForMean groups have two values.
func PriorOf(groups [][]float64) (Prior, bool) {
	var logs, noises []float64
	least := leastVariance(groups)
	for _, values := range groups {
		if len(values) < 2 {
			continue
		}
		half := float64(len(values)-1) / 2
		logs = append(logs, math.Log(max(Variance(values), least))-digamma(half)+math.Log(half))
		noises = append(noises, trigamma(half))
	}
	if len(logs) < FewestForMean || least == 0 {
		return Prior{}, false
	}
	middle, more := figures.Mean(logs), Variance(logs)-figures.Mean(noises)
	if more <= 0 {
		return Prior{math.Exp(middle), math.Inf(1)}, true
	}
	half := trigammaInverse(more)
	return Prior{math.Exp(middle + digamma(half) - math.Log(half)), 2 * half}, true
}

// nothing is the smallest part of the mean variance that a variance counts as: the logarithm of less
// would count for more than all others.
const nothing = 1e-4

func leastVariance(groups [][]float64) float64 {
	var all []float64
	for _, values := range groups {
		if len(values) > 1 {
			all = append(all, Variance(values))
		}
	}
	return nothing * figures.Mean(all)
}

// Deviation is the expected standard deviation of one value.
func (p Prior) Deviation() float64 { return math.Sqrt(p.Variance) }

// Moderated is the squared standard error of the mean of values, and what its degrees of freedom are.
func (p Prior) Moderated(values []float64) (squaredError, freedom float64) {
	own, n := float64(max(0, len(values)-1)), float64(max(1, len(values)))
	variance := p.Variance
	if !math.IsInf(p.Freedom, 1) {
		variance = (p.Freedom*p.Variance + own*Variance(values)) / (p.Freedom + own)
	}
	return variance / n, p.Freedom + own
}

// half is half the interval of the mean of values.
func (p Prior) half(values []float64) float64 {
	squared, freedom := p.Moderated(values)
	return studentOf(freedom) * math.Sqrt(squared)
}

// Mean is the mean of a few values, such as a program's invocations. Its interval is moderated by the
// scatter of all programs. Without values it is nil.
func (p Prior) Mean(values []float64) *Estimate {
	if len(values) == 0 {
		return nil
	}
	value, half := figures.Mean(values), p.half(values)
	return &Estimate{Value: value, Low: value - half, High: value + half}
}

// Among is an estimate that was made of several processes, with its figure in each: the
// interval is wider if the processes differ by more than it says.
func (e Estimate) Among(values []float64, prior Prior) Estimate {
	half := prior.half(values)
	e.Low, e.High = min(e.Low, e.Value-half), max(e.High, e.Value+half)
	return e
}

// studentOf is Student of any degrees of freedom.
func studentOf(freedom float64) float64 {
	if freedom > 1e6 {
		return z
	}
	below := math.Floor(freedom)
	part := freedom - below
	if below < 1 {
		return Student(1)
	}
	return (1-part)*Student(int(below)) + part*Student(int(below)+1)
}

// asymptotic is from where the series of digamma and trigamma are exact enough.
const asymptotic = 8

func digamma(x float64) float64 {
	below := 0.
	for ; x < asymptotic; x++ {
		below -= 1 / x
	}
	s := 1 / (x * x)
	return below + math.Log(x) - 1/(2*x) - s*(1./12-s*(1./120-s/252))
}

func trigamma(x float64) float64 {
	below := 0.
	for ; x < asymptotic; x++ {
		below += 1 / (x * x)
	}
	s := 1 / (x * x)
	return below + 1/x + s/2 + s/x*(1./6-s*(1./30-s/42))
}

// trigammaInverse is where trigamma, which falls, has this value.
func trigammaInverse(value float64) float64 {
	low, high := 1e-3, 1e9
	for range 100 {
		if middle := math.Sqrt(low * high); trigamma(middle) > value {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
