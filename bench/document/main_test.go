package main

import (
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// Each page, and the tables of the results that it is about, are what the results say, to the letter.
func TestPagesAreOfTheResults(t *testing.T) {
	repository := filepath.Dir(fixtures.Dir())
	results := filepath.Join(repository, "bench", "results")
	for measure, document := range documents {
		made := must.Get(document.make(results))(t)
		files := map[string][]byte{filepath.Join(repository, "docs", document.page): made.page}
		for name, report := range made.reports {
			files[filepath.Join(results, name+".md")] = []byte(report.Table())
			if named, ok := report.(figures.Named); ok && named.Name() != name {
				t.Errorf("%s.json is %s", name, named.Name())
			}
		}
		must.Hold(t, files, "go run ./bench/document "+measure)
	}
}
