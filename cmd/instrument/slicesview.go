package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	slow "github.com/fieldprof/fieldprof/profile/slices"
	"github.com/fieldprof/fieldprof/profile/view"
)

// writeSlices prints a table of what was slow, and one of the slices.
func writeSlices(w io.Writer, found []slow.Slice, rows int) error {
	summaries := slow.Summarize(found)
	table := [][]string{{"count", "p50 ms", "p75 ms", "max ms", "explained", "slow", "mostly"}}
	for _, s := range summaries[:shownRows(len(summaries), rows)] {
		table = append(table, []string{strconv.Itoa(s.Count), whole(s.P50), whole(s.P75), whole(s.Max),
			fmt.Sprintf("%.0f%%", 100*float64(s.Explained)/float64(s.Count)), printableSubject(s.Subject), s.Mostly})
	}
	if err := writeRows(w, table, 5, len(summaries), "more"); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	table = [][]string{{"slice", "ms", "slow", "why"}}
	for i := range found[:shownRows(len(found), rows)] {
		s := &found[i]
		table = append(table, []string{strconv.Itoa(i + 1), whole(s.Mark.Duration), printableSubject(s.Subject()), s.Explain()})
	}
	return writeRows(w, table, 2, len(found), "more")
}

// writeRows writes some of all rows, and how many are left out, which are more or earlier.
func writeRows(w io.Writer, table [][]string, numbers, all int, which string) error {
	if err := view.WriteTable(w, table, numbers); err != nil {
		return err
	}
	if left := all - len(table) + 1; left > 0 {
		_, err := fmt.Fprintf(w, "… and %d %s\n", left, which)
		return err
	}
	return nil
}

// shownRows is how many of n rows are shown, of at most limit; 0 is no limit.
func shownRows(n, limit int) int {
	if limit == 0 {
		return n
	}
	return min(n, limit)
}

func whole(d time.Duration) string { return fmt.Sprintf("%.0f", float64(d)/1e6) }

// longestSubject is the most characters of what was slow in a table.
const longestSubject = 60

// printableSubject is what was slow: "interaction click button#save".
func printableSubject(s slow.Subject) string {
	text := kindOf(string(s.What))
	for _, part := range []string{s.Name, s.Target} {
		if part != "" {
			text += " " + part
		}
	}
	if runes := []rune(text); len(runes) > longestSubject {
		text = string(runes[:longestSubject-1]) + "…"
	}
	return view.Printable(text)
}

// sliceJSON is a slice as --json prints it. Times are in milliseconds.
type sliceJSON struct {
	Slice        int                    `json:"slice"` // its number
	File         string                 `json:"file"`
	Page         string                 `json:"page,omitempty"`
	What         string                 `json:"what"`
	Name         string                 `json:"name"`
	Target       string                 `json:"target,omitempty"`
	Begin        *time.Time             `json:"begin,omitempty"` // if the profile says when it began
	Time         float64                `json:"time"`            // since the profile's start
	Duration     float64                `json:"duration"`
	InputDelay   float64                `json:"inputDelay,omitempty"`
	Processing   float64                `json:"processing,omitempty"`
	Presentation float64                `json:"presentation,omitempty"`
	Explain      string                 `json:"explain"`
	Groups       map[slow.Group]float64 `json:"groups"`
	Cause        *functionJSON          `json:"cause,omitempty"`
	Handler      *functionJSON          `json:"handler,omitempty"`
	Functions    []functionJSON         `json:"functions"`
}

// functionJSON is a function and its time in a slice.
type functionJSON struct {
	Name   string     `json:"name"`
	File   string     `json:"file"`
	Line   int32      `json:"line"`
	Column int32      `json:"column"`
	Group  slow.Group `json:"group,omitempty"`
	Time   float64    `json:"time,omitempty"` // of a cause
	Self   float64    `json:"self,omitempty"`
	Total  float64    `json:"total,omitempty"`
}

type summaryJSON struct {
	What      string  `json:"what"`
	Name      string  `json:"name"`
	Target    string  `json:"target,omitempty"`
	Count     int     `json:"count"`
	P50       float64 `json:"p50"`
	P75       float64 `json:"p75"`
	Max       float64 `json:"max"`
	Explained int     `json:"explained"`
	Mostly    string  `json:"mostly,omitempty"`
}

func writeSlicesJSON(w io.Writer, found []slow.Slice, fileOf func(*slow.Slice) string) error {
	all := struct {
		Summaries []summaryJSON `json:"summaries"`
		Slices    []sliceJSON   `json:"slices"`
	}{[]summaryJSON{}, []sliceJSON{}}
	for _, s := range slow.Summarize(found) {
		all.Summaries = append(all.Summaries, summaryJSON{kindOf(string(s.What)), s.Name, s.Target, s.Count, ms(s.P50), ms(s.P75), ms(s.Max), s.Explained, s.Mostly})
	}
	for i := range found {
		row := newSliceJSON(&found[i])
		row.Slice, row.File = i+1, fileOf(&found[i])
		all.Slices = append(all.Slices, row)
	}
	return view.EncodeJSON(w, all)
}

func newSliceJSON(s *slow.Slice) sliceJSON {
	m, b, of := &s.Mark, &s.Blame, &s.Of().Meta
	row := sliceJSON{Page: of.Program, What: kindOf(string(m.What)), Name: m.Name, Target: m.Target, Time: ms(m.Time), Duration: ms(m.Duration),
		InputDelay: ms(m.InputDelay), Processing: ms(m.Processing), Presentation: ms(m.Presentation),
		Explain: s.Explain(), Groups: map[slow.Group]float64{}, Functions: []functionJSON{}}
	if !of.Start.IsZero() {
		begin := of.Start.Add(m.Time)
		row.Begin = &begin
	}
	for g, d := range b.Groups {
		row.Groups[g] = ms(d)
	}
	named := func(f profile.Function) functionJSON {
		return functionJSON{Name: cmp.Or(f.Name, f.Label()), File: f.File, Line: f.Line, Column: f.Column}
	}
	if b.Cause != nil {
		cause := named(b.Cause.Function)
		cause.Group, cause.Time = b.Cause.Group, ms(b.Cause.Time)
		row.Cause = &cause
	}
	if b.Handler != nil {
		handler := named(*b.Handler)
		row.Handler = &handler
	}
	for _, f := range b.Functions {
		out := named(f.Function)
		out.Group, out.Self, out.Total = f.Group, ms(f.Self), ms(f.Total)
		row.Functions = append(row.Functions, out)
	}
	return row
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
