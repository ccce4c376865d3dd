package bias

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/profile"
)

// Two processes of one program differ by more than their samples would: an engine decides
// anew what to compile and to inline, and code lies elsewhere. The samples of one process
// cannot show that. So every cell is measured in several, in different parts of the plan,
// and has its figure in each; cells of one kind say together by how much processes differ.

// scatter is a figure of a cell in each process that it was measured in.
type scatter struct {
	kind   string // of cells whose processes may differ alike
	values []float64
	wider  func(func(Estimate) Estimate) // changes the estimates that it is about
}

// Processes say by how much the processes of one kind of cell differ.
type Processes struct {
	Cells     int     `json:"cells"`     // that were measured in several
	Deviation float64 `json:"deviation"` // of one process, in points, with what its samples do
}

// amongProcesses widens the intervals of cells, and so those of the means made of them, to what
// other processes would give. A kind of which too few cells ran in several keeps the intervals of
// its samples.
func (e *EngineReport) amongProcesses() {
	kinds := map[string][][]float64{}
	for _, s := range e.scatters {
		kinds[s.kind] = append(kinds[s.kind], s.values)
	}
	priors := map[string]estimate.Prior{}
	for kind, groups := range kinds {
		prior, ok := estimate.PriorOf(groups)
		if !ok {
			continue
		}
		priors[kind] = prior
		if e.Processes == nil {
			e.Processes = map[string]*Processes{}
		}
		several := slices.DeleteFunc(slices.Clone(groups), func(values []float64) bool { return len(values) < 2 })
		e.Processes[kind] = &Processes{Cells: len(several), Deviation: prior.Deviation()}
	}
	for _, s := range e.scatters {
		if prior, ok := priors[s.kind]; ok {
			s.wider(func(o Estimate) Estimate { return o.Among(s.values, prior).Bounded(0, 100) })
		}
	}
}

// processesTable shows by how much processes differ.
func (e *EngineReport) processesTable(b *strings.Builder) {
	if len(e.Processes) == 0 {
		return
	}
	b.WriteString("\n## Processes\n\nBy how much the overlap differs from process to process of the same, in points: the standard deviation, in which the chance of\na process's own samples is included. Intervals contain it.\n\n| kind of cell | cells in several processes | differ by |\n|---|---|---|\n")
	for _, kind := range slices.Sorted(maps.Keys(e.Processes)) {
		p := e.Processes[kind]
		fmt.Fprintf(b, "| %s | %d | %.1f |\n", figures.Cell(kind), p.Cells, p.Deviation)
	}
}

// processes are those in which all of the ways have profiles, with the profiles of each: a
// round's recordings. A program that belongs to a pack settles differently when it runs alone, so
// its own run is left out.
func (g *group) processes(ways ...string) []map[string][]*profile.Profile {
	inPack := slices.ContainsFunc(g.runs, func(r *Recording) bool { return r.packed })
	found := map[int]map[string][]*profile.Profile{}
	for _, r := range g.runs {
		if r.Profile == nil || r.packed != inPack || !slices.Contains(ways, r.Way.Name) {
			continue
		}
		if found[r.Round] == nil {
			found[r.Round] = map[string][]*profile.Profile{}
		}
		found[r.Round][r.Way.Name] = append(found[r.Round][r.Way.Name], r.Profile)
	}
	var all []map[string][]*profile.Profile
	for _, round := range slices.Sorted(maps.Keys(found)) {
		if in := found[round]; len(in) == len(ways) {
			all = append(all, in)
		}
	}
	return all
}

// scatter adds a figure in each process.
func (e *EngineReport) scatter(kind string, values []float64, wider func(func(Estimate) Estimate)) {
	e.scatters = append(e.scatters, scatter{kind, values, wider})
}

// scatterReal notes how a cell of a real program differs among processes, by level of detail.
func (e *EngineReport) scatterReal(g *group, way Way, rule Rule, cell *Cell, details map[string]Detail, seed uint64) {
	first, second := way.truths()
	overlaps, floors := map[string][]float64{}, map[string][]float64{}
	for _, in := range g.processes(way.Name, first, second) {
		truth := newReference(in[first], in[second], details)
		for name, runs := range truth.runs {
			if m := distribute(in[way.Name], rule, details[name]); m.Len() > 0 {
				c := Compare(m, runs[0], runs[1], 0, seed)
				overlaps[name], floors[name] = append(overlaps[name], c.Overlap.Value), append(floors[name], c.Floor.Value)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cell.Overlaps)) {
		of := name
		if name == Promise {
			of = mergedName(way.Preset)
		}
		change := func(of func(*Comparison)) {
			c := cell.Overlaps[name]
			of(&c)
			cell.Overlaps[name] = c
		}
		kind := way.kind() + ", " + name
		e.scatter(kind, overlaps[of], func(wider func(Estimate) Estimate) {
			change(func(c *Comparison) { c.Overlap, c.Bias.Estimate = wider(c.Overlap), wider(c.Bias.Estimate) })
		})
		e.scatter("the reference, "+name, floors[of], func(wider func(Estimate) Estimate) {
			change(func(c *Comparison) { c.Floor = wider(c.Floor) })
		})
	}
}

// kind names the group of ways of real programs whose processes may differ alike.
func (w *Way) kind() string {
	switch {
	case w.NoInlining:
		return "presets, no inlining"
	case w.After > 0:
		return "presets in the field"
	case w.Clock != "":
		return "presets, " + w.Clock
	}
	return "presets"
}
