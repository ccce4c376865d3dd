package bias

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// sumUp computes the means over the real programs, and over the classics, which run in
// fewer ways and for less time.
func (e *EngineReport) sumUp(programs map[string]fixtures.Program) {
	again := map[string]*Cell{} // not a way to profile, but the floor of overheads
	for program, clean := range e.Clean {
		again[program] = &Cell{Recording: clean.Again}
	}
	e.CleanAgain = overheadsOf(again, programs, (*Cell).recording)
	e.Means = meansOf(byWay(e.Programs, programs, false), programs)
	e.Classics = meansOf(byWay(e.Programs, programs, true), programs)
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

func meansOf(cells map[string]map[string]*Cell, programs map[string]fixtures.Program) map[string]*Mean {
	means := map[string]*Mean{}
	for way, byProgram := range cells {
		m := meanOf(byProgram)
		m.Recording = overheadsOf(byProgram, programs, (*Cell).recording)
		m.Idle = overheadsOf(byProgram, programs, (*Cell).idle)
		means[way] = m
	}
	return means
}

func (c *Cell) recording() []float64 { return c.Recording }
func (c *Cell) idle() []float64      { return c.Idle }

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

// overheadsOf sums up overheads of all programs and of both groups.
func overheadsOf(byProgram map[string]*Cell, programs map[string]fixtures.Program, of func(*Cell) []float64) Overheads {
	var all, libraries, tiny [][]float64
	for _, program := range slices.Sorted(maps.Keys(byProgram)) {
		rounds := of(byProgram[program])
		if len(rounds) == 0 {
			continue
		}
		all = append(all, rounds)
		switch {
		case programs[program].TinyCalls:
			tiny = append(tiny, rounds)
		case programs[program].NeedsNPM:
			libraries = append(libraries, rounds)
		}
	}
	return Overheads{All: geomean(all), Libraries: geomean(libraries), Tiny: geomean(tiny)}
}

// geomean is the geometric mean over programs of the medians of their rounds,
// in percent, with the interval of drawing rounds again. One round has none.
func geomean(programs [][]float64) *Estimate {
	if len(programs) == 0 {
		return nil
	}
	figure := func(rng *rand.Rand) float64 {
		medians := make([]float64, len(programs))
		for i, rounds := range programs {
			if rng != nil {
				drawn := make([]float64, len(rounds))
				for i := range drawn {
					drawn[i] = rounds[rng.IntN(len(rounds))]
				}
				rounds = drawn
			}
			medians[i] = figures.Median(rounds)
		}
		return figures.GeomeanPercent(medians)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var drawn []float64
	for range 500 {
		drawn = append(drawn, figure(rng))
	}
	slices.Sort(drawn)
	return &Estimate{Value: figure(nil), Low: figures.SortedQuantile(drawn, 0.025), High: figures.SortedQuantile(drawn, 0.975)}
}
