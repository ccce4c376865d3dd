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
	if onlyBrowsers(slices.Collect(maps.Keys(r.Engines))) {
		return browsersName
	}
	return resultName
}

func onlyBrowsers(engines []string) bool {
	known := Engines()
	return len(engines) > 0 && !slices.ContainsFunc(engines, func(name string) bool {
		return !slices.ContainsFunc(known, func(e *Engine) bool { return e.Name == name && e.inBrowser() })
	})
}

// ReadRecorded reads the results of a directory, by name.
func ReadRecorded(results string) (map[string]*Report, error) {
	return figures.Read[Report](results, resultName, browsersName)
}

// shown is a report as the page shows it.
type shown struct{ *Report }

func (s shown) Minutes() string  { return fmt.Sprintf("%.0f", s.Took.Minutes()) }
func (s shown) Pictures() string { return plot.Pictures(s.Plots(), "../bench/results") }

// Document is docs/causal.md, made from the recorded reports.
func Document(reports map[string]*Report) ([]byte, error) {
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
