// Package bench measures what the profiler promises: how near its profiles are
// to the truth, what checks cost in time and in bytes, whether the clock keeps
// its time, and how fast code is transformed.
//
// Each measure is a function that returns a report; a report prints itself as
// a table and is written as JSON into bench/results, from where the docs quote
// it. Machines are shared and noisy, so whatever is compared runs interleaved
// in one process, and reports hold medians and ratios beside the spread of the
// single runs. Nothing here is a test: a slow machine makes a figure worse and
// breaks nothing.
package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
)

// Machine says where figures come from.
type Machine struct {
	When string `json:"when"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

// ThisMachine is where the process runs.
func ThisMachine() Machine {
	return Machine{When: time.Now().UTC().Format(time.DateOnly), CPUs: runtime.NumCPU(), Go: runtime.Version()}
}

// CheckPlace says that the programs to measure are not here: they are in the
// repository.
func CheckPlace() error {
	if _, err := fixtures.Find(); err != nil {
		return fmt.Errorf("the bench needs a checkout of fieldprof around it: %w", err)
	}
	return nil
}

// Report is what a measure gives.
type Report interface {
	// Name is the file in bench/results, without extension.
	Name() string
	// Table is the report for people, in Markdown.
	Table() string
}

// Write puts a report into a directory, as NAME.json and NAME.md.
func Write(directory string, r Report) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(directory, r.Name())
	if err := replace(path+".json", append(text, '\n')); err != nil {
		return err
	}
	return replace(path+".md", []byte(r.Table()))
}

// replace writes a file whole or not at all.
func replace(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if _, err := temp.Write(content); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Chmod(0o644); err != nil {
		temp.Close()
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
