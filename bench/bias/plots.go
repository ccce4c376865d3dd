package bias

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// colours of engines and ways, distinguishable by the colour-blind.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// Plots are the report's plots, by file name; a part of the plan has none.
func (r *Report) Plots() map[string][]byte {
	files := map[string][]byte{}
	if r.Part != "" {
		return files
	}
	for _, name := range r.names() {
		e := r.Engines[name]
		if len(e.Skids) > 0 {
			files["bias-skid-"+name+".svg"] = e.skidPlot(name)
		}
	}
	return files
}

// niceStep is 1, 2 or 5 times a power of ten, and divides a span into at most ten
// steps.
func niceStep(span float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(max(span, 1e-3)))-1)
	for _, times := range []float64{1, 2, 5, 10} {
		if span <= 10*times*power {
			return times * power
		}
	}
	return 20 * power
}

// skidPlot draws each preset's distribution of the time from tick to check, in percent
// of the samples.
func (e *EngineReport) skidPlot(name string) []byte {
	p := newPlot("Skid: from tick to check, "+name, 0, figures.SkidBars, 0, e.tallestBar())
	p.rows(10)
	for bar := 0; bar < figures.SkidBars-1; bar += 2 {
		p.text(p.x.at(float64(bar)+1), p.y.start+16, "middle", short(figures.BarEnd(bar)).String())
	}
	p.names("up to", "% of samples")
	at := 0
	for _, way := range wayNames(e.Skids) {
		s := e.Skids[way]
		total := 0
		for _, n := range s.Bars {
			total += n
		}
		if total == 0 || strings.Contains(way, " ") {
			continue
		}
		colour := colours[at%len(colours)]
		fmt.Fprintf(p, `<path class="l" stroke="%s" d="M%.1f %.1f`, colour, p.x.at(0), p.y.at(0))
		for bar, n := range s.Bars {
			fmt.Fprintf(p, "V%.1fH%.1f", p.y.at(100*float64(n)/float64(total)), p.x.at(float64(bar+1)))
		}
		p.WriteString("\"/>\n")
		p.legend(at, colour, way)
		at++
	}
	return p.end()
}

// tallestBar is the end of the y axis.
func (e *EngineReport) tallestBar() float64 {
	tallest := 10.0
	for _, s := range e.Skids {
		total := 0
		for _, n := range s.Bars {
			total += n
		}
		if total > 0 {
			tallest = max(tallest, 100*float64(slices.Max(s.Bars))/float64(total))
		}
	}
	return math.Ceil(tallest/10) * 10
}
