// Command document writes the page in docs that is made from the results of a measure, and
// their tables in bench/results, from what was recorded there, and seals the results:
//
//	go run ./bench/document bias
//
// go generate in the package of each measure runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/bias"
	"github.com/fieldprof/fieldprof/bench/causal"
	"github.com/fieldprof/fieldprof/bench/collecting"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/overhead"
	"github.com/fieldprof/fieldprof/bench/targets"
	"github.com/fieldprof/fieldprof/bench/visits"
	"github.com/fieldprof/fieldprof/fixtures"
)

// recorded are the reports of a measure, by the name of their files, and the page made of them.
type recorded struct {
	reports map[string]figures.Report
	page    []byte
	plots   func(results string) error // writes plots that need more than one report; nil: there are none
}

// documents are the pages in docs, by measure, and how they are made from a directory of results.
var documents = map[string]struct {
	page string
	make func(results string) (*recorded, error)
}{
	"bias":     {"accuracy.md", accuracy},
	"causal":   {"causal.md", several(causal.ReadRecorded, causal.Document)},
	"collect":  {"capacity.md", paged[collecting.Report]("collect")},
	"overhead": {"overhead.md", several(overhead.ReadRecorded, overhead.Document)},
	"page":     {"visits.md", paged[visits.Report]("page")},
	"targets":  {"targets.md", goals},
}

func main() {
	if err := run(filepath.Dir(fixtures.Dir()), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "document:", err)
		os.Exit(1)
	}
}

func run(repository string, arguments []string) error {
	if len(arguments) != 1 || documents[arguments[0]].make == nil {
		return fmt.Errorf("name a measure that has a page: bias, causal, collect, overhead, page or targets")
	}
	document := documents[arguments[0]]
	results := filepath.Join(repository, "bench", "results")
	made, err := document.make(results)
	if err != nil {
		return err
	}
	if err := archive.Record(results, made.reports); err != nil {
		return err
	}
	if made.plots != nil {
		if err := made.plots(results); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(repository, "docs", document.page), made.page, 0o644)
}

// paged makes a page from the one report that it is about.
func paged[R any, P interface {
	*R
	figures.Report
	Page() ([]byte, error)
}](name string) func(results string) (*recorded, error) {
	return func(results string) (*recorded, error) {
		read, err := figures.Read[R](results, name)
		if err != nil {
			return nil, err
		}
		report := P(read)
		page, err := report.Page()
		return &recorded{reports: map[string]figures.Report{name: report}, page: page}, err
	}
}

// goals are about reports of many measures, and change none.
func goals(results string) (*recorded, error) {
	page, err := targets.Page(results)
	return &recorded{page: page}, err
}

// accuracy has plots, which show costs where these were recorded.
func accuracy(results string) (*recorded, error) {
	report, err := figures.Read[bias.Report](results, "bias")
	if err != nil {
		return nil, err
	}
	costs, err := bias.ReadCosts(results)
	if err != nil {
		return nil, err
	}
	page, err := report.Accuracy(costs)
	if err != nil {
		return nil, err
	}
	return &recorded{map[string]figures.Report{"bias": report}, page, report.WritePlots}, nil
}

// several makes a page from the reports that a measure writes by names of their own.
func several[P figures.Report](read func(string) (map[string]P, error), document func(map[string]P) ([]byte, error)) func(results string) (*recorded, error) {
	return func(results string) (*recorded, error) {
		reports, err := read(results)
		if err != nil {
			return nil, err
		}
		page, err := document(reports)
		made := &recorded{reports: map[string]figures.Report{}, page: page}
		for name, report := range reports {
			made.reports[name] = report
		}
		return made, err
	}
}
