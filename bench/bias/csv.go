package bias

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
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
				m := of.means[way]
				mean := figures.Row{Engine: engine, Program: of.program, Way: way}
				rows = append(rows, comparisons(mean, m.Overlaps)...)
				mean.Detail = Promise
				if m.Resolution != nil {
					rows = append(rows, figureRow(mean, "resolution, %", estimate.Exactly(*m.Resolution)))
				}
				if m.Functions != nil {
					rows = append(rows, figureRow(mean, "e^H, functions", estimate.Exactly(*m.Functions)))
				}
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
				rows = append(rows, figureRow(figures.Row{Engine: engine, Program: program, Way: way, Detail: "exact", Measured: c.Samples}, "overlap, %", c.Overlap))
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
		rows = append(rows, figureRow(of, "overlap, %", c.Overlap), figureRow(of, "floor, %", c.Floor), figureRow(of, "bias, %", c.Bias.Estimate))
	}
	return rows
}

func figureRow(of figures.Row, figure string, e Estimate) figures.Row {
	of.Figure, of.Value, of.Low, of.High = figure, e.Value, e.Low, e.High
	return of
}
