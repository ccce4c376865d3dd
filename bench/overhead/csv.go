package overhead

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// CSV implements figures.Rows: costs of groups and of single programs, by preset, phase and
// meter; of what measured the instrument, its figures.
func (r *Report) CSV() []figures.Row {
	var rows []figures.Row
	for _, e := range engines {
		byPreset := r.Engines[e.name]
		for _, preset := range slices.SortedFunc(maps.Keys(byPreset), byCost) {
			t := byPreset[preset]
			for _, group := range slices.Sorted(maps.Keys(t.Means)) {
				for _, column := range slices.Sorted(maps.Keys(t.Means[group])) {
					m := t.Means[group][column]
					rows = append(rows, m.These.rows(figures.Row{Engine: e.name, Program: "(mean of just these " + group + ")", Way: preset, Detail: column})...)
					rows = append(rows, m.Others.rows(figures.Row{Engine: e.name, Program: "(mean of such " + group + ")", Way: preset, Detail: column})...)
				}
			}
			for _, program := range slices.Sorted(maps.Keys(t.Programs)) {
				p := t.Programs[program]
				for _, column := range slices.Sorted(maps.Keys(p.Columns)) {
					rows = append(rows, p.Columns[column].rows(figures.Row{Engine: e.name, Program: program, Way: preset, Detail: column})...)
				}
			}
		}
	}
	if r.Trial != nil {
		rows = append(rows, r.Trial.rows()...)
	}
	if r.Proof != nil {
		rows = append(rows, r.Proof.rows()...)
	}
	return rows
}

// rows are the differences between equal builds, and how many experiments find a slowdown.
func (t *Trial) rows() []figures.Row {
	var rows []figures.Row
	for _, engine := range slices.Sorted(maps.Keys(t.Engines)) {
		e, of := t.Engines[engine], figures.Row{Engine: engine, Program: "(mean of such libraries)"}
		for _, c := range []struct {
			way       string
			cost      *estimate.Estimate
			found     float64
			processes map[string][]float64
		}{
			{"the same", e.Same, e.FoundSame, e.Values},
			{fmt.Sprintf("planted work of %.3g %%", t.Planted), e.More, e.Found, e.Planted},
			{"the same, swapped", nil, e.FoundNone, e.Values},
		} {
			of.Way, of.Measured = c.way, 0
			for _, values := range c.processes {
				of.Measured += len(values)
			}
			if c.cost != nil {
				rows = append(rows, c.cost.Row(of, "cost by main, %"))
			}
			rows = append(rows, estimate.Exactly(c.found).Row(of, "experiments that find a slowdown, %"))
		}
	}
	return rows
}

// rows are the costs of the checks by either design, and the difference.
func (p *Proof) rows() []figures.Row {
	var rows []figures.Row
	for _, program := range slices.Sorted(maps.Keys(p.Programs)) {
		of := p.Programs[program]
		for _, c := range []struct {
			way       string
			cost      *estimate.Estimate
			processes int
		}{
			{"one process", of.Shared, len(of.Together)}, {"a process each", of.Separate, len(of.Clean) + len(of.Checked)},
			{"one process − a process each", of.Difference, len(of.Together) + len(of.Clean) + len(of.Checked)},
		} {
			if c.cost != nil {
				rows = append(rows, c.cost.Row(figures.Row{Engine: "node", Program: program, Way: c.way, Detail: "idle", Measured: c.processes}, "cost by main, %"))
			}
		}
	}
	return rows
}

// rows are the rows of the meters that were read.
func (c *Costs) rows(of figures.Row) []figures.Row {
	var rows []figures.Row
	for meter, name := range meters {
		if e := *c.of(meter); e != nil {
			rows = append(rows, e.Row(of, "cost by "+name+", %"))
		}
	}
	return rows
}
