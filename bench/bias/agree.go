package bias

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Two whole runs on different days should say the same. Their figures are independent, so
// two of them agree if they differ by no more than the root of the sum of the squares of
// their half intervals: of figures of one truth that is true of 95 in 100. That intervals
// overlap would be true of more, and show less.

// Accord is how far two reports say the same of what both measured.
type Accord struct {
	Conditions Conditions               `json:"conditions"`
	Engines    map[string]*EngineAccord `json:"engines"`
	Percent    float64                  `json:"percent"` // of all cells
	Apart      []Apart                  `json:"apart"`   // the furthest first
}

// EngineAccord counts cells in one engine: programs and means, by way and detail.
type EngineAccord struct {
	Cells int `json:"cells"`
	Agree int `json:"agree"`
}

// Apart is a cell of which two reports do not say the same.
type Apart struct {
	Cell string   `json:"cell"`
	A    Estimate `json:"a"`
	B    Estimate `json:"b"`
}

// by is how many times as far apart they are as they may be.
func (c *Apart) by() float64 { return apart(c.A, c.B) }

// Agree compares two reports cell by cell: overlaps with the reference, strictly and by
// the promise, and with known distributions.
func Agree(a, b *Report) *Accord {
	result := &Accord{Conditions: conditionsOf(a, b), Engines: map[string]*EngineAccord{}}
	for name, first := range a.Engines {
		second := b.Engines[name]
		if second == nil {
			continue
		}
		ours, theirs := first.cells(), second.cells()
		counts := &EngineAccord{}
		for cell, one := range ours {
			other, ok := theirs[cell]
			if !ok {
				continue
			}
			counts.Cells++
			if apart(one, other) > 1 {
				result.Apart = append(result.Apart, Apart{name + " " + cell, one, other})
			} else {
				counts.Agree++
			}
		}
		if counts.Cells > 0 {
			result.Engines[name] = counts
		}
	}
	result.Percent = result.all().percent()
	slices.SortFunc(result.Apart, func(a, b Apart) int { return cmp.Or(cmp.Compare(b.by(), a.by()), cmp.Compare(a.Cell, b.Cell)) })
	return result
}

// apart is by how much two figures differ, in parts of what their intervals allow.
func apart(a, b Estimate) float64 {
	if a.Value > b.Value {
		a, b = b, a
	}
	distance, allowed := b.Value-a.Value, math.Hypot(a.High-a.Value, b.Value-b.Low)
	if distance == 0 {
		return 0
	}
	return distance / allowed // without intervals: infinitely far
}

// cells are the overlaps of a report that have an interval, by name.
func (e *EngineReport) cells() map[string]Estimate {
	all := map[string]Estimate{}
	add := func(name string, overlap Estimate) {
		if overlap.High > overlap.Low {
			all[name] = overlap
		}
	}
	compared := func(name string, overlaps map[string]Comparison) {
		for _, detail := range []string{Strict, Promise} {
			if c, ok := overlaps[detail]; ok && c.Alone == "" {
				add(name+", "+detail, c.Overlap)
			}
		}
	}
	for way, m := range e.Means {
		compared("mean, "+way, m.Overlaps)
	}
	for program, ways := range e.Programs {
		for way, cell := range ways {
			compared(program+", "+way, cell.Overlaps)
		}
	}
	for program, ways := range e.Exact {
		for way, cell := range ways {
			if cell.Alone == "" {
				add(program+", "+way, cell.Overlap)
			}
		}
	}
	return all
}

// Table lists under which conditions the reports were made, what agrees, and the cells that
// are furthest apart.
func (a *Accord) Table() string {
	var b strings.Builder
	b.WriteString(a.Conditions.table())
	b.WriteString("| engine | cells in both | agree |\n|---|---|---|\n")
	for _, e := range engines {
		if c := a.Engines[e.name]; c != nil {
			fmt.Fprintf(&b, "| %s | %d | %.1f %% |\n", e.name, c.Cells, c.percent())
		}
	}
	fmt.Fprintf(&b, "| *all* | %d | %.1f %% |\n", a.all().Cells, a.Percent)
	if len(a.Apart) > 0 {
		b.WriteString("\n| furthest apart | first | second | times as far as intervals allow |\n|---|---|---|---|\n")
		for _, c := range a.Apart[:min(len(a.Apart), mostApart)] {
			fmt.Fprintf(&b, "| %s | %.1f (%.1f–%.1f) | %.1f (%.1f–%.1f) | %.1f |\n", figures.Cell(c.Cell), c.A.Value, c.A.Low, c.A.High, c.B.Value, c.B.Low, c.B.High, c.by())
		}
	}
	return b.String()
}

// all counts the cells of all engines.
func (a *Accord) all() (sum EngineAccord) {
	for _, c := range a.Engines {
		sum.Cells, sum.Agree = sum.Cells+c.Cells, sum.Agree+c.Agree
	}
	return sum
}

// mostApart is how many cells the table lists.
const mostApart = 20

func (c EngineAccord) percent() float64 {
	if c.Cells == 0 {
		return 0
	}
	return 100 * float64(c.Agree) / float64(c.Cells)
}

// ReadReport reads a bias.json.
func ReadReport(path string) (*Report, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(r.Engines) == 0 {
		return nil, fmt.Errorf("%s: has no engines: it is no bias.json", path)
	}
	return &r, nil
}
