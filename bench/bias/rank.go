package bias

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Difference is one function's share in the truth and in the profile, in
// percent.
type Difference struct {
	Function string  `json:"function"`
	Truth    float64 `json:"truth"`
	Profile  float64 `json:"profile"`
}

// Worst is the function whose share is furthest from the truth.
func Worst(truth, measured *Distribution) Difference {
	a, b := truth.Shares(), measured.Shares()
	worst := Difference{}
	for _, key := range byShare(a, b) {
		if math.Abs(a[key]-b[key]) > math.Abs(worst.Truth-worst.Profile) {
			label := truth.Label(key)
			if label == key {
				label = measured.Label(key)
			}
			worst = Difference{Function: label, Truth: a[key], Profile: b[key]}
		}
	}
	return worst
}

// byShare are the keys of both, by descending share in the first; keys break ties.
func byShare(a, b map[string]float64) []string {
	keys := slices.Collect(maps.Keys(a))
	for key := range b {
		if _, ok := a[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(x, y string) int {
		return cmp.Or(cmp.Compare(a[y], a[x]), cmp.Compare(x, y))
	})
	return keys
}

// topFunctions is how many of the truth's hottest functions the rank correlation is of.
const topFunctions = 20

// Ranks compares the order of functions in the profile with their order in both runs of
// the truth together, at one level of detail.
type Ranks struct {
	Worst Difference `json:"worst"`
	// Spearman is of the truth's twenty hottest functions; null if they are under three.
	Spearman *float64 `json:"spearman"`
	// HottestRank is the profile's rank of the truth's hottest function, 0 if it is
	// missing.
	HottestRank int `json:"hottestRank"`
}

// Spearman is the rank correlation of the truth's top n functions, at least three.
// Equal shares have equal ranks.
func Spearman(truth, measured *Distribution, n int) (rho float64, ok bool) {
	a, b := truth.Shares(), measured.Shares()
	top := byShare(a, nil)
	top = top[:min(n, len(top))]
	if len(top) < 3 {
		return 0, false
	}
	return pearson(ranks(top, a), ranks(top, b))
}

// ranks of the keys by share, from 1; equal ones share the mean of theirs.
func ranks(keys []string, share map[string]float64) []float64 {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(share[keys[j]], share[keys[i]]) })
	rank := make([]float64, len(keys))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && share[keys[order[to]]] == share[keys[order[from]]] {
			to++
		}
		for _, i := range order[from:to] {
			rank[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return rank
}

// pearson is the correlation of two series; it is undefined if one of them does not
// vary.
func pearson(x, y []float64) (float64, bool) {
	meanX, meanY := figures.Sum(x)/float64(len(x)), figures.Sum(y)/float64(len(y))
	var xy, xx, yy float64
	for i := range x {
		dx, dy := x[i]-meanX, y[i]-meanY
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return 0, false
	}
	return xy / math.Sqrt(xx*yy), true
}

// HottestRank is the profile's rank of the truth's first function, from 1; 0 if the
// profile does not have it.
func HottestRank(truth, measured *Distribution) int {
	a, b := truth.Shares(), measured.Shares()
	order := byShare(a, nil)
	if len(order) == 0 || b[order[0]] == 0 {
		return 0
	}
	rank := 1
	for _, share := range b {
		if share > b[order[0]] {
			rank++
		}
	}
	return rank
}
