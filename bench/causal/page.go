package causal

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/plot"
	"github.com/fieldprof/fieldprof/engine/browser"
)

//go:generate go run ../document causal

//go:embed causal.md.tmpl
var pageText string

var pageTemplate = template.Must(template.New("causal.md").Parse(pageText))

// resultName is the result without which there is no page.
const resultName = "causal"

// browserNames are those of browsers, which are recorded apart, each alone, because their runs
// take so long: the page shows those there are.
var browserNames = []string{resultName + "-firefox", resultName + "-chromium"}

// Name implements figures.Named.
func (r *Report) Name() string { return nameFor(slices.Collect(maps.Keys(r.Engines))) }

// nameFor is the name of the result of these engines; of the default ones if there are none.
func nameFor(engines []string) string {
	if browser.Only(engines) {
		return resultName + "-" + strings.Join(slices.Sorted(slices.Values(engines)), "-")
	}
	return resultName
}

// ReadRecorded reads the results of a directory, by name.
func ReadRecorded(results string) (map[string]*Report, error) {
	return figures.ReadAll[Report](results, append([]string{resultName}, browserNames...)...)
}

// shown is a report as the page shows it.
type shown struct{ *Report }

func (s shown) Browser() string { return slices.Sorted(maps.Keys(s.Engines))[0] }

func (s shown) Minutes() string  { return fmt.Sprintf("%.0f", s.Took.Minutes()) }
func (s shown) Pictures() string { return plot.Pictures(s.Plots(), "../bench/results") }

// Document is docs/causal.md, made from the recorded reports.
func Document(reports map[string]*Report) ([]byte, error) {
	if reports[resultName] == nil {
		return nil, fmt.Errorf("there is no %s.json", resultName)
	}
	page := struct {
		shown
		Browsers []shown
	}{shown: shown{reports[resultName]}}
	for _, name := range browserNames {
		if r := reports[name]; r != nil {
			page.Browsers = append(page.Browsers, shown{r})
		}
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, page)
	return b.Bytes(), err
}
