package overhead

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// CSV implements figures.Rows: costs of groups and of single programs, by preset, phase and
// meter.
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
	return rows
}

// rows are the rows of the meters that were read.
func (c *Costs) rows(of figures.Row) []figures.Row {
	var rows []figures.Row
	for meter, name := range meters {
		if e := *c.of(meter); e != nil {
			of.Figure, of.Value, of.Low, of.High = "cost by "+name+", %", e.Value, e.Low, e.High
			rows = append(rows, of)
		}
	}
	return rows
}
