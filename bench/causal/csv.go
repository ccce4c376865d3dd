package causal

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// CSV implements figures.Rows: slopes and regrets of doses, and reported gains of real
// optimizations, over all programs and of each.
func (r *Report) CSV() []figures.Row {
	var rows []figures.Row
	add := func(of figures.Row, figure string, e *estimate.Estimate) {
		if e != nil {
			of.Figure, of.Value, of.Low, of.High = figure, e.Value, e.Low, e.High
			rows = append(rows, of)
		}
	}
	for _, engine := range slices.Sorted(maps.Keys(r.Engines)) {
		result := r.Engines[engine]
		for _, way := range slices.Sorted(maps.Keys(result.Ways)) {
			v, of := result.Ways[way], figures.Row{Engine: engine, Program: "(all)", Way: way}
			add(of, "slope", v.Slope)
			add(of, "regret, %", v.Regrets)
			add(of, "miss of a gain, %", v.Miss)
		}
		for _, program := range slices.Sorted(maps.Keys(result.Programs)) {
			trial := result.Programs[program]
			add(figures.Row{Engine: engine, Program: program, Detail: "doses"}, "time taken to time given", &trial.Agreement)
			for _, way := range slices.Sorted(maps.Keys(trial.Ways)) {
				response := trial.Ways[way]
				add(figures.Row{Engine: engine, Program: program, Way: way, Detail: "doses", Measured: int(response.Samples)}, "slope", &response.Slope)
			}
		}
		for _, program := range slices.Sorted(maps.Keys(result.Changes)) {
			change := result.Changes[program]
			add(figures.Row{Engine: engine, Program: program, Way: "measured", Detail: change.Function}, "gain, %", &change.Gain)
			for _, way := range slices.Sorted(maps.Keys(change.Ways)) {
				add(figures.Row{Engine: engine, Program: program, Way: way, Detail: change.Function}, "gain, %", &change.Ways[way].Gain)
			}
		}
	}
	return rows
}
