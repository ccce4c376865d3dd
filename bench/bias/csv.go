package bias

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// The programs of rows that sum up several.
const (
	meanReal    = "(mean of real programs)"
	meanClassic = "(mean of classic programs)"
)

// CSV implements figures.Rows: the means in every detail, single programs by the
// preset's promise, and exact programs.
func (r *Report) CSV() []figures.Row {
	var rows []figures.Row
	for _, engine := range r.names() {
		e := r.Engines[engine]
		for _, of := range []struct {
			program string
			means   map[string]*Mean
		}{{meanReal, e.Means}, {meanClassic, e.Classics}} {
			for _, way := range wayNames(of.means) {
				rows = append(rows, comparisons(figures.Row{Engine: engine, Program: of.program, Way: way}, of.means[way].Overlaps)...)
			}
		}
		for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
			for _, way := range wayNames(e.Programs[program]) {
				c := e.Programs[program][way]
				row := figures.Row{Engine: engine, Program: program, Way: way, Truth: c.TruthSamples, Measured: c.Samples}
				rows = append(rows, comparisons(row, c.Overlaps)...)
			}
		}
		for _, program := range slices.Sorted(maps.Keys(e.Exact)) {
			for _, way := range wayNames(e.Exact[program]) {
				c := e.Exact[program][way]
				rows = append(rows, row(figures.Row{Engine: engine, Program: program, Way: way, Detail: "exact", Measured: c.Samples}, "overlap, %", c.Overlap))
			}
		}
	}
	return rows
}

// comparisons are the rows of a cell, by detail.
func comparisons(of figures.Row, overlaps map[string]Comparison) []figures.Row {
	var rows []figures.Row
	for _, detail := range slices.Sorted(maps.Keys(overlaps)) {
		c := overlaps[detail]
		of.Detail = detail
		rows = append(rows, row(of, "overlap, %", c.Overlap), row(of, "floor, %", c.Floor), row(of, "bias, %", c.Bias))
	}
	return rows
}

func row(of figures.Row, figure string, e Estimate) figures.Row {
	of.Figure, of.Value, of.Low, of.High = figure, e.Value, e.Low, e.High
	return of
}
