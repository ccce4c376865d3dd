package visits

import (
	"cmp"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// CSV implements figures.Rows: what builds change in each site and in all, by browser and
// network; the clean build's rows are values.
func (r *Report) CSV() []figures.Row {
	var rows []figures.Row
	for _, browser := range slices.Sorted(maps.Keys(r.Together)) {
		for _, network := range slices.Sorted(maps.Keys(r.Together[browser])) {
			together := r.Together[browser][network]
			for _, m := range measured {
				for _, build := range slices.Sorted(maps.Keys(together.Measures[m.name])) {
					if e := together.Measures[m.name][build]; e != nil {
						rows = append(rows, figures.Row{Engine: browser, Program: "(all)", Way: build, Detail: network, Figure: m.what + ", % over clean", Value: e.Value, Low: e.Low, High: e.High})
					}
				}
			}
		}
	}
	for _, browser := range slices.Sorted(maps.Keys(r.Cells)) {
		for _, network := range slices.Sorted(maps.Keys(r.Cells[browser])) {
			for _, site := range slices.Sorted(maps.Keys(r.Cells[browser][network])) {
				rows = append(rows, r.Cells[browser][network][site].rows(figures.Row{Engine: browser, Program: site, Detail: network})...)
			}
		}
	}
	return rows
}

// rows are a site's.
func (c *Result) rows(of figures.Row) []figures.Row {
	var rows []figures.Row
	for _, m := range measured {
		row := c.Measures[m.name]
		if row == nil {
			continue
		}
		of.Figure, of.Way, of.Measured = m.what+unit(m.unit), clean, cmp.Or(row.Rounds, c.Rounds)
		if row.Value != nil {
			of.Way, of.Value, of.Low, of.High = recording, row.Value.Value, row.Value.Low, row.Value.High
			rows = append(rows, of)
			continue
		}
		of.Value, of.Low, of.High = row.Clean.Value, row.Clean.Low, row.Clean.High
		rows = append(rows, of)
		for _, build := range slices.Sorted(maps.Keys(row.Changes)) {
			d := row.Changes[build].Difference
			of.Figure, of.Way, of.Value, of.Low, of.High = m.what+unit(m.unit), build+" − clean", d.Value, d.Low, d.High
			rows = append(rows, of)
			if percent := row.Changes[build].Percent; percent != nil {
				of.Figure, of.Way, of.Value, of.Low, of.High = m.what+", % over clean", build, percent.Value, percent.Low, percent.High
				rows = append(rows, of)
			}
		}
	}
	return rows
}

func unit(name string) string {
	if name == "" {
		return ""
	}
	return ", " + name
}
