package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/profile/view"
)

// table is an answer as a table.
type table struct {
	rows    [][]string // the first is the head
	numbers int        // columns
	isTime  bool       // rows are moments, in order: the latest are shown
	notes   []string   // below it
	none    string     // what to say if there are no rows
}

// printed makes a table of an answer and prints it.
func printed[Answer any](of func(*Answer) table) func(io.Writer, []byte, int) error {
	return func(w io.Writer, text []byte, top int) error {
		a, err := read[Answer](text)
		if err != nil {
			return err
		}
		return printTable(w, of(a), top)
	}
}

func read[Answer any](text []byte) (*Answer, error) {
	a := new(Answer)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("the answer is not as this version of instrument knows it: %w", err)
	}
	return a, nil
}

// printTable prints the first rows, or the latest.
func printTable(w io.Writer, t table, top int) error {
	all := len(t.rows) - 1
	rows, left := t.rows[:1+shownRows(all, top)], "more"
	if t.isTime {
		rows, left = slices.Concat(t.rows[:1], t.rows[1+all-shownRows(all, top):]), "earlier"
	}
	if all == 0 {
		if _, err := fmt.Fprintln(w, cmp.Or(t.none, "there is nothing to show; instrument query values lists what pages have sent")); err != nil {
			return err
		}
	} else if err := writeRows(w, rows, t.numbers, all, left); err != nil {
		return err
	}
	for _, note := range t.notes {
		if _, err := fmt.Fprintln(w, view.Printable(note)); err != nil {
			return err
		}
	}
	return nil
}

// cell makes a text from pages printable, and short enough for a table.
func cell(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return view.Printable(text)
}

