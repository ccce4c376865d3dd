package causal

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// CSV implements figures.Rows: slopes of doses and choices by them, and reported gains of real
// optimizations, over all programs, of each, and of each function.
func (r *Report) CSV() []figures.Row {
	var rows []figures.Row
	add := func(of figures.Row, figure string, e *estimate.Estimate) {
		if e != nil {
			rows = append(rows, e.Row(of, figure))
		}
	}
	for _, engine := range slices.Sorted(maps.Keys(r.Engines)) {
		result := r.Engines[engine]
		for _, way := range slices.Sorted(maps.Keys(result.Ways)) {
			v, of := result.Ways[way], figures.Row{Engine: engine, Program: "(all)", Way: way}
			add(of, "slope", v.Slope)
			add(of, "regret, %", v.Regrets)
			add(of, "miss of a gain, %", v.Miss)
			add(of, "right, %", v.Rights)
			for _, rival := range slices.Sorted(maps.Keys(v.Against)) {
				of.Detail = "against " + rival
				add(of, "more often right, points", v.Against[rival].Right)
				add(of, "less regret, points", v.Against[rival].Regret)
			}
		}
		if c := result.Chance; c.Of > 0 {
			right, regret := estimate.Exactly(result.rightByChance()), estimate.Exactly(c.Regret)
			add(figures.Row{Engine: engine, Program: "(all)", Way: random}, "right, %", &right)
			add(figures.Row{Engine: engine, Program: "(all)", Way: random}, "regret, %", &regret)
		}
		for _, program := range slices.Sorted(maps.Keys(result.Programs)) {
			trial := result.Programs[program]
			add(figures.Row{Engine: engine, Program: program, Detail: "doses"}, "time taken to time given", &trial.Agreement)
			for _, way := range slices.Sorted(maps.Keys(trial.Ways)) {
				response := trial.Ways[way]
				add(figures.Row{Engine: engine, Program: program, Way: way, Detail: "doses", Measured: int(response.Samples)}, "slope", &response.Slope)
				for i, f := range trial.Functions {
					add(figures.Row{Engine: engine, Program: program, Way: way, Detail: fmt.Sprintf("doses of %s:%d", f.Name, f.Line), Measured: int(response.Samples)}, "slope", &response.Functions[i])
				}
			}
		}
		for _, program := range slices.Sorted(maps.Keys(result.Changes)) {
			change := result.Changes[program]
			add(figures.Row{Engine: engine, Program: program, Way: "measured", Detail: change.Function}, "gain, %", &change.Gain)
			for _, way := range slices.Sorted(maps.Keys(change.Ways)) {
				add(figures.Row{Engine: engine, Program: program, Way: way, Detail: change.Function}, "gain, %", &change.Ways[way].Gain)
				add(figures.Row{Engine: engine, Program: program, Way: way, Detail: change.Function}, "miss of a gain, %", &change.Ways[way].Miss)
			}
		}
	}
	return rows
}
