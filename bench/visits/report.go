package visits

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, seed %d, %.0f s. Percent over the clean build, with 95 %% intervals; the floor is the clean build against itself.\n", r.InShort(), r.Seed, r.Seconds)
	b.WriteString(r.Summary())
	for _, s := range r.sections() {
		fmt.Fprintf(&b, "\n## %s, %d rounds\n\n%s", s.Name, s.Rounds, s.Table)
	}
	if list := r.SkippedList(); list != "" {
		b.WriteString("\n## Skipped\n\n" + list)
	}
	return b.String()
}

// name is a browser's with its version.
func (r *Report) name(browser string) string {
	if version := r.Browsers[browser]; version != "" {
		return figures.Cell(version)
	}
	return browser
}

// Summary is what all sites have in common, by browser and network.
func (r *Report) Summary() string {
	var b strings.Builder
	for _, browser := range browsers {
		for _, network := range networkNames {
			t := r.Together[browser][network]
			if t == nil {
				continue
			}
			fmt.Fprintf(&b, "\n**%s, %s network**, geometric mean of %s:\n\n| | idle | recording | floor |\n|---|---|---|---|\n", r.name(browser), network, strings.Join(t.Sites, ", "))
			for _, m := range measured {
				if row := t.Measures[m.name]; row != nil {
					fmt.Fprintf(&b, "| %s | **%s** | %s | %s |\n", m.what, percent(row[idle]), percent(row[recording]), percent(row[again]))
				}
			}
		}
	}
	return b.String()
}

// table is a site's.
func (c *Result) table() string {
	var b strings.Builder
	b.WriteString("| | clean | idle | | recording | | floor |\n|---|---|---|---|---|---|---|\n")
	for _, m := range measured {
		row := c.Measures[m.name]
		switch {
		case row == nil:
			fmt.Fprintf(&b, "| %s | – | – | – | – | – | – |\n", m.what)
		case row.Value != nil:
			fmt.Fprintf(&b, "| %s | – | – | – | %.0f | – | – |\n", m.what, row.Value.Value)
		default:
			fmt.Fprintf(&b, "| %s | %s | %s | **%s** | %s | **%s** | %s |\n", m.what, amount(row.Clean, m.unit),
				row.Changes[idle].added(m.unit), row.Changes[idle].relative(m.unit), row.Changes[recording].added(m.unit), row.Changes[recording].relative(m.unit), row.Changes[again].relative(m.unit))
		}
	}
	return b.String()
}

// amount is a figure with its interval and unit.
func amount(e estimate.Estimate, unit string) string {
	if e.Low == e.High {
		return strings.TrimSpace(fmt.Sprintf("%s %s", short(e.Value), unit))
	}
	return strings.TrimSpace(fmt.Sprintf("%s (%s–%s) %s", short(e.Value), short(e.Low), short(e.High), unit))
}

func short(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// added is the difference.
func (c *Change) added(unit string) string {
	return strings.TrimSpace(fmt.Sprintf("%+.1f %s", c.Difference.Value, unit))
}

// relative is the change in percent, or the difference where there is none, with its interval.
func (c *Change) relative(unit string) string {
	if c.Percent != nil {
		return percent(c.Percent)
	}
	d := c.Difference
	return strings.TrimSpace(fmt.Sprintf("%+.1f (%+.1f…%+.1f) %s", d.Value, d.Low, d.High, unit))
}

// percent is a change with its interval.
func percent(e *estimate.Estimate) string {
	switch {
	case e == nil:
		return "–"
	case e.Low == e.High:
		return fmt.Sprintf("%+.1f %%", e.Value)
	}
	return fmt.Sprintf("%+.1f %% (%+.1f…%+.1f)", e.Value, e.Low, e.High)
}

// SkippedList is what was not measured.
func (r *Report) SkippedList() string {
	var b strings.Builder
	for _, s := range r.Skipped {
		b.WriteString("- " + s.Cell)
		if s.Round > 0 {
			fmt.Fprintf(&b, ", round %d, %s", s.Round, s.Build)
		}
		fmt.Fprintf(&b, ": %s\n", figures.Cell(s.Reason))
	}
	return b.String()
}