// where returns the place of a function. Long paths lose their beginning.
func where(f *answer.Function) string {
	const most = 48
	text := f.File
	if runes := []rune(text); len(runes) > most {
		text = "…" + string(runes[len(runes)-most+1:])
	}
	if f.Line > 0 {
		text += ":" + strconv.Itoa(int(f.Line))
	}
	return view.Printable(text)
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

func count(n float64) string { return fmt.Sprintf("%.0f", n) }

// lasting formats a time in the unit that fits.
func lasting(ms float64) string {
	switch d := time.Duration(ms * 1e6); {
	case d >= 2*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	case d >= 2*time.Minute:
		return fmt.Sprintf("%.1f min", d.Minutes())
	case d >= 2*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", ms)
}

// estimate formats a figure and its interval.
func estimate(e *answer.Estimate, text func(float64) string) (figure, interval string) {
	switch {
	case e == nil:
		return "–", ""
	case e.Low == e.High:
		return text(e.Value), ""
	}
	return text(e.Value), text(e.Low) + "–" + text(e.High)
}

func overviewTable(o *answer.Overview) table {
	t := table{numbers: 9, notes: []string{fmt.Sprintf("%s to %s; views are estimated, and intervals are of 95%%", minute(o.From), minute(o.To))}}
	t.rows = [][]string{append([]string{"views", "profiled", "INP p75 ms", "", "CPU ms/view", "", "busy", "slow", "long tasks"}, o.By...)}
	for _, r := range o.Rows {
		inp, inpInterval := estimate(r.INP, count)
		cpu, cpuInterval := estimate(r.CPU, count)
		busy, _ := estimate(r.BusyShare, percent)
		slow, _ := estimate(r.SlowShare, percent)
		tasks := "–"
		if r.LongTasks != nil {
			tasks = fmt.Sprintf("%.1f", *r.LongTasks)
		}
		row := []string{count(r.AllViews), strconv.FormatInt(r.Views, 10), inp, inpInterval, cpu, cpuInterval, busy, slow, tasks}
		for _, label := range o.By {
			row = append(row, cell(r.Labels[label]))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// minute formats a moment in UTC, as the API does.
func minute(at time.Time) string { return at.UTC().Format("2006-01-02 15:04Z") }

func functionsTable(f *answer.Functions) table {
	t := table{rows: [][]string{{"self", "total", "self time", "total time", "function", "where"}}, numbers: 4, notes: f.Notes}
	for _, r := range f.Functions {
		t.rows = append(t.rows, []string{percent(r.SelfShare), percent(r.TotalShare), lasting(r.SelfMs), lasting(r.TotalMs), cell(r.Name), where(&r.Function)})
	}
	if f.Ticks == 0 {
		return t
	}
	t.notes = append(t.notes, fmt.Sprintf("busy time of all sessions: %s, estimated from %d ticks", lasting(f.BusyMs), f.Ticks))
	return t
}

func printSlicesFound(w io.Writer, text []byte, top int) error {
	s, err := read[answer.Slices](text)
	if err != nil {
		return err
	}
	subjects := table{rows: [][]string{{"all", "received", "p50 ms", "p75 ms", "max ms", "slow", "mostly"}}, numbers: 5}
	for _, r := range s.Subjects {
		mostly := ""
		if len(r.Causes) > 0 {
			mostly = fmt.Sprintf("%s: %s", percent(r.Causes[0].Share), named(&r.Causes[0].Function))
		}
		subjects.rows = append(subjects.rows, []string{count(r.All), strconv.FormatInt(r.Count, 10), count(r.P50Ms), count(r.P75Ms), count(r.MaxMs), subject(r.What, r.Name, r.Target), mostly})
	}
	if err := printTable(w, subjects, top); err != nil || len(s.Slices) == 0 {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	found := table{rows: [][]string{{"ms", "id", "slow", "why"}}, numbers: 1, notes: s.Notes}
	for _, r := range s.Slices {
		found.rows = append(found.rows, []string{count(r.DurationMs), cell(r.ID), subject(r.What, r.Name, r.Target), view.Printable(r.Why)})
	}
	return printTable(w, found, top)
}

func subject(what, name, target string) string {
	parts := []string{kindOf(what), name, target}
	return cell(strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " "))
}

func named(f *answer.Function) string {
	if place := where(f); place != "" {
		return cell(f.Name) + " (" + place + ")"
	}
	return cell(f.Name)
}

func printSlice(w io.Writer, text []byte, top int) error {
	s, err := read[answer.Slice](text)
	if err != nil {
		return err
	}
	var labels []string
	for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
		labels = append(labels, cell(name+" "+s.Labels[name]))
	}
	var groups []string
	for _, name := range slices.SortedFunc(maps.Keys(s.Groups), func(a, b string) int { return cmp.Compare(s.Groups[b], s.Groups[a]) }) {
		if s.Groups[name] >= 0.05 {
			groups = append(groups, cell(name)+" "+lasting(s.Groups[name]))
		}
	}
	_, err = fmt.Fprintf(w, "%s, %s\n%s\n%s\n%s\n\n", subject(s.What, s.Name, s.Target), minute(s.At), view.Printable(s.Why), strings.Join(groups, ", "), strings.Join(labels, ", "))
	if err != nil || len(s.Functions) == 0 {
		return err
	}
	t := table{rows: [][]string{{"self ms", "total ms", "group", "function", "where"}}, numbers: 2}
	for _, f := range s.Functions {
		t.rows = append(t.rows, []string{fmt.Sprintf("%.1f", f.SelfMs), fmt.Sprintf("%.1f", f.TotalMs), cell(f.Group), cell(f.Name), where(&f.Function)})
	}
	return printTable(w, t, top)
}

func printDiff(w io.Writer, text []byte, _ int) error {
	d, err := read[answer.Diff](text)
	if err != nil {
		return err
	}
	t := table{rows: [][]string{{"self before", "after", "change", "total before", "after", "change", "function", "where"}}, numbers: 6,
		notes: []string{fmt.Sprintf("before: %s; after: %s", d.Before, d.After), d.Summary}}
	side := func(s *view.ShiftRow) []string {
		change := fmt.Sprintf("%+.1f", s.After-s.Before)
		if s.Significant {
			change = "*" + change
		}
		return []string{fmt.Sprintf("%.1f%%", s.Before), fmt.Sprintf("%.1f%%", s.After), change}
	}
	for _, r := range d.Diff.Functions {
		name := cell(r.Name)
		if r.Status != view.Both {
			name += " (" + cell(string(r.Status)) + ")"
		}
		row := append(side(&r.Self), side(&r.Total)...)
		t.rows = append(t.rows, append(row, name, where(&answer.Function{File: r.File, Line: r.Line})))
	}
	return printTable(w, t, 0) // the collector has sent as many as were asked for, or all that changed
}

func trendTable(t *answer.Trend) table {
	out := table{rows: [][]string{{"self", "", "total", "", "ticks", "since", ""}}, numbers: 5, isTime: true, notes: []string{named(&t.Function)}}
	for i, p := range t.Points {
		self, selfInterval := estimate(p.Self, percent)
		total, totalInterval := estimate(p.Total, percent)
		var began []string
		for _, r := range t.Releases {
			if !r.At.Before(p.At) && (i+1 == len(t.Points) || r.At.Before(t.Points[i+1].At)) {
				began = append(began, "release "+cell(r.Release))
			}
		}
		out.rows = append(out.rows, []string{self, selfInterval, total, totalInterval, strconv.FormatInt(p.Ticks, 10), minute(p.At), strings.Join(began, ", ")})
	}
	return out
}

func examplesTable(e *answer.Examples) table {
	t := table{rows: [][]string{{"busy", "at", "id", "route", "release", "browser"}}, numbers: 1}
	for _, r := range e.Examples {
		t.rows = append(t.rows, []string{lasting(r.BusyMs), minute(r.At), cell(r.ID), cell(r.Labels["route"]), cell(r.Labels["release"]), cell(r.Labels["browser"])})
	}
	return t
}

func valuesTable(v *answer.Values) table {
	t := table{rows: [][]string{{"chunks", "label", "value"}}, numbers: 1}
	for _, l := range v.Labels {
		for _, value := range l.Values {
			t.rows = append(t.rows, []string{strconv.FormatInt(value.Chunks, 10), cell(l.Name), cell(value.Value)})
		}
	}
	return t
}

func budgetsTable(b *answer.Budgets) table {
	t := table{rows: [][]string{{"measured", "margin", "max", "of", "budget", "", "since"}}, numbers: 3,
		none: "no budgets have been checked: name a file of them in the settings of the app"}
	for _, r := range b.Budgets {
		state, since := "kept", ""
		if r.Broken {
			state = "BROKEN"
		}
		if !r.Since.IsZero() {
			since = minute(r.Since)
		}
		amount := func(v float64) string { return fmt.Sprintf("%.1f%s", v, cell(r.Unit)) }
		t.rows = append(t.rows, []string{amount(r.Value), fmt.Sprintf("± %.1f", r.Margin), amount(r.Max), cell(r.Measure), cell(r.Name), state, since})
	}
	return t
}

// files is the answer about files.
type files struct {
	Files []struct {
		Release, Name, Kind string
		Size                int64
		Uploaded            time.Time
	}
}

func filesTable(f *files) table {
	t := table{rows: [][]string{{"bytes", "uploaded", "release", "kind", "file"}}, numbers: 1, none: "no files have been uploaded: instrument upload sends them"}
	for _, r := range f.Files {
		t.rows = append(t.rows, []string{strconv.FormatInt(r.Size, 10), minute(r.Uploaded), cell(r.Release), cell(r.Kind), cell(r.Name)})
	}
	return t
}

func appsTable(a *struct{ Apps []string }) table {
	t := table{rows: [][]string{{"app"}}}
	for _, name := range a.Apps {
		t.rows = append(t.rows, []string{cell(name)})
	}
	return t
}
