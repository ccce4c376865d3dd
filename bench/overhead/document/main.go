// Command document writes docs/overhead.md, and the tables in bench/results, from what
// was recorded there: go generate ./bench/overhead runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/overhead"
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
	reports, err := overhead.ReadRecorded(results)
	if err != nil {
		return err
	}
	page, err := overhead.Document(reports)
	if err != nil {
		return err
	}
	for name, report := range reports {
		if err := figures.Write(results, name, report); err != nil {
			return err
		}
	}
	if err := archive.Seal(results, archive.Manifest{Pattern: archive.Results}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(repository, "docs", "overhead.md"), page, 0o644)
}
