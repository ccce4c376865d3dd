package answer

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// mostBlocks is about how many blocks a range of time is divided into.
const mostBlocks = 12

// steps are the lengths of blocks; longer ones are whole days.
var steps = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour}

// stepOf is the length of blocks, of which at most n and a part fit a range.
func stepOf(from, to time.Time, n int) time.Duration {
	least := (to.Sub(from) + time.Duration(n) - 1) / time.Duration(n)
	for _, step := range steps {
		if step >= least {
			return step
		}
	}
	const day = 24 * time.Hour
	return (least + day - 1) / day * day
}

// fewBlocks is the number of blocks below which nothing is known of how much they differ.
const fewBlocks = 3

// block is what a block of time has of the two parts of a ratio.
type block struct{ part, whole float64 }

// ratio estimates the ratio of two sums and its interval within bounds; nil if there is nothing.
func ratio(blocks map[time.Time]block, most float64) *Estimate {
	var sum block
	n := 0
	for _, b := range blocks {
		sum.part, sum.whole = sum.part+b.part, sum.whole+b.whole
		if b.whole > 0 {
			n++
		}
	}
	if !(sum.whole > 0) {
		return nil
	}
	value := sum.part / sum.whole
	if n < fewBlocks || value > most {
		value = min(most, value)
		return &Estimate{value, value, value}
	}
	squares := 0.0
	for _, b := range blocks {
		rest := b.part - value*b.whole
		squares += rest * rest
	}
	half := student(n-1) * math.Sqrt(squares*float64(n)/float64(n-1)) / sum.whole
	return &Estimate{value, max(0, value-half), min(most, value+half)}
}

// students are the 97.5th percentiles of Student's t, from one degree of freedom on.
var students = []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160}

func student(freedom int) float64 {
	if freedom > len(students) {
		return 1.96 + 2.4/float64(freedom) // within 0.2 %
	}
	return students[freedom-1]
}

// durations is a histogram of durations that count differently much.
type durations struct {
	weights map[int16]float64
	squares float64
	n       int64
}

func (d *durations) add(class int16, n int64, weight float64) {
	if n <= 0 {
		return
	}
	if d.weights == nil {
		d.weights = map[int16]float64{}
	}
	d.weights[class] += float64(n) * weight
	d.squares += float64(n) * weight * weight
	d.n += n
}

// quantile estimates a quantile in milliseconds, and its interval: the order statistics that have it between
// them, by the normal approximation of the binomial distribution. It is nil if there is nothing.
func (d *durations) quantile(share float64, edge func(int16) time.Duration) *Estimate {
	if d.n == 0 {
		return nil
	}
	classes := slices.Sorted(maps.Keys(d.weights))
	all := 0.0
	for _, c := range classes {
		all += d.weights[c]
	}
	at := func(share float64) float64 {
		below, rank := 0.0, share*all
		for _, c := range classes {
			if w := d.weights[c]; below+w >= rank || c == classes[len(classes)-1] {
				low, high := float64(edge(c)), float64(edge(c+1))
				return low * math.Pow(high/low, min(1, max(0, (rank-below)/w))) / 1e6
			}
			below += d.weights[c]
		}
		return 0
	}
	value := at(share)
	if d.n < fewViews {
		return &Estimate{value, value, value}
	}
	half := 1.96 * math.Sqrt(share*(1-share)*d.squares) / all // with all²/squares views of equal weight
	return &Estimate{value, at(max(0, share-half)), at(min(1, share+half))}
}

// fewViews is the number of values below which an interval of a quantile is not worth its name.
const fewViews = 8

// weighted is a value that counts so much.
type weighted struct{ value, weight float64 }

// quantileOf is a quantile of a list, which it sorts.
func quantileOf(list []weighted, share float64) float64 {
	slices.SortFunc(list, func(a, b weighted) int { return cmp.Compare(a.value, b.value) })
	all, below := 0.0, 0.0
	for _, w := range list {
		all += w.weight
	}
	for _, w := range list {
		if below += w.weight; below >= share*all {
			return w.value
		}
	}
	return 0
}
