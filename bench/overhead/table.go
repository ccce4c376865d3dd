package overhead

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
)

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, seed %d, %v.\n", r.InShort(), r.Seed, r.Took.Round(time.Second))
	if r.Quick {
		b.WriteString("A quick run: few programs, and few invocations of each.\n")
	}
	if r.Within > 0 {
		r.trainedTable(&b, "##")
		r.writeMissing(&b)
		return b.String()
	}
	for _, e := range engines {
		byPreset := r.Engines[e.name]
		for _, preset := range slices.SortedFunc(maps.Keys(byPreset), byCost) {
			if len(byPreset[preset].Programs) > 0 {
				byPreset[preset].write(&b, e.name, preset)
			}
		}
	}
	if r.Trial != nil {
		r.Trial.write(&b)
	}
	if r.Proof != nil {
		r.Proof.write(&b)
	}
	r.writeMissing(&b)
	return b.String()
}

// byCost orders presets as docs do, the cheapest first.
func byCost(a, b string) int {
	order := []string{"classic", "balanced", "fine", "precise"}
	return slices.Index(order, a) - slices.Index(order, b)
}

// titles of meters, by engine.
func titleOf(engine string, meter int) string {
	switch {
	case meter == wallMeter:
		return "time by the wall clock"
	case meter == processMeter:
		return "processor time of the process"
	case meter == instructionMeter:
		return "instructions in user mode"
	}
	return "processor time of the main thread"
}

// write writes a table for each meter that tells something: pages have the wall clock,
// others the rest.
func (t *Table) write(b *strings.Builder, engine, preset string) {
	shown := []int{mainMeter, processMeter, instructionMeter}
	if browser.Is(engine) {
		shown = []int{wallMeter}
	}
	for _, meter := range shown {
		t.writeMeter(b, engine, preset, meter)
	}
}

func (t *Table) writeMeter(b *strings.Builder, engine, preset string, meter int) {
	var keys, titles []string
	for _, c := range columns {
		if t.has(c.key, meter) {
			keys, titles = append(keys, c.key), append(titles, c.title)
		}
	}
	if len(keys) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s, %s: %s\n\nMore than the clean build, in percent, with 95 %% intervals; of means for just these programs, and for others of the kind.\n\n| program | %s |\n|---|%s\n",
		engine, preset, titleOf(engine, meter), strings.Join(titles, " | "), strings.Repeat("---|", len(keys)))
	for _, group := range []string{fixtures.Libraries, fixtures.TinyCalls} {
		for _, name := range slices.Sorted(maps.Keys(t.Programs)) {
			p := t.Programs[name]
			if p.Group != group {
				continue
			}
			fmt.Fprintf(b, "| %s |", figures.Cell(name))
			for _, key := range keys {
				text := "–"
				if c := p.Columns[key]; c != nil {
					text = interval(*c.of(meter))
				}
				fmt.Fprintf(b, " %s |", text)
			}
			b.WriteString("\n")
		}
		if means := t.Means[group]; means != nil {
			fmt.Fprintf(b, "| **%s** |", group)
			for _, key := range keys {
				fmt.Fprintf(b, " %s |", means[key].text(meter))
			}
			b.WriteString("\n")
		}
	}
}

// has reports whether any program has a figure.
func (t *Table) has(key string, meter int) bool {
	for _, p := range t.Programs {
		if c := p.Columns[key]; c != nil && *c.of(meter) != nil {
			return true
		}
	}
	for _, means := range t.Means {
		if means[key] != nil && *means[key].These.of(meter) != nil {
			return true
		}
	}
	return false
}

// interval is "4.1 (3.2 to 5.0)". A single invocation has no interval, and no figure.
func interval(e *estimate.Estimate) string {
	if e == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f (%.1f to %.1f)", e.Value, e.Low, e.High)
}

// text is "**4.1 (3.6 to 4.6)**, others 1.2 to 7.0".
func (m *Mean) text(meter int) string {
	if m == nil || *m.These.of(meter) == nil {
		return "–"
	}
	others := *m.Others.of(meter)
	return fmt.Sprintf("**%s**, others %.1f to %.1f", interval(*m.These.of(meter)), others.Low, others.High)
}

// writeMissing lists what was not measured, and why.
func (r *Report) writeMissing(b *strings.Builder) {
	if r.Unrun > 0 {
		fmt.Fprintf(b, "\nThe budget did not allow %d of the planned invocations.\n", r.Unrun)
	}
	if r.Uncounted != "" {
		fmt.Fprintf(b, "\nNo instructions: %s.\n", figures.Cell(r.Uncounted))
	}
	r.writeSkipped(b, "##")
}

// writeSkipped lists the cells that were not measured, below a heading of a level.
func (r *Report) writeSkipped(b *strings.Builder, level string) {
	if len(r.Skipped) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s Skipped\n\n| cell | reason |\n|---|---|\n", level)
	for _, key := range slices.Sorted(maps.Keys(r.Skipped)) {
		fmt.Fprintf(b, "| %s | %s |\n", figures.Cell(key), figures.Cell(r.Skipped[key]))
	}
}
