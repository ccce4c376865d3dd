package overhead

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/plot"
	"github.com/fieldprof/fieldprof/fixtures"
)

// drawn are the columns of plots. A recording's first second costs so much more that the rest would
// be a line; it is in the tables.
var drawn = []struct{ key, title string }{
	{"idle", "idle"}, {"sharedSettled", "recording by shared memory, settled"}, {"pollSettled", "recording by polling, settled"},
}

// Plots implements figures.Drawn: of each engine and preset the costs of all programs and means.
// Reports about the instrument have none.
func (r *Report) Plots() map[string][]byte {
	files := map[string][]byte{}
	if r.Trial != nil || r.Proof != nil {
		return files
	}
	for engine, byPreset := range r.Engines {
		for preset, t := range byPreset {
			if svg := t.plot(engine, preset); svg != nil {
				files[r.Name()+"-"+slug(engine+" "+preset)+".svg"] = svg
			}
		}
	}
	return files
}

// slug is a text as a part of a file's name.
func slug(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
}

// plot draws the means above the programs, by the meter that tables show first. Only the intervals
// of the means for just these programs are always whole.
func (t *Table) plot(engine, preset string) []byte {
	meter := headline(engine)
	p := plot.Rows{Title: "What checks cost, " + preset + ": " + titleOf(engine, meter) + ", " + engine, Axis: "more than the clean build, %"}
	var keys []string
	for _, c := range drawn {
		if t.has(c.key, meter) {
			keys, p.Series = append(keys, c.key), append(p.Series, c.title)
		}
	}
	row := func(name string, cut bool, costs func(key string) *Costs) {
		of := plot.Row{Name: name, Cut: cut}
		for _, key := range keys {
			var e *estimate.Estimate
			if c := costs(key); c != nil {
				e = *c.of(meter)
			}
			of.Figures = append(of.Figures, e)
		}
		p.Rows = append(p.Rows, of)
	}
	groups := []string{fixtures.Libraries, fixtures.TinyCalls, sameInput, unlikeInput}
	for _, group := range groups {
		means := t.Means[group]
		if means == nil {
			continue
		}
		row("mean, "+group, false, func(key string) *Costs {
			if m := means[key]; m != nil {
				return &m.These
			}
			return nil
		})
		row("the same, others of the kind", true, func(key string) *Costs {
			if m := means[key]; m != nil {
				return &m.Others
			}
			return nil
		})
	}
	for _, group := range groups {
		for _, name := range slices.Sorted(maps.Keys(t.Programs)) {
			if program := t.Programs[name]; program.Group == group {
				row(name, true, func(key string) *Costs {
					if c := program.Columns[key]; c != nil {
						return &c.Costs
					}
					return nil
				})
			}
		}
	}
	return p.SVG()
}
