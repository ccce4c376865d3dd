package view

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// WriteDiff writes the first n functions of a comparison as a table (all when n is
// not above 0), or the significant ones when there are more. An asterisk marks what
// is more than chance.
func WriteDiff(w io.Writer, d *Difference, n int) error {
	rows := d.Functions
	if n > 0 && len(rows) > n {
		rows = rows[:max(n, d.Changed)]
	}
	header := []string{"self before", "after", "change", "total before", "after", "change"}
	if d.Options.SameWork {
		header = []string{"self ms before", "after", "change", "total ms before", "after", "change"}
	}
	table := [][]string{append(header, "function", "where")}
	for i := range rows {
		c := &rows[i]
		name := marked(c.Name, c.HoldsOthers, nameWidth)
		if c.Status != Both {
			name += " (" + string(c.Status) + ")"
		}
		line := append(shiftTexts(&c.Self, c.Status, d.Options.SameWork), shiftTexts(&c.Total, c.Status, d.Options.SameWork)...)
		table = append(table, append(line, name, fit(place(c.File, c.Line), placeWidth, true)))
	}
	out := bufio.NewWriter(w) // whose Flush says if anything failed
	_ = WriteTable(out, table, 6)
	writeMore(out, len(d.Functions)-len(rows))
	writeLegend(out, slices.ContainsFunc(rows, func(c Change) bool { return c.HoldsOthers }))
	fmt.Fprint(out, d.Summary(), "\n", d.findable())
	return out.Flush()
}

// findable says which changes of the functions with the most time would have been
// found: finding nothing does not prove that nothing changed.
func (d *Difference) findable() string {
	var texts []string
	for _, c := range d.largest() {
		texts = append(texts, fmt.Sprintf("%s %+.0f%%", fit(Printable(c.Name), nameWidth, false), c.Self.Least))
	}
	if len(texts) == 0 {
		return ""
	}
	text := "least growth that 9 in 10 such comparisons find: " + strings.Join(texts, ", ")
	if d.Before.Runs+d.After.Runs == 2 {
		text += "; several runs a side find less"
	}
	return text + "\n"
}

// largest are a few functions with the most time of their own.
func (d *Difference) largest() []*Change {
	var list []*Change
	for i := range d.Functions {
		if c := &d.Functions[i]; c.Status == Both && !math.IsInf(c.Self.Least, 0) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(x, y *Change) int {
		return cmp.Compare(y.Self.Before+y.Self.After, x.Self.Before+x.Self.After)
	})
	return list[:min(len(list), 3)]
}

func shiftTexts(s *Shift, status Status, sameWork bool) []string {
	before, after := percentText(s.Before), percentText(s.After)
	if sameWork {
		before, after = fmt.Sprintf("%.1f", 1e3*s.SecondsBefore), fmt.Sprintf("%.1f", 1e3*s.SecondsAfter)
	}
	change := fmt.Sprintf("%+.1f", s.Change(sameWork))
	if sameWork {
		change += "%"
	}
	switch {
	case status == New:
		before = "-"
	case status == Gone:
		after = "-"
	}
	if c := s.Change(sameWork); math.IsInf(c, 0) || math.IsNaN(c) {
		change = "-"
	}
	if s.Significant {
		return []string{before, after, change + "*"}
	}
	return []string{before, after, change + " "}
}

// Summary is the result in one line.
func (d *Difference) Summary() string {
	what := "of the busy time, in percent"
	if d.Options.SameWork {
		what = "of the time that each took"
	}
	tail := fmt.Sprintf("(%d and %d samples; %s)", d.Before.Samples, d.After.Samples, what)
	switch {
	case d.Options.Blocks:
		tail = fmt.Sprintf("(%d and %d ticks in %d and %d blocks of time; %s)", d.Before.Busy, d.After.Busy, d.Before.Runs, d.After.Runs, what)
	case d.Before.Runs > 1 || d.After.Runs > 1:
		tail = fmt.Sprintf("(%d and %d samples of %d and %d runs, noise %.1f%%; %s)", d.Before.Samples, d.After.Samples, d.Before.Runs, d.After.Runs, 100*d.Options.Noise, what)
	}
	switch d.Changed {
	case 0:
		return fmt.Sprintf("no change beyond chance in %d functions %s", len(d.Functions), tail)
	case 1:
		return fmt.Sprintf("1 of %d functions changed beyond chance %s", len(d.Functions), tail)
	}
	return fmt.Sprintf("%d of %d functions changed beyond chance %s", d.Changed, len(d.Functions), tail)
}

