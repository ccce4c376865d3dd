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
	meanCommon  = "(mean of the programs of all presets)"
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
				m, at := of.means[way], figures.Row{Engine: engine, Program: of.program, Way: way}
				rows = append(rows, comparisons(at, m.Overlaps)...)
				if m.Resolution != nil && m.Functions != nil {
					rows = append(rows, resolved(at, *m.Resolution, *m.Functions)...)
				}
			}
		}
		if e.Common != nil {
			for _, way := range wayNames(e.Common.Ways) {
				at := figures.Row{Engine: engine, Program: meanCommon, Way: way}
				rows = append(rows, comparisons(at, map[string]Comparison{Promise: e.Common.Ways[way]})...)
			}
		}
		for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
			for _, way := range wayNames(e.Programs[program]) {
				c := e.Programs[program][way]
				row := figures.Row{Engine: engine, Program: program, Way: way, Truth: c.TruthSamples, Measured: c.Samples}
				rows = append(rows, comparisons(row, c.Overlaps)...)
				if len(c.Overlaps) > 0 {
					rows = append(rows, resolved(row, c.Resolution, c.Functions)...)
				}
			}
		}
		for _, program := range slices.Sorted(maps.Keys(e.Exact)) {
			for _, way := range wayNames(e.Exact[program]) {
				c := e.Exact[program][way]
				rows = append(rows, c.Overlap.Row(figures.Row{Engine: engine, Program: program, Way: way, Detail: "exact", Measured: c.Samples}, "overlap, %"))
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
		rows = append(rows, c.Overlap.Row(of, "overlap, %"), c.Floor.Row(of, "floor, %"), c.Bias.Estimate.Row(of, "bias, %"))
	}
	return rows
}

// resolved are the rows that a promise is to be read with.
func resolved(of figures.Row, resolution, functions float64) []figures.Row {
	of.Detail = Promise
	return []figures.Row{estimate.Exactly(resolution).Row(of, "resolution, %"), estimate.Exactly(functions).Row(of, "effective functions")}
}
