package bias

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/bench/estimate"
)

// Costs are what idle checks cost library programs, in percent of the clean program's
// time, by engine and preset. Package bench/overhead measures them.
type Costs map[string]map[string]Estimate

// ReadCosts reads what overhead.json in a directory of results says; without the file
// there are no costs.
func ReadCosts(directory string) (Costs, error) {
	text, err := os.ReadFile(filepath.Join(directory, "overhead.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var report struct {
		Engines map[string]map[string]struct {
			Means map[string]map[string]struct {
				Others struct { // with the interval for other programs of the kind
					Main *estimate.Estimate `json:"main"`
					Wall *estimate.Estimate `json:"wall"` // in browsers, where processor time is not known
				} `json:"others"`
			} `json:"means"`
		} `json:"engines"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("overhead.json: %w", err)
	}
	costs := Costs{}
	for engine, presets := range report.Engines {
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
	return costs, nil
}
