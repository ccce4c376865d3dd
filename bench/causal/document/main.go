// Command document writes docs/causal.md and causal.md from bench/results/causal.json:
// go generate ./bench/causal runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/causal"
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
	text, err := os.ReadFile(filepath.Join(results, "causal.json"))
	if err != nil {
		return err
	}
	var report causal.Report
	if err := json.Unmarshal(text, &report); err != nil {
		return fmt.Errorf("causal.json: %w", err)
	}
	page, err := report.Page()
	if err != nil {
		return err
	}
	if err := figures.Write(results, "causal", &report); err != nil {
		return err
	}
	if err := archive.Seal(results, archive.Manifest{Pattern: archive.Results}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(repository, "docs", "causal.md"), page, 0o644)
}
