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

// ReadCosts reads what overhead.json and overhead-browsers.json in a directory of results say;
// without the files there are no costs.
func ReadCosts(directory string) (Costs, error) {
	costs := Costs{}
	for _, name := range []string{"overhead.json", "overhead-browsers.json"} {
		if err := costs.read(filepath.Join(directory, name)); err != nil {
			return nil, err
		}
	}
	return costs, nil
}

// read adds the costs of a file, if it is there.
func (c Costs) read(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
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
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	for engine, presets := range report.Engines {
		c[engine] = map[string]Estimate{}
		for preset, table := range presets {
			switch idle := table.Means["libraries"]["idle"].Others; {
			case idle.Main != nil:
				c[engine][preset] = *idle.Main
			case idle.Wall != nil:
				c[engine][preset] = *idle.Wall
			}
		}
	}
	return nil
}
