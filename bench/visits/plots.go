package visits

import (
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/plot"
)

// Plots implements figures.Drawn: what the builds change in all sites, by browser and network. They have
// the times; bytes and requests hardly scatter, and need no plot.
func (r *Report) Plots() map[string][]byte {
	files := map[string][]byte{}
	for browser, byNetwork := range r.Together {
		for network, t := range byNetwork {
			if svg := t.plot(browser, network); svg != nil {
				files["page-"+browser+"-"+network+".svg"] = svg
			}
		}
	}
	return files
}

func (t *Together) plot(browser, network string) []byte {
	p := plot.Rows{Title: "What checks change for a visitor, geometric mean of " + strings.Join(t.Sites, ", ") + ": " + browser + ", " + network + " network",
		Axis: "more than the clean build, %, with 95 % intervals", Series: []string{idle, recording, "floor: the clean build against itself"}}
	for _, m := range measured {
		if row := t.Measures[m.name]; row != nil && m.unit == "ms" {
			p.Rows = append(p.Rows, plot.Row{Name: m.what, Figures: []*estimate.Estimate{row[idle], row[recording], row[again]}})
		}
	}
	return p.SVG()
}
