package bias

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Two reports that differ may do so because the code, an engine or the machine is another,
// or was busier. Those are the conditions that Agree heads its table with.

// Conditions are what two reports were measured under.
type Conditions struct {
	Facts  [][3]string `json:"facts"`  // name, and what each report says
	Warn   []string    `json:"warn"`   // what they differ in
	Shared bool        `json:"shared"` // both drew orders and ticks from one seed
}

// conditionsOf compares the conditions of two reports.
func conditionsOf(a, b *Report) Conditions {
	var c Conditions
	both := [2]*Report{a, b}
	c.fact("measured", func(i int) string { return both[i].Machine.When })
	if c.fact("commit", func(i int) string { return both[i].commit() }) {
		c.Warn = append(c.Warn, "the commit")
	}
	facts := [2]map[string]string{a.Machine.Facts(), b.Machine.Facts()}
	for _, name := range slices.Sorted(maps.Keys(joined(facts[0], facts[1]))) {
		if facts[0][name] == facts[1][name] {
			continue
		}
		c.fact(name, func(i int) string { return facts[i][name] })
		c.Warn = append(c.Warn, name)
	}
	var busy []string
	for _, e := range engines {
		ours, theirs := a.Engines[e.name], b.Engines[e.name]
		if ours == nil || theirs == nil {
			continue
		}
		in := [2]*EngineReport{ours, theirs}
		c.fact(e.name+", load", func(i int) string { return in[i].Load.String() })
		if len(ours.Programs) == 0 || len(theirs.Programs) == 0 {
			continue
		}
		missed := [2]float64{ours.missed(), theirs.missed()}
		c.fact(e.name+", missed ticks", func(i int) string { return fmt.Sprintf("%.1f %%", missed[i]) })
		if max(missed[0], missed[1]) > busier*min(missed[0], missed[1]) {
			busy = append(busy, e.name)
		}
	}
	if len(busy) > 0 {
		c.Warn = append(c.Warn, "the ticks that "+strings.Join(busy, ", ")+" missed, so one machine was busier")
	}
	if c.fact("seed", func(i int) string { return seedText(both[i].Seed) }); a.Seed != 0 && a.Seed == b.Seed {
		c.Shared = true
	}
	return c
}

// busier is how many times as many ticks a busy machine misses.
const busier = 2

// fact adds a fact if a report states it, and reports whether they differ.
func (c *Conditions) fact(name string, of func(int) string) bool {
	a, b := of(0), of(1)
	if a != "" || b != "" {
		c.Facts = append(c.Facts, [3]string{name, a, b})
	}
	return a != b
}

// joined has the keys of both.
func joined(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func (r *Report) commit() string {
	if r.Dirty {
		return fmt.Sprintf("%.12s, changed", r.Commit)
	}
	return fmt.Sprintf("%.12s", r.Commit)
}

// missed is the mean of what profiles of real programs missed.
func (e *EngineReport) missed() float64 {
	var missed []float64
	for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
		for _, way := range slices.Sorted(maps.Keys(e.Programs[program])) {
			missed = append(missed, e.Programs[program][way].Missed)
		}
	}
	return figures.Mean(missed)
}

func (c *Conditions) table() string {
	if len(c.Facts) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| | first | second |\n|---|---|---|\n")
	for _, f := range c.Facts {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", figures.Cell(f[0]), figures.Cell(cmp.Or(f[1], "–")), figures.Cell(cmp.Or(f[2], "–")))
	}
	if len(c.Warn) > 0 {
		fmt.Fprintf(&b, "\nBeware: the reports differ in %s. What is apart below may be due to that.\n", figures.Cell(strings.Join(c.Warn, "; ")))
	}
	if c.Shared {
		b.WriteString("\nBeware: both ran in the same order, with the same ticks. What these do to figures is not apart.\n")
	}
	b.WriteString("\n")
	return b.String()
}

// seedText is "" of a report that states none.
func seedText(seed uint64) string {
	if seed == 0 {
		return ""
	}
	return strconv.FormatUint(seed, 10)
}

// loadOf is the median load of the recordings of an engine, nil if none has one.
func loadOf(recordings []*Recording, engine string) *figures.Load {
	var averages, waited []float64
	for _, r := range recordings {
		if r.Engine != engine || r.Load == nil {
			continue
		}
		averages = append(averages, r.Load.Average)
		if r.Load.Waited != nil {
			waited = append(waited, *r.Load.Waited)
		}
	}
	if len(averages) == 0 {
		return nil
	}
	load := &figures.Load{Average: figures.Median(averages)}
	if len(waited) > 0 {
		middle := figures.Median(waited)
		load.Waited = &middle
	}
	return load
}
