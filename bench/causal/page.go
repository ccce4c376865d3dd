package causal

import (
	"bytes"
	_ "embed"
	"fmt"
	"text/template"

	"github.com/fieldprof/fieldprof/bench/plot"
)

//go:generate go run ../document causal

//go:embed causal.md.tmpl
var pageText string

// Page is docs/causal.md.
func (r *Report) Page() ([]byte, error) {
	t, err := template.New("causal.md").Parse(pageText)
	if err != nil {
		return nil, err
	}
	var page bytes.Buffer
	err = t.Execute(&page, struct {
		*Report
		Minutes, Pictures string
	}{r, fmt.Sprintf("%.0f", r.Took.Minutes()), plot.Pictures(r.Plots(), "../bench/results")})
	return page.Bytes(), err
}
