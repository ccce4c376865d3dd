package visits

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// measureOf is something that is measured at each visit.
type measureOf struct{ name, what, unit string }

// measured in the order of tables.
var measured = []measureOf{
	{"fcp", "first contentful paint", "ms"},
	{"lcp", "largest contentful paint", "ms"},
	{"dcl", "DOMContentLoaded", "ms"},
	{"load", "load", "ms"},
	{"ready", "ready", "ms"},
	{"long", "long tasks of the load", "ms"},
	{"script", "scripts of the load", "ms"},
	{"thread", "thread's processor, load", "ms"},
	{"inp", "INP", "ms"},
	{"handlers", "handlers of the interaction", "ms"},
	{"interaction-script", "scripts of the interaction", "ms"},
	{"interaction-thread", "thread's processor, interaction", "ms"},
	{"bytes", "bytes", "KB"},
	{"requests", "requests", ""},
	{"samples", "samples", ""},
}

// fewest rounds that a figure is made of.
const fewest = 5

// Report is what visits show.
type Report struct {
	figures.Origin
	Seed     uint32             `json:"seed"`
	Planned  int                `json:"planned"` // rounds
	Seconds  float64            `json:"seconds"`
	Browsers map[string]string  `json:"browsers"` // versions
	Networks map[string]Network `json:"networks"`
	Sites    map[string]string  `json:"sites"`
	// Cells are by browser, network and site; Together by browser and network.
	Cells    map[string]map[string]map[string]*Result `json:"cells"`
	Together map[string]map[string]*Together          `json:"together"`
	Skipped  []Skip                                   `json:"skipped,omitempty"`
}

// Result is a site in a browser over a network.
type Result struct {
	Rounds   int             `json:"rounds"`
	Measures map[string]*Row `json:"measures"`
}

// Row is a measure of a site: the clean build's median, and what the other builds, by name, change.
type Row struct {
	Clean   estimate.Estimate  `json:"clean"`
	Changes map[string]*Change `json:"changes,omitempty"`
	Value   *estimate.Estimate `json:"value,omitempty"` // of what only a recording has
	// Rounds are those that have the measure; 0 in results that do not say it.
	Rounds int `json:"rounds,omitempty"`
}

// Change is the median of the differences in the same round, and of the ratios, in percent; there are
// none where a clean visit has 0.
type Change struct {
	Difference estimate.Estimate  `json:"difference"`
	Percent    *estimate.Estimate `json:"percent,omitempty"`
}

// Together is what the builds change in all sites: the geometric mean of their ratios, in percent, by
// measure and build. Its intervals are about other visits to these sites, and not about other sites.
type Together struct {
	Sites    []string                                 `json:"sites"`
	Measures map[string]map[string]*estimate.Estimate `json:"measures"`
}

// Skip is what was not measured, and why.
type Skip struct {
	Cell   string `json:"cell"`
	Round  int    `json:"round,omitempty"` // from 1; 0: all
	Build  string `json:"build,omitempty"`
	Reason string `json:"reason"`
}

// Evaluate makes the report.
func Evaluate(r *Record) *Report {
	report := &Report{
		Origin: r.Origin, Seed: r.Seed, Planned: r.Planned, Seconds: r.Seconds, Browsers: r.Browsers, Networks: networks, Sites: map[string]string{},
		Cells: map[string]map[string]map[string]*Result{}, Together: map[string]map[string]*Together{},
	}
	for _, s := range sites {
		report.Sites[s.name] = s.what
	}
	for _, b := range browsers {
		if reason := r.Missing[b]; reason != "" {
			report.Skipped = append(report.Skipped, Skip{Cell: b, Reason: reason})
		}
		for _, n := range networkNames {
			for _, s := range sites {
				c := Cell{b, n, s.name}
				if rounds, visited := r.Rounds[c.String()]; visited {
					report.add(c, r.Planned, rounds, c.seed(r.Seed))
				}
			}
			if cells := report.Cells[b][n]; len(cells) > 0 {
				put(report.Together, b, n, together(cells))
			}
		}
	}
	return report
}

func put[T any](in map[string]map[string]T, a, b string, value T) {
	if in[a] == nil {
		in[a] = map[string]T{}
	}
	in[a][b] = value
}

// seed differs from cell to cell, so that their replicates are independent.
func (c Cell) seed(of uint32) uint64 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(c.String())) // never fails
	return uint64(of)<<32 | uint64(sum.Sum32())
}

