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

// fewestForDispersion is the number of programs below which there is none: each tells of one pair.
const fewestForDispersion = 3

// disperse measures the dispersion in an engine, and widens the intervals of its cells. In the
// mean of squares over programs, distances by chance alone give 1.
func (e *EngineReport) disperse(groups []*group, resamples int) {
	var squares []float64
	for _, g := range groups {
		details, _ := g.promise()
		t, a := distribute(g.profiles("truth"), rules[0], details[Strict]), distribute(g.profiles("truth again"), rules[0], details[Strict])
		if min(t.Len(), a.Len()) < fewestForMean {
			continue
		}
		pair := CompareByChance(t, a, resamples, seed(g.engine, g.program, "dispersion"))
		if pair.Chance < 100 {
			ratio := (100 - pair.Overlap) / (100 - pair.Chance)
			squares = append(squares, ratio*ratio)
		}
	}
	if len(squares) < fewestForDispersion {
		return
	}
	sum := 0.0
	for _, square := range squares {
		sum += square
	}
	e.Dispersion = &Dispersion{Factor: max(1, math.Sqrt(sum/float64(len(squares)))), Programs: len(squares)}
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
