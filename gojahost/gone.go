package gojahost

import (
	"slices"

	"github.com/fieldprof/fieldprof/coordinator"
)

// maxGone bounds the runs of ticks outside the program of runtimes that are gone. When there
// are more, the oldest quarter falls out.
const maxGone = 1 << 16

// goneRuns are these runs, in order of time.
type goneRuns []coordinator.Outside

// add merges the runs of another runtime, which are in order, and returns how many ticks
// fell out. All hosts of a pool wait meanwhile, and there may be a thousand runtimes a
// second: only what is later than the first of its runs moves.
func (g *goneRuns) add(more []coordinator.Outside) (dropped int64) {
	i := len(*g)
	runs := append(*g, more...)
	for j := len(more); j > 0; {
		if i > 0 && runs[i-1].Time > more[j-1].Time {
			i--
			runs[i+j] = runs[i]
		} else {
			j--
			runs[i+j] = more[j]
		}
	}
	if n := len(runs) - maxGone; n > 0 {
		n = max(n, maxGone/4)
		for _, run := range runs[:n] {
			dropped += run.Ticks
		}
		runs = slices.Delete(runs, 0, n)
	}
	*g = runs
	return dropped
}
