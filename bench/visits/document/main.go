// Command document writes docs/visits.md and page.md from bench/results/page.json:
// go generate ./bench/visits runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/visits"
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
	text, err := os.ReadFile(filepath.Join(results, "page.json"))
	if err != nil {
		return err
	}
	var report visits.Report
	if err := json.Unmarshal(text, &report); err != nil {
		return fmt.Errorf("page.json: %w", err)
	}
	page, err := report.Page()
	if err != nil {
		return err
	}
	if err := figures.Write(results, "page", &report); err != nil {
		return err
	}
	if err := archive.Seal(results, archive.Manifest{Pattern: archive.Results}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(repository, "docs", "visits.md"), page, 0o644)
}
