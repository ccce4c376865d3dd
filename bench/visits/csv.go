package visits

import (
	"cmp"
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
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
		figure := m.what + unit(m.unit)
		of.Measured = cmp.Or(row.Rounds, c.Rounds)
		add := func(way, figure string, e estimate.Estimate) {
			of.Way = way
			rows = append(rows, e.Row(of, figure))
		}
		if row.Value != nil {
			add(recording, figure, *row.Value)
			continue
		}
		add(clean, figure, row.Clean)
		for _, build := range slices.Sorted(maps.Keys(row.Changes)) {
			change := row.Changes[build]
			add(build+" − clean", figure, change.Difference)
			if change.Percent != nil {
				add(build, m.what+", % over clean", *change.Percent)
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
