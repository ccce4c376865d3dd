package causal

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"text/template"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/plot"
	"github.com/fieldprof/fieldprof/engine/browser"
)

//go:generate go run ../document causal

//go:embed causal.md.tmpl
var pageText string

var pageTemplate = template.Must(template.New("causal.md").Parse(pageText))

// The names of results. Without the first there is no page; it does without the other, which
// has only browsers: their runs take so long that they are recorded apart.
const (
	resultName   = "causal"
	browsersName = "causal-browsers"
)

// Name implements figures.Named.
func (r *Report) Name() string {
	if browser.Only(slices.Collect(maps.Keys(r.Engines))) {
		return browsersName
	}
	return resultName
}

// ReadRecorded reads the results of a directory, by name.
func ReadRecorded(results string) (map[string]*Report, error) {
	return figures.ReadAll[Report](results, resultName, browsersName)
}

// shown is a report as the page shows it.
type shown struct{ *Report }

func (s shown) Minutes() string  { return fmt.Sprintf("%.0f", s.Took.Minutes()) }
func (s shown) Pictures() string { return plot.Pictures(s.Plots(), "../bench/results") }

// Document is docs/causal.md, made from the recorded reports.
func Document(reports map[string]*Report) ([]byte, error) {
	if reports[resultName] == nil {
		return nil, fmt.Errorf("there is no %s.json", resultName)
	}
	page := struct {
		shown
		Browsers *shown
	}{shown: shown{reports[resultName]}}
	if r := reports[browsersName]; r != nil {
		page.Browsers = &shown{r}
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, page)
	return b.Bytes(), err
}
