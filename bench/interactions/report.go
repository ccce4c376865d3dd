package interactions

import (
	"fmt"
	"math"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/test/interactions/site"
)

// Report is what observe() finds and costs.
type Report struct {
	figures.Origin
	Ways     []Way      `json:"ways"`
	Tasks    *Tasks     `json:"tasks,omitempty"`
	Overhead []Overhead `json:"overhead,omitempty"`
}

// Way is a browser, with its own entries or with ticks alone.
type Way struct {
	Browser string             `json:"browser"`
	Ticks   bool               `json:"ticks,omitempty"` // without PerformanceObserver
	Clicks  int                `json:"clicks"`          // on each button
	Causes  map[string]float64 `json:"causes"`          // by the button: percent of the clicks whose slice names the cause
	Least   float64            `json:"least"`
	Given   map[string]string  `json:"given,omitempty"` // an explanation that does not name it
	Size    Size               `json:"size"`
}

// Size is the size of slices by gzip, in KB.
type Size struct {
	Slices int     `json:"slices"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
}

// Tasks are the long tasks that ticks found, against the browser's, in milliseconds.
type Tasks struct {
	Count  int     `json:"count"`
	Within float64 `json:"within"` // percent that begin and end within 16 ms of it
	Begins Delay   `json:"begins"`
	Ends   Delay   `json:"ends"`
}

// Delay is how much later ticks see something.
type Delay struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"` // of its size
}

// Overhead is the page's thread under one load. Shares are in percent.
type Overhead struct {
	Load      string         `json:"load"`
	Busy      float64        `json:"busy"`      // of the time that passed
	Added     figures.Spread `json:"added"`     // of the time that passed
	Noise     figures.Spread `json:"noise"`     // recording alone against itself
	AddedPart figures.Spread `json:"addedPart"` // of the thread's time
	NoisePart figures.Spread `json:"noisePart"`
}

func (f *found) row(w way, of int) Way {
	row := Way{Browser: w.browser, Ticks: w.ticks, Clicks: of, Causes: map[string]float64{}, Least: 100, Given: f.given, Size: sizeOf(f.sizes)}
	for _, c := range site.Causes {
		share := 100 * float64(f.named[c.ID]) / float64(of)
		row.Causes[c.ID] = share
		row.Least = min(row.Least, share)
	}
	return row
}

func sizeOf(bytes []float64) Size {
	kilo := func(part float64) float64 { return figures.Quantile(bytes, part) / 1000 }
	return Size{len(bytes), kilo(0.5), kilo(0.95), kilo(1)}
}

// near is how far apart tasks that agree may be, in milliseconds.
const near = 16

func tasksOf(f *found) *Tasks {
	var begins, ends, farBegins, farEnds []float64
	within := 0
	for _, t := range f.tasks {
		begins, farBegins = append(begins, t.begins), append(farBegins, math.Abs(t.begins))
		ends, farEnds = append(ends, t.ends), append(farEnds, math.Abs(t.ends))
		if math.Abs(t.begins) <= near && math.Abs(t.ends) <= near {
			within++
		}
	}
	return &Tasks{
		Count: len(f.tasks), Within: 100 * float64(within) / float64(max(1, len(f.tasks))),
		Begins: Delay{figures.Median(begins), figures.Quantile(farBegins, 0.95)}, Ends: Delay{figures.Median(ends), figures.Quantile(farEnds, 0.95)},
	}
}

func overheadOf(l load, rounds []round) Overhead {
	var busy, added, noise, addedPart, noisePart []float64
	for _, r := range rounds {
		busy = append(busy, 100*r.plain.Tasks/r.plain.Clock)
		added = append(added, 100*(r.observed.Tasks-r.plain.Tasks)/r.plain.Clock)
		noise = append(noise, 100*(r.again.Tasks-r.plain.Tasks)/r.plain.Clock)
		addedPart = append(addedPart, 100*(r.observed.Tasks/r.plain.Tasks-1))
		noisePart = append(noisePart, 100*(r.again.Tasks/r.plain.Tasks-1))
	}
	return Overhead{l.name, figures.Median(busy), figures.SpreadOf(added), figures.SpreadOf(noise), figures.SpreadOf(addedPart), figures.SpreadOf(noisePart)}
}

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Percent of the clicks on each button of a page that is not isolated, with the default preset, whose first slice names the cause. *Ticks alone*: the browser's own entries are kept from observe().\n\n", r.InShort())
	b.WriteString("| cause |")
	for _, w := range r.Ways {
		fmt.Fprintf(&b, " %s%s |", w.Browser, map[bool]string{true: ", ticks alone"}[w.Ticks])
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(r.Ways)) + "\n")
	for _, c := range site.Causes {
		fmt.Fprintf(&b, "| %s |", c.What)
		for _, w := range r.Ways {
			fmt.Fprintf(&b, " %.0f %% |", w.Causes[c.ID])
		}
		b.WriteString("\n")
	}
	b.WriteString("| KB of a slice by gzip: median, largest |")
	for _, w := range r.Ways {
		fmt.Fprintf(&b, " %.2f, %.2f |", w.Size.Median, w.Size.Max)
	}
	b.WriteString("\n| clicks on each |")
	for _, w := range r.Ways {
		fmt.Fprintf(&b, " %d |", w.Clicks)
	}
	b.WriteString("\n")
	if t := r.Tasks; t != nil {
		fmt.Fprintf(&b, "\nLong tasks that ticks found, against Chromium's: %.0f %% of %d begin and end within %d ms of it; they begin %+.1f ms later (95 %% within %.1f ms) and end %+.1f ms later (%.1f ms).\n",
			t.Within, t.Count, near, t.Begins.Median, t.Begins.P95, t.Ends.Median, t.Ends.P95)
	}
	if len(r.Overhead) == 0 {
		return b.String()
	}
	b.WriteString("\nTime of the page's thread in Chromium that observe() adds to a plain profile, in percent of the time that passed and of the thread's own: the median of the rounds and the quarters around it. The noise is the plain profile against itself.\n\n")
	b.WriteString("| work | thread busy | added | noise | of its work | noise |\n|---|---|---|---|---|---|\n")
	for _, o := range r.Overhead {
		fmt.Fprintf(&b, "| %s | %.0f %% | **%v** | %v | %v | %v |\n", o.Load, o.Busy, o.Added, o.Noise, o.AddedPart, o.NoisePart)
	}
	return b.String()
}
