package causal

import (
	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/plot"
)

// Plots implements figures.Drawn: of each engine the slopes of its ways, and how often their choices
// are right. Too few programs have none.
func (r *Report) Plots() map[string][]byte {
	files := map[string][]byte{}
	for _, name := range r.names() {
		for file, svg := range map[string][]byte{slopesFile(name): r.Engines[name].slopesPlot(name), rightFile(name): r.Engines[name].rightPlot(name)} {
			if svg != nil {
				files[file] = svg
			}
		}
	}
	return files
}

func slopesFile(engine string) string { return "causal-slope-" + engine + ".svg" }
func rightFile(engine string) string  { return "causal-right-" + engine + ".svg" }

// slopesPlot draws the means, and below each the middle half of the functions, whose mark is in its
// middle.
func (e *Result) slopesPlot(engine string) []byte {
	p := plot.Rows{Title: "How much of a known slowdown profiles show, " + engine, Axis: "growth in the profile ÷ dose: 1 is all of it", None: 1,
		Series: []string{"mean of programs, 95 % interval", "the middle half of single functions"}}
	for _, way := range wayNames(e.Ways) {
		if v := e.Ways[way]; v.Slope != nil {
			middle := estimate.Estimate{Value: (v.Middle[0] + v.Middle[1]) / 2, Low: v.Middle[0], High: v.Middle[1]}
			p.Rows = append(p.Rows, plot.Row{Name: way, Figures: []*estimate.Estimate{v.Slope, &middle}})
		}
	}
	return p.SVG()
}

// rightPlot has its heavy line where a random choice is.
func (e *Result) rightPlot(engine string) []byte {
	p := plot.Rows{Title: "Asked which function became slower most: right choices, " + engine, Axis: "% of conditions; the heavy line is a random choice",
		None: e.rightByChance(), Series: []string{"mean of programs, 95 % interval"}}
	for _, way := range wayNames(e.Ways) {
		if v := e.Ways[way]; v.Rights != nil {
			p.Rows = append(p.Rows, plot.Row{Name: way, Figures: []*estimate.Estimate{v.Rights}})
		}
	}
	return p.SVG()
}
