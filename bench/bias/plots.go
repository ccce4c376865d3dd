package bias

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/plot"
)

// Plots are the report's plots, by file name; a part of the plan has none. Those of
// overlap against overhead need the costs.
func (r *Report) Plots(costs Costs) map[string][]byte {
	files := map[string][]byte{}
	if r.Part != "" {
		return files
	}
	for _, name := range r.names() {
		e := r.Engines[name]
		if overlaps := e.overlapPlot(name); overlaps != nil {
			files["bias-overlap-"+name+".svg"] = overlaps
		}
		if front := e.front(name, costs[name]); front != nil {
			files["bias-front-"+name+".svg"] = front
		}
		if len(e.Skids) > 0 {
			files["bias-skid-"+name+".svg"] = e.skidPlot(name)
		}
	}
	return files
}

// plotted are the presets that were compared with the truth, in the order of tables.
func (e *EngineReport) plotted() []string {
	var names []string
	for _, preset := range presets {
		if m := e.Means[preset.String()]; m != nil && len(m.Overlaps) > 0 {
			names = append(names, preset.String())
		}
	}
	return names
}

// series of the plots of overlap: both details, which count different functions.
var series = []struct{ detail, name string }{{Promise, "by the preset's promise"}, {Strict, "every function by itself"}}

// overlapPlot draws each preset's overlap, with the noise floor of the same functions
// beneath it.
func (e *EngineReport) overlapPlot(name string) []byte {
	names := e.plotted()
	if len(names) == 0 {
		return nil
	}
	p := plot.New("Overlap with the reference and its noise floor, means over programs, "+name, 0, 100, 0, float64(len(names)))
	p.Columns(10)
	p.Names("overlap, %", "")
	for i, preset := range names {
		row := float64(len(names) - i)
		p.Text(p.X.Start-6, p.Y.At(row-0.5)+4, "end", preset)
		for s, of := range series {
			c, ok := e.Means[preset].Overlaps[of.detail]
			if !ok {
				continue
			}
			at := row - 0.3 - 0.4*float64(s)
			p.Mark(c.Overlap, estimate.Exactly(at), s, "")
			p.Mark(c.Floor, estimate.Exactly(at-0.15), floorSeries, "")
		}
	}
	for s, of := range series {
		p.Legend(len(series)-s, plot.Corner{Left: true, Bottom: true}, s, of.name)
	}
	p.Legend(0, plot.Corner{Left: true, Bottom: true}, floorSeries, "noise floor of the same")
	return p.End()
}

const floorSeries = 2

// front draws each preset's overlap against its cost. Above and to the left is better.
func (e *EngineReport) front(name string, costs map[string]Estimate) []byte {
	names := slices.DeleteFunc(e.plotted(), func(preset string) bool { _, ok := costs[preset]; return !ok })
	if len(names) == 0 {
		return nil
	}
	lowest, most, least := 0.0, 5.0, 90.0
	for _, preset := range names {
		cost := costs[preset]
		lowest, most = min(lowest, cost.Low), max(most, cost.High)
		for _, of := range series {
			least = min(least, e.Means[preset].Overlaps[of.detail].Overlap.Low)
		}
	}
	p := plot.New("Overlap with the reference against idle overhead of library programs, "+name,
		math.Floor(lowest), math.Ceil(most+(most-lowest)/8), math.Floor(least/10)*10, 100)
	p.Grid(plot.NiceStep(most-lowest), 10, "time against the clean program, %", "overlap, %")
	for s, of := range series {
		for _, preset := range names {
			c, ok := e.Means[preset].Overlaps[of.detail]
			if !ok {
				continue
			}
			p.Mark(costs[preset], c.Overlap, s, preset)
		}
		p.Legend(len(series)-1-s, plot.Corner{Bottom: true}, s, of.name)
	}
	return p.End()
}

// skidPlot draws each preset's distribution of the time from tick to check, in percent
// of the samples.
func (e *EngineReport) skidPlot(name string) []byte {
	p := plot.New("Skid: from tick to check, share of samples, "+name, 0, figures.SkidBars, 0, e.tallestBar())
	p.Rows(10)
	for bar := 0; bar < figures.SkidBars-1; bar += 2 {
		p.Text(p.X.At(float64(bar)+1), p.Y.Start+16, "middle", short(figures.BarEnd(bar)).String())
	}
	p.Names("up to", "% of samples")
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
		fmt.Fprintf(p, `<path class="l s%d" d="M%.1f %.1f`, at%plot.Colours, p.X.At(0), p.Y.At(0))
		for bar, n := range s.Bars {
			fmt.Fprintf(p, "V%.1fH%.1f", p.Y.At(100*float64(n)/float64(total)), p.X.At(float64(bar+1)))
		}
		p.WriteString("\"/>\n")
		p.Legend(at, plot.Corner{}, at%plot.Colours, way)
		at++
	}
	return p.End()
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
