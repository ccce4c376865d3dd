package bias

import (
	"errors"
	"io/fs"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Costs are what idle checks cost library programs, in percent of the clean program's
// time, by engine and preset. Package bench/overhead measures them.
type Costs map[string]map[string]Estimate

// costsNames are the results that have costs.
var costsNames = []string{"overhead", "overhead-browsers"}

// costsReport is what is read of them: the costs of idle checks, with the interval for other programs
// of the kind.
type costsReport struct {
	Engines map[string]map[string]struct {
		Means map[string]map[string]struct {
			Others struct {
				Main *estimate.Estimate `json:"main"`
				Wall *estimate.Estimate `json:"wall"` // in browsers, where processor time is not known
			} `json:"others"`
		} `json:"means"`
	} `json:"engines"`
}

// ReadCosts reads what overhead.json and overhead-browsers.json in a directory of results say;
// without the files there are no costs.
func ReadCosts(directory string) (Costs, error) {
	reports, err := figures.ReadAll[costsReport](directory, costsNames...)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	costs := Costs{}
	for _, name := range costsNames {
		if reports[name] == nil {
			continue
		}
		for engine, presets := range reports[name].Engines {
			costs[engine] = map[string]Estimate{}
			for preset, table := range presets {
				switch idle := table.Means["libraries"]["idle"].Others; {
				case idle.Main != nil:
					costs[engine][preset] = *idle.Main
				case idle.Wall != nil:
					costs[engine][preset] = *idle.Wall
				}
			}
		}
	}
	return costs, nil
}
