package bias

import (
	"fmt"
	"math"
)

// Two processes of one program differ by more than their samples would: an engine decides
// anew what to compile and to inline, and code lies elsewhere. A cell has one process of each way, as
// a rule, so its samples cannot show that; intervals from them alone would be too narrow for what another
// process, and another day, says.

// Dispersion is by how much more the two runs of the reference differ than their samples
// explain, over the real programs of an engine. All intervals in the engine are wider by it.
type Dispersion struct {
	Factor   float64 `json:"factor"` // of standard deviations, never below 1
	Programs int     `json:"programs"`
}

func (d *Dispersion) String() string {
	return fmt.Sprintf("Two runs of the reference differ by %.2f times what their samples explain (%d programs), and intervals are wider by that.", d.Factor, d.Programs)
}

// fewestForDispersion is the smallest number of programs that gives a dispersion: each has only
// one pair of runs.
const fewestForDispersion = 3

// pair notes by how much the two runs of a program's reference differ, in parts of what chance
// explains.
func (e *EngineReport) pair(g *group, reference *reference, resamples int) {
	runs := reference.runs[Strict]
	if t, a := runs[0], runs[1]; min(t.Len(), a.Len()) >= fewestForMean {
		if by := CompareByChance(t, a, resamples, seed(g.engine, g.program, "dispersion")); by.Chance < 100 {
			e.pairs = append(e.pairs, (100-by.Overlap)/(100-by.Chance))
		}
	}
}

// disperse widens the intervals of all cells by the dispersion of the pairs, if they are enough.
// In the mean of squares, distances by chance alone give 1.
func (e *EngineReport) disperse() {
	if len(e.pairs) < fewestForDispersion {
		return
	}
	sum := 0.0
	for _, ratio := range e.pairs {
		sum += ratio * ratio
	}
	e.Dispersion = &Dispersion{Factor: max(1, math.Sqrt(sum/float64(len(e.pairs)))), Programs: len(e.pairs)}
	e.widen(e.Dispersion.Factor)
}

// widen widens the intervals of all cells, and so those of the means made of them.
func (e *EngineReport) widen(factor float64) {
	wider := func(o Estimate) Estimate { return o.Widened(factor).Bounded(0, 100) }
	for _, ways := range e.Programs {
		for _, cell := range ways {
			for name, c := range cell.Overlaps {
				c.Overlap, c.Floor = wider(c.Overlap), wider(c.Floor)
				cell.Overlaps[name] = c
			}
		}
	}
	for _, ways := range e.Exact {
		for _, cell := range ways {
			cell.Overlap = wider(cell.Overlap)
		}
	}
}
