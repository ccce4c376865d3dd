// Package forks compares the adapters for goja and for sobek, its fork: both run the
// programs whose shares are known, and both profiles are compared with what is known.
package forks

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Report has the overlap of both engines' profiles with what is known.
type Report struct {
	figures.Origin
	Rows    []Row             `json:"rows"`
	Skipped map[string]string `json:"skipped"` // the reason, by program
	Means   map[string]Pair   `json:"means"`   // by preset
}

// Row is a program with a preset.
type Row struct {
	Program string `json:"program"`
	Preset  string `json:"preset"`
	Pair
	Runs []Pair `json:"runs"`
}

// Pair is a figure in percent, in goja and in sobek.
type Pair struct {
	Goja  float64 `json:"goja"`
	Sobek float64 `json:"sobek"`
}

// Compare runs every exact program by turns in both engines.
func Compare(ctx context.Context, runs int, only string, progress figures.Progress) (*Report, error) {
	report := &Report{Origin: figures.Runs("forks", runs), Skipped: map[string]string{}, Means: map[string]Pair{}}
	for _, program := range fixtures.Exact() {
		if !strings.Contains(program.Name, only) {
			continue
		}
		source, err := os.ReadFile(program.Path)
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(source), "setTimeout") {
			report.Skipped[program.Name] = "needs timers, which neither adapter brings"
			continue
		}
		for _, preset := range []transform.Preset{transform.Balanced, transform.Precise} {
			row := Row{Program: program.Name, Preset: preset.String()}
			for run := range runs {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				progress.Show("forks: %s, %s, run %d of %d", program.Name, preset, run+1, runs)
				var pair Pair
				for _, in := range [...]struct {
					machine func() *machine
					overlap *float64
				}{{inGoja, &pair.Goja}, {inSobek, &pair.Sobek}} {
					p, err := in.machine().profile(string(source), program, preset)
					if err != nil {
						return nil, fmt.Errorf("%s: %w", program.Name, err)
					}
					*in.overlap = program.Overlap(truth.SelfTimes(program, p))
				}
				row.Runs = append(row.Runs, pair)
			}
			row.Pair = medians(row.Runs)
			report.Rows = append(report.Rows, row)
		}
	}
	report.sumUp()
	return report, nil
}

func medians(runs []Pair) Pair {
	var inGoja, inSobek []float64
	for _, r := range runs {
		inGoja, inSobek = append(inGoja, r.Goja), append(inSobek, r.Sobek)
	}
	return Pair{figures.Median(inGoja), figures.Median(inSobek)}
}

func (r *Report) sumUp() {
	of := map[string][]Pair{}
	for _, row := range r.Rows {
		of[row.Preset] = append(of[row.Preset], row.Pair)
	}
	for preset, rows := range of {
		var mean Pair
		for _, pair := range rows {
			mean.Goja += pair.Goja / float64(len(rows))
			mean.Sobek += pair.Sobek / float64(len(rows))
		}
		r.Means[preset] = mean
	}
}

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Overlap with the known shares of the exact programs, in percent, medians. Runs alternate\nbetween the engines.\n%s.\n\n", r.WithGo())
	b.WriteString("| program | preset | goja | sobek |\n|---|---|---:|---:|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %s | %.1f | %.1f |\n", figures.Cell(row.Program), row.Preset, row.Goja, row.Sobek)
	}
	for _, preset := range []string{"balanced", "precise"} {
		if mean, ok := r.Means[preset]; ok {
			fmt.Fprintf(&b, "| **mean** | %s | %.1f | %.1f |\n", preset, mean.Goja, mean.Sobek)
		}
	}
	for _, program := range fixtures.Exact() {
		if why := r.Skipped[program.Name]; why != "" {
			fmt.Fprintf(&b, "\nSkipped: %s (%s).", program.Name, why)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
