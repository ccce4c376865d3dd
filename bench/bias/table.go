package bias

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/transform"
)

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Overlap of self time with the truth, in percent, with 95 %% intervals of %d resamples, the noise floor, which is the\n"+
		"truth with itself, and the bias, which is what of the distance is not chance. An asterisk marks figures that rest on under %d samples.", r.Resamples, figures.FewSamples)
	fmt.Fprintf(&b, " [docs/accuracy.md](../../docs/accuracy.md) defines the figures.\n`%s`, %v, %s, %d CPUs.\n",
		r.Command, r.Took.Round(time.Second), r.Machine.When, r.Machine.CPUs)
	for _, name := range r.names() {
		e := r.Engines[name]
		fmt.Fprintf(&b, "\n# %s\n%s", strings.TrimSpace(name+" "+e.Version), r.comparedWith(name))
		if e.Load != nil {
			fmt.Fprintf(&b, "\nLoad of the machine: %s for a processor.\n", e.Load)
		}
		e.meansTable(&b)
		e.rulesTable(&b)
		e.programsTable(&b)
		e.promisesTable(&b)
		e.exactTable(&b)
		e.samplersTable(&b)
		e.tracingTable(&b)
		e.processesTable(&b)
		e.restTable(&b)
	}
	if len(r.Skipped) > 0 {
		b.WriteString("\n# Skipped\n\n")
		for _, s := range r.Skipped {
			reason, _, _ := strings.Cut(s.Reason, "\n")
			fmt.Fprintf(&b, "- %s, %s (%s): %s\n", figures.Cell(s.Engine), figures.Cell(s.Program), figures.Cell(s.Ways), figures.Cell(reason))
		}
	}
	return b.String()
}

// names of the engines with figures, in order.
func (r *Report) names() []string {
	var names []string
	for _, e := range engines {
		if r.Engines[e.name] != nil {
			names = append(names, e.name)
		}
	}
	return names
}

// wayNames are the ways of a map in the order of tables: presets first.
func wayNames[T any](of map[string]T) []string {
	names := slices.Sorted(maps.Keys(of))
	slices.SortStableFunc(names, func(a, b string) int { return wayRank(a) - wayRank(b) })
	return names
}

func wayRank(name string) int {
	for i, p := range presets {
		if name == p.String() || strings.HasPrefix(name, p.String()+", ") && p == transform.Classic {
			return i
		}
	}
	if preset, _, _ := strings.Cut(strings.ReplaceAll(name, ",", " "), " "); slices.ContainsFunc(presets, func(p transform.Preset) bool { return p.String() == preset }) {
		return len(presets)
	}
	return len(presets) + 1
}

func (e *EngineReport) exactTable(b *strings.Builder) {
	if len(e.Exact) == 0 {
		return
	}
	ways := map[string]bool{}
	for _, cells := range e.Exact {
		for way := range cells {
			ways[way] = true
		}
	}
	columns := wayNames(ways)
	b.WriteString("\n## Programs whose distribution is known\n\nEvery function by itself, by the presets and by the engine's own sampler.\n\n| program |")
	for _, way := range columns {
		fmt.Fprintf(b, " %s |", way)
	}
	b.WriteString("\n|" + strings.Repeat("---|", 1+len(columns)) + "\n")
	for _, program := range slices.Sorted(maps.Keys(e.Exact)) {
		fmt.Fprintf(b, "| %s |", program)
		for _, way := range columns {
			c, ok := e.Exact[program][way]
			if !ok {
				b.WriteString(" – |")
				continue
			}
			fmt.Fprintf(b, " %s |", figures.Mark(interval(c.Overlap), c.Few))
		}
		b.WriteString("\n")
	}
	e.writeLowest(b)
}

// writeLowest states the goals of precise and its lowest overlaps.
func (e *EngineReport) writeLowest(b *strings.Builder) {
	lowest := map[bool]float64{} // by tiny
	for _, cells := range e.Exact {
		for _, way := range wayNames(cells) { // the plain one first; programs that wait have another interval
			if preset, _, _ := strings.Cut(way, " "); preset != "precise" {
				continue
			}
			c := cells[way]
			if value, seen := lowest[c.Tiny]; !seen || c.Overlap.Value < value {
				lowest[c.Tiny] = c.Overlap.Value
			}
			break
		}
	}
	if value, ok := lowest[false]; ok {
		fmt.Fprintf(b, "\nLowest overlap of precise: %.1f (goal in goja: 95)", value)
		if value, ok := lowest[true]; ok {
			fmt.Fprintf(b, "; of programs of tiny functions: %.1f (goal: 85)", value)
		}
		b.WriteString(".\n")
	}
}

func (e *EngineReport) restTable(b *strings.Builder) {
	if len(e.Skids) > 0 {
		b.WriteString("\n## Skid\n\n| way | median | 95 % | longest |\n|---|---|---|---|\n")
		for _, way := range wayNames(e.Skids) {
			s := e.Skids[way]
			fmt.Fprintf(b, "| %s | %v | %v | %v |\n", way, short(s.Median), short(s.P95), short(s.Max))
		}
	}
	if len(e.Observers) > 0 {
		b.WriteString("\n## Observer effect\n\nSelf times by clocks at every entry and exit: overlap of the program with idle checks (balanced) and without, and of two runs without.\n\n| program | with checks | without, again |\n|---|---|---|\n")
		for _, program := range slices.Sorted(maps.Keys(e.Observers)) {
			o := e.Observers[program]
			fmt.Fprintf(b, "| %s | %.1f | %.1f |\n", program, o.Checks, o.Again)
		}
	}
	if len(e.Independence) > 0 {
		b.WriteString("\n## Independence\n\nProfiles that differ in one thing only, strict.\n\n| pair | overlap | by chance alone | chance explains it |\n|---|---|---|---|\n")
		for _, name := range slices.Sorted(maps.Keys(e.Independence)) {
			row := e.Independence[name]
			fmt.Fprintf(b, "| %s | %.1f | %.1f | in %d of %d |\n", name, row.Overlap, row.Chance, row.Independent, row.Pairs)
		}
	}
}

// leftOut are the shares in no function that are a tenth of a percent or more.
func leftOut(shares map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		if shares[name] >= 0.1 {
			parts = append(parts, fmt.Sprintf("%s %.1f", name, shares[name]))
		}
	}
	return strings.Join(parts, ", ")
}

// short is a duration to three digits.
func short(d time.Duration) time.Duration {
	step := time.Duration(1)
	for d/step >= 1000 {
		step *= 10
	}
	return d.Round(step)
}
