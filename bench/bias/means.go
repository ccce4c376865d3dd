package bias

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// sumUp computes the means over the real programs, and over the classics, which run in
// fewer ways and for less time.
func (e *EngineReport) sumUp(programs map[string]fixtures.Program) {
	e.Means = meansOf(byWay(e.Programs, programs, false))
	e.Classics = meansOf(byWay(e.Programs, programs, true))
	if m := e.Means["precise"]; m != nil {
		for detail, comparison := range m.Overlaps {
			if detail != Promise {
				e.Floor[detail] = comparison.Floor
			}
		}
	}
}

// byWay are the cells of the classics or of the others, by way, then program.
func byWay(all map[string]map[string]*Cell, programs map[string]fixtures.Program, classic bool) map[string]map[string]*Cell {
	cells := map[string]map[string]*Cell{}
	for program, ways := range all {
		if programs[program].Classic != classic {
			continue
		}
		for way, cell := range ways {
			if cells[way] == nil {
				cells[way] = map[string]*Cell{}
			}
			cells[way][program] = cell
		}
	}
	return cells
}

func meansOf(cells map[string]map[string]*Cell) map[string]*Mean {
	means := map[string]*Mean{}
	for way, byProgram := range cells {
		means[way] = meanOf(byProgram)
	}
	return means
}

func meanOf(byProgram map[string]*Cell) *Mean {
	m := &Mean{Overlaps: map[string]Comparison{}, Rules: map[string]map[string]float64{}}
	overlaps, floors, biases := map[string][]Estimate{}, map[string][]Estimate{}, map[string][]Estimate{}
	var rhos []float64
	all := 0.0
	for _, program := range slices.Sorted(maps.Keys(byProgram)) {
		c := byProgram[program]
		all++
		m.Lost, m.Missed = m.Lost+c.Lost, m.Missed+c.Missed
		if len(c.Overlaps) == 0 {
			continue
		}
		m.Programs++
		if c.Few {
			m.Few++
		}
		if c.HottestRank == 1 {
			m.Hottest++
		}
		if c.Spearman != nil {
			rhos = append(rhos, *c.Spearman)
		}
		for detail, comparison := range c.Overlaps {
			overlaps[detail] = append(overlaps[detail], comparison.Overlap)
			floors[detail] = append(floors[detail], comparison.Floor)
			biases[detail] = append(biases[detail], comparison.Bias)
		}
		for rule, byDetail := range c.Rules {
			if m.Rules[rule] == nil {
				m.Rules[rule] = map[string]float64{}
			}
			for detail, value := range byDetail {
				m.Rules[rule][detail] += value
			}
		}
	}
	m.Lost, m.Missed = m.Lost/all, m.Missed/all
	if len(rhos) > 0 {
		m.Spearman = figures.Sum(rhos) / float64(len(rhos))
	}
	for detail := range overlaps {
		m.Overlaps[detail] = Comparison{Overlap: mean(overlaps[detail]).Bounded(0, 100), Floor: mean(floors[detail]).Bounded(0, 100), Bias: mean(biases[detail])}
	}
	for _, byDetail := range m.Rules {
		for detail := range byDetail {
			byDetail[detail] /= float64(len(overlaps[detail]))
		}
	}
	return m
}