// DiffList is what WriteDiffJSON writes.
type DiffList struct {
	By           string      `json:"by"` // share or time
	LevelPercent float64     `json:"levelPercent"`
	NoisePercent float64     `json:"noisePercent"`
	Before       DiffSide    `json:"before"`
	After        DiffSide    `json:"after"`
	Changed      int         `json:"changed"`
	Functions    []ChangeRow `json:"functions"` // what changed first
}

// DiffSide is a Recorded in JSON.
type DiffSide struct {
	Runs      int     `json:"runs"`
	Samples   int     `json:"samples"`
	Ticks     int64   `json:"ticks"`
	BusyTicks int64   `json:"busyTicks"`
	BusyMs    float64 `json:"busyMs"` // of one run
}

// ChangeRow is a Change in JSON.
type ChangeRow struct {
	Name   string `json:"name"` // as displayed
	File   string `json:"file"`
	Line   int32  `json:"line,omitempty"`
	Status Status `json:"status,omitempty"` // new or gone
	// HoldsOthers: its time includes that of functions without checks.
	HoldsOthers bool     `json:"holdsOthers,omitempty"`
	Self        ShiftRow `json:"self"`
	Total       ShiftRow `json:"total"`
}

// ShiftRow is a Shift in JSON: shares in percent of the busy ticks, times in
// milliseconds. Change is in points of share or, by time, in percent of the time
// before; null where there was none. Least is Shift.Least, null where there are too few
// samples.
type ShiftRow struct {
	Before      float64  `json:"before"`
	After       float64  `json:"after"`
	TicksBefore int64    `json:"ticksBefore"`
	TicksAfter  int64    `json:"ticksAfter"`
	MsBefore    float64  `json:"msBefore"`
	MsAfter     float64  `json:"msAfter"`
	Change      *float64 `json:"change"`
	Margin      float64  `json:"margin"`
	Least       *float64 `json:"leastPercent"`
	P           float64  `json:"p"`
	Significant bool     `json:"significant"`
}

// NewDiffList makes a list of a comparison, with the first n functions, or the
// significant ones when there are more; all when n is not above 0.
func NewDiffList(d *Difference, n int) DiffList {
	by := "share"
	if d.Options.SameWork {
		by = "time"
	}
	list := DiffList{By: by, LevelPercent: 100 * d.Options.Level, NoisePercent: 100 * d.Options.Noise,
		Before: d.Before.side(), After: d.After.side(), Changed: d.Changed, Functions: []ChangeRow{}}
	for i := range d.Functions {
		if n > 0 && i >= max(n, d.Changed) {
			break
		}
		c := &d.Functions[i]
		list.Functions = append(list.Functions, ChangeRow{c.Name, c.File, c.Line, c.Status, c.HoldsOthers, c.Self.row(d.Options.SameWork), c.Total.row(d.Options.SameWork)})
	}
	return list
}

func (r *Recorded) side() DiffSide {
	return DiffSide{r.Runs, r.Samples, r.Ticks, r.Busy, 1e3 * r.Seconds}
}

func (s *Shift) row(sameWork bool) ShiftRow {
	r := ShiftRow{Before: s.Before, After: s.After, TicksBefore: s.TicksBefore, TicksAfter: s.TicksAfter,
		MsBefore: 1e3 * s.SecondsBefore, MsAfter: 1e3 * s.SecondsAfter, Margin: s.Margin, P: s.P, Significant: s.Significant}
	if c := s.Change(sameWork); !math.IsInf(c, 0) && !math.IsNaN(c) {
		r.Change = &c
	}
	if !math.IsInf(s.Least, 0) {
		r.Least = &s.Least
	}
	return r
}

// WriteDiffJSON writes NewDiffList as indented JSON, in which a terminal finds
// nothing to obey.
func WriteDiffJSON(w io.Writer, d *Difference, n int) error { return EncodeJSON(w, NewDiffList(d, n)) }
