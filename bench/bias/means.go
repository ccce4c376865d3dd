package bias

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// sumUp computes the means over the real programs, and over the classics, which run in
// fewer ways and for less time.
func (e *EngineReport) sumUp(name string, programs map[string]fixtures.Program) {
	ofReal := byWay(e.Programs, programs, false)
	e.Means = meansOf(name, ofReal)
	e.Common = commonOf(name, e.Means, ofReal)
	e.Classics = meansOf(name+" classics", byWay(e.Programs, programs, true))
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

func meansOf(name string, cells map[string]map[string]*Cell) map[string]*Mean {
	means := map[string]*Mean{}
	for way, byProgram := range cells {
		means[way] = meanOf(name+" "+way, byProgram)
	}
	return means
}

// gathered are the comparisons of one level of detail that are fit for a mean.
type gathered struct {
	overlaps, floors []Estimate
	biases           []estimate.Bias
	quadratures      []float64
	rules            map[string]float64 // sums
	ranks            []Ranks
}

func meanOf(name string, byProgram map[string]*Cell) *Mean {
	m := &Mean{Overlaps: map[string]Comparison{}, Rules: map[string]map[string]float64{}, Of: map[string]int{}, Ranks: map[string]MeanRanks{}}
	details := map[string]*gathered{}
	var resolutions, functions, ratios, missed, lost []float64
	for _, program := range slices.Sorted(maps.Keys(byProgram)) {
		c := byProgram[program]
		for detail, comparison := range c.Overlaps {
			if comparison.Alone == "" {
				if details[detail] == nil {
					details[detail] = new(gathered)
				}
				details[detail].add(c, detail, comparison)
			}
		}
		switch promise, compared := c.Overlaps[Promise]; {
		case !compared:
		case promise.Alone != "":
			m.Alone = append(m.Alone, program)
		default:
			m.Programs++
			if c.Few {
				m.Few++
			}
			resolutions, functions, ratios = append(resolutions, c.Resolution), append(functions, c.Functions), append(ratios, c.Ratio)
			missed, lost = append(missed, c.Missed), append(lost, c.Lost)
		}
	}
	for detail, g := range details {
		m.sumUp(detail, g, seed(name, detail))
	}
	if m.Programs >= estimate.FewestForMean {
		m.Resolution, m.Functions = new(figures.Mean(resolutions)), new(figures.Mean(functions))
		m.Missed, m.Lost = new(figures.Mean(missed)), new(figures.Mean(lost))
		m.LeastRatio, m.MostRatio = slices.Min(ratios), slices.Max(ratios)
	}
	return m
}

func (g *gathered) add(c *Cell, detail string, comparison Comparison) {
	g.overlaps, g.floors = append(g.overlaps, comparison.Overlap), append(g.floors, comparison.Floor)
	g.biases, g.quadratures = append(g.biases, comparison.Bias), append(g.quadratures, comparison.Quadrature)
	if g.rules == nil {
		g.rules = map[string]float64{}
	}
	for rule, byDetail := range c.Rules {
		g.rules[rule] += byDetail[detail]
	}
	if ranks, ok := c.Ranks[detail]; ok {
		g.ranks = append(g.ranks, ranks)
	}
}

// sumUp adds a level of detail, unless its programs are too few.
func (m *Mean) sumUp(detail string, g *gathered, seed uint64) {
	n := len(g.overlaps)
	m.Of[detail] = n
	if n < estimate.FewestForMean {
		return
	}
	m.Overlaps[detail] = g.mean(seed)
	if detail != Promise {
		for rule, sum := range g.rules {
			if m.Rules[rule] == nil {
				m.Rules[rule] = map[string]float64{}
			}
			m.Rules[rule][detail] = sum / float64(n)
		}
	}
	if len(g.ranks) == 0 {
		return
	}
	ranks := MeanRanks{Of: n}
	var rhos []float64
	for _, r := range g.ranks {
		if r.HottestRank == 1 {
			ranks.Hottest++
		}
		if r.Spearman != nil {
			rhos = append(rhos, *r.Spearman)
		}
	}
	ranks.Spearman, ranks.Unordered = figures.Mean(rhos), n-len(rhos)
	m.Ranks[detail] = ranks
}

// mean is of as many programs as a mean needs, or more.
func (g *gathered) mean(seed uint64) Comparison {
	overlap, _ := estimate.Mean(g.overlaps, seed)
	floor, _ := estimate.Mean(g.floors, seed)
	bias, _ := estimate.MeanBias(g.biases, seed)
	return Comparison{Overlap: overlap.Bounded(0, 100), Floor: floor.Bounded(0, 100), Bias: bias, Quadrature: figures.Mean(g.quadratures)}
}
