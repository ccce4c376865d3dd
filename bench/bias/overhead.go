package bias

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// overheadColumn is a column of the table of overheads: the rounds of a program, and
// the means over programs.
type overheadColumn struct {
	name   string
	rounds func(program string) []float64
	mean   Overheads
}

// overheadColumns are the floor, each preset with nothing recording, and each way
// that records.
func (e *EngineReport) overheadColumns() []overheadColumn {
	columns := []overheadColumn{{"clean again", func(program string) []float64 {
		if clean := e.Clean[program]; clean != nil {
			return clean.Again
		}
		return nil
	}, e.CleanAgain}}
	add := func(way, name string, of func(*Cell) []float64, mean Overheads) {
		columns = append(columns, overheadColumn{name, func(program string) []float64 {
			if c := e.Programs[program][way]; c != nil {
				return of(c)
			}
			return nil
		}, mean})
	}
	ways := wayNames(e.Means)
	for _, preset := range presets {
		if name := preset.String(); e.Means[name] != nil {
			add(name, name+" idle", (*Cell).idle, e.Means[name].Idle)
		}
	}
	for _, way := range ways {
		add(way, way, (*Cell).recording, e.Means[way].Recording)
	}
	return slices.DeleteFunc(columns, func(c overheadColumn) bool {
		return !slices.ContainsFunc(slices.Collect(maps.Keys(e.Programs)), func(program string) bool { return len(c.rounds(program)) > 0 })
	})
}

// overheadTable has the overheads of single programs, and their means unless the table
// of means has them.
func (e *EngineReport) overheadTable(b *strings.Builder) {
	columns := e.overheadColumns()
	if len(columns) == 0 {
		return
	}
	b.WriteString("\n## Overhead of single programs\n\nCPU time against the clean run of the same round, in percent: median of the rounds (lowest to highest).\n\n| program | clean |")
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.name)
	}
	b.WriteString("\n|" + strings.Repeat("---|", 2+len(columns)) + "\n")
	for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
		seconds := "–"
		if clean := e.Clean[program]; clean != nil {
			seconds = fmt.Sprintf("%.2f s", clean.CPU.Seconds())
		}
		fmt.Fprintf(b, "| %s | %s |", program, seconds)
		for _, c := range columns {
			fmt.Fprintf(b, " %s |", roundsText(c.rounds(program)))
		}
		b.WriteString("\n")
	}
	if e.compared() {
		return
	}
	for _, group := range []struct {
		name string
		of   func(Overheads) *Estimate
	}{
		{"libraries", func(o Overheads) *Estimate { return o.Libraries }},
		{"tiny calls", func(o Overheads) *Estimate { return o.Tiny }},
		{"all", func(o Overheads) *Estimate { return o.All }},
	} {
		if !slices.ContainsFunc(columns, func(c overheadColumn) bool { return group.of(c.mean) != nil }) {
			continue
		}
		fmt.Fprintf(b, "| **%s** | |", group.name)
		for _, c := range columns {
			fmt.Fprintf(b, " %s |", optional(group.of(c.mean)))
		}
		b.WriteString("\n")
	}
}

// roundsText is "4.7 (1.2 to 8.0)", or the figure alone of a single round.
func roundsText(rounds []float64) string {
	switch len(rounds) {
	case 0:
		return "–"
	case 1:
		return fmt.Sprintf("%.1f", rounds[0])
	}
	return fmt.Sprintf("%.1f (%.1f to %.1f)", figures.Median(rounds), slices.Min(rounds), slices.Max(rounds))
}
