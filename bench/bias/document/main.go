// Command document writes docs/accuracy.md, bias.md, bias.csv and the plots from
// bench/results/bias.json, and seals the results: go generate ./bench/bias runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/bias"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

func main() {
	if err := run(filepath.Dir(fixtures.Dir())); err != nil {
		fmt.Fprintln(os.Stderr, "document:", err)
		os.Exit(1)
	}
}

func run(repository string) error {
	results := filepath.Join(repository, "bench", "results")
	text, err := os.ReadFile(filepath.Join(results, "bias.json"))
	if err != nil {
		return err
	}
	var report bias.Report
	if err := json.Unmarshal(text, &report); err != nil {
		return fmt.Errorf("bias.json: %w", err)
	}
	costs, err := bias.ReadCosts(results)
	if err != nil {
		return err
	}
	page, err := report.Accuracy(costs)
	if err != nil {
		return err
	}
	if err := figures.Write(results, "bias", &report); err != nil {
		return err
	}
	if err := report.WritePlots(results); err != nil {
		return err
	}
	if err := archive.Seal(results, archive.Manifest{Pattern: archive.Results}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(repository, "docs", "accuracy.md"), page, 0o644)
}
