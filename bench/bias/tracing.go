package bias

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// tracedPrograms also run under a tracing profiler: one with clocks at every entry and
// exit, which charges its own bookkeeping to no function, as good as such a profiler can be.
// One program has calls shorter than a reading of the clock, the other has longer ones.
var tracedPrograms = []string{"compute-sin", "sequence"}

// tracing is the way's name in tables.
const tracing = "tracing"

func tracedWays(program fixtures.Program) []Way {
	if !slices.Contains(tracedPrograms, program.Name) {
		return nil
	}
	return []Way{{Name: tracing, Use: Traced}}
}

// traced adds up a program's own accounts of a way, by the keys of its known
// distribution.
func (g *group) traced(way string, program fixtures.Program) *Distribution {
	shares := map[string]float64{}
	for _, r := range g.runs {
		if r.Way.Name != way {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(r.Account)) {
			key := program.Key(name, 0)
			if key == "" {
				key = elsewhere
			}
			shares[key] += r.Account[name]
		}
	}
	return Known(shares)
}

// tracingTable compares tracing with the known shares, function by function.
func (e *EngineReport) tracingTable(b *strings.Builder) {
	ways := map[string]bool{}
	var programs []string
	for _, program := range slices.Sorted(maps.Keys(e.Exact)) {
		if e.Exact[program][tracing] != nil {
			programs = append(programs, program)
			for way := range e.Exact[program] {
				ways[way] = true
			}
		}
	}
	if len(programs) == 0 {
		return
	}
	columns := wayNames(ways)
	b.WriteString("\n## Compared with a tracing profiler\n\nShares of self time, in percent. Tracing: clocks at every entry and exit.\n\n| program | function | known | " +
		strings.Join(columns, " | ") + " |\n|---|---|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, program := range programs {
		cells := e.Exact[program]
		row := func(what, known string, of func(*ExactCell) string) {
			fmt.Fprintf(b, "| %s | %s | %s |", program, figures.Cell(what), known)
			for _, way := range columns {
				text := "–"
				if c := cells[way]; c != nil {
					text = of(c)
				}
				fmt.Fprintf(b, " %s |", text)
			}
			b.WriteString("\n")
		}
		known := cells[tracing].Known
		for _, key := range slices.Sorted(maps.Keys(known)) {
			row(key, fmt.Sprintf("%.1f", known[key]), func(c *ExactCell) string { return figures.Mark(fmt.Sprintf("%.1f", c.Shares[key]), c.Few) })
		}
		row("*time of the program*", "1×", func(c *ExactCell) string {
			if c.Overhead == nil {
				return "–"
			}
			return fmt.Sprintf("%.1f×", 1+*c.Overhead/100)
		})
	}
}