// add evaluates a cell. A round counts if all of its visits succeeded.
func (r *Report) add(c Cell, planned int, rounds []Round, seed uint64) {
	var whole []Round
	for i, round := range rounds {
		failed := false
		for _, build := range builds {
			if v := round[build]; v.Failed != "" {
				failed = true
				r.Skipped = append(r.Skipped, Skip{c.String(), i + 1, build, v.Failed})
			}
		}
		if !failed {
			whole = append(whole, round)
		}
	}
	switch {
	case len(whole) < fewest:
		r.Skipped = append(r.Skipped, Skip{Cell: c.String(), Reason: fmt.Sprintf("%d rounds are too few: at least %d make a figure", len(whole), fewest)})
		return
	case len(rounds) < planned:
		r.Skipped = append(r.Skipped, Skip{Cell: c.String(), Reason: fmt.Sprintf("the time was over after %d of %d rounds", len(rounds), planned)})
	}
	result := &Result{Rounds: len(whole), Measures: map[string]*Row{}}
	for _, m := range measured {
		having := m.having(whole)
		if without := len(whole) - len(having); without > 0 && len(having) > 0 {
			r.Skipped = append(r.Skipped, Skip{Cell: c.String(), Reason: fmt.Sprintf("%s: the browser did not report it in %d of %d rounds", m.what, without, len(whole))})
		}
		if len(having) >= fewest {
			result.Measures[m.name] = newRow(m, having, seed)
		}
	}
	if r.Cells[c.Browser] == nil {
		r.Cells[c.Browser] = map[string]map[string]*Result{}
	}
	put(r.Cells[c.Browser], c.Network, c.Site, result)
}

// having are the rounds in which each visit that could have the measure has it.
func (m measureOf) having(rounds []Round) []Round {
	of := builds
	if m.name == "samples" {
		of = []string{recording}
	}
	return slices.DeleteFunc(slices.Clone(rounds), func(r Round) bool {
		return slices.ContainsFunc(of, func(build string) bool {
			_, ok := r[build].Values[m.name]
			return !ok
		})
	})
}

// newRow evaluates a measure that all these rounds have.
func newRow(m measureOf, rounds []Round, seed uint64) *Row {
	if m.name == "samples" {
		e := median(m.column(rounds, recording), seed)
		return &Row{Value: &e, Rounds: len(rounds)}
	}
	base := m.column(rounds, clean)
	row := &Row{Clean: median(base, seed), Changes: map[string]*Change{}, Rounds: len(rounds)}
	for _, build := range builds[1:] {
		row.Changes[build] = change(base, m.column(rounds, build), seed)
	}
	return row
}

// column is the measure of a build in all rounds.
func (m measureOf) column(rounds []Round, build string) []float64 {
	var values []float64
	for _, r := range rounds {
		value := r[build].Values[m.name]
		if m.unit == "KB" {
			value /= 1000
		}
		values = append(values, value)
	}
	return values
}

// median is the median of values with its interval.
func median(values []float64, seed uint64) estimate.Estimate {
	var space []float64
	return estimate.Expanded(figures.Median(values), estimate.Bootstrap(estimate.Resamples, seed, func(rng *rand.Rand) float64 {
		space = estimate.Draw(rng, values, space)
		return figures.Median(space)
	}), len(values))
}

func change(base, values []float64, seed uint64) *Change {
	differences, percents := make([]float64, len(base)), make([]float64, len(base))
	for i := range base {
		differences[i], percents[i] = values[i]-base[i], 100*(values[i]/base[i]-1)
	}
	c := &Change{Difference: median(differences, seed)}
	if !slices.Contains(base, 0) {
		percent := median(percents, seed)
		c.Percent = &percent
	}
	return c
}

// together combines the sites of a browser and network, where all of them have a ratio.
func together(cells map[string]*Result) *Together {
	t := &Together{Measures: map[string]map[string]*estimate.Estimate{}}
	for _, s := range sites {
		if cells[s.name] != nil {
			t.Sites = append(t.Sites, s.name)
		}
	}
	for _, m := range measured {
		for _, build := range builds[1:] {
			var parts []estimate.Estimate
			rounds := math.MaxInt
			for _, name := range t.Sites {
				if row := cells[name].Measures[m.name]; row != nil && row.Changes[build] != nil && row.Changes[build].Percent != nil {
					parts, rounds = append(parts, *row.Changes[build].Percent), min(rounds, cmp.Or(row.Rounds, cells[name].Rounds))
				}
			}
			if len(parts) > 0 && len(parts) == len(t.Sites) {
				e := geometric(parts, rounds)
				put(t.Measures, m.name, build, &e)
			}
		}
	}
	return t
}

// geometric is the geometric mean of changes in percent, replicate by replicate.
func geometric(parts []estimate.Estimate, rounds int) estimate.Estimate {
	mean := func(percent func(estimate.Estimate) float64) float64 {
		logs := 0.0
		for _, p := range parts {
			logs += math.Log1p(percent(p) / 100)
		}
		return 100 * math.Expm1(logs/float64(len(parts)))
	}
	replicates := make([]float64, len(parts[0].Replicates))
	for i := range replicates {
		replicates[i] = mean(func(e estimate.Estimate) float64 { return e.Replicates[i] })
	}
	return estimate.Expanded(mean(func(e estimate.Estimate) float64 { return e.Value }), replicates, rounds)
}
