package figures

import (
	"math/bits"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Skids is the distribution of the time from tick to check: how many samples
// waited up to 250 ns, up to twice that, and so on; the last bar has the rest.
type Skids struct {
	Bars   []int         `json:"bars"`
	Median time.Duration `json:"medianNs"`
	P95    time.Duration `json:"p95Ns"`
	Max    time.Duration `json:"maxNs"`
}

const (
	firstBar = 250 * time.Nanosecond
	// SkidBars is the number of bars: up to 65 ms, and longer.
	SkidBars = 20
)

// SkidsOf gathers the skids of the samples that checks took.
func SkidsOf(profiles []*profile.Profile) Skids {
	s := Skids{Bars: make([]int, SkidBars)}
	var all []float64
	for _, p := range profiles {
		for i, kind := range p.Samples.Kind {
			switch kind {
			case profile.Entry, profile.Loop, profile.Exit:
				skid := max(p.Samples.Skid[i], 0)
				all = append(all, float64(skid))
				s.Bars[barOf(skid)]++
			}
		}
	}
	slices.Sort(all)
	s.Median = time.Duration(SortedQuantile(all, 0.5))
	s.P95 = time.Duration(SortedQuantile(all, 0.95))
	s.Max = time.Duration(SortedQuantile(all, 1))
	return s
}

// barOf is the bar of a skid: bar i ends at 250 ns · 2ⁱ, inclusively.
func barOf(skid int64) int {
	if skid <= 0 {
		return 0
	}
	return min(bits.Len64(uint64((skid-1)/int64(firstBar))), SkidBars-1)
}

// BarEnd is the longest skid in a bar.
func BarEnd(bar int) time.Duration { return firstBar << bar }
