// Command document writes docs/capacity.md and collect.md from bench/results/collect.json:
// go generate ./bench/collecting runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/bench/collecting"
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
	text, err := os.ReadFile(filepath.Join(results, "collect.json"))
	if err != nil {
		return err
	}
	var report collecting.Report
	if err := json.Unmarshal(text, &report); err != nil {
		return fmt.Errorf("collect.json: %w", err)
	}
	page, err := report.Page()
	if err != nil {
		return err
	}
	if err := figures.Write(results, "collect", &report); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(repository, "docs", "capacity.md"), page, 0o644)
}
