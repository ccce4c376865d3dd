package budget

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/fieldprof/fieldprof/profile/view"
)

// WriteText writes a result for a terminal, broken budgets first.
func (r *Result) WriteText(w io.Writer) error {
	table := [][]string{{"measured", "margin", "max", "over by", "of", "budget", ""}}
	for _, l := range r.ordered() {
		over := ""
		if l.Over > 0 {
			over = l.text(l.Over)
		}
		table = append(table, []string{l.text(l.Value), "± " + fmt.Sprintf("%.1f", l.Margin), l.text(l.Max), over, l.Measure, view.Printable(l.Name), l.remark()})
	}
	if err := view.WriteTable(w, table, 4); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, r.Summary())
	return err
}

// Summary is the result in one line.
func (r *Result) Summary() string {
	of := view.Count(r.Profiles, "profile")
	if r.BusyMs > 0 {
		of += fmt.Sprintf(", %.0f ms busy", r.BusyMs)
	}
	switch {
	case r.Broken > 0:
		return fmt.Sprintf("%d of %d budgets broken (%s)", r.Broken, len(r.Budgets), of)
	case len(r.Budgets) == 1:
		return fmt.Sprintf("the budget is kept (%s)", of)
	}
	return fmt.Sprintf("all %d budgets are kept (%s)", len(r.Budgets), of)
}

// ordered are the budgets, broken ones first, else as in the file.
func (r *Result) ordered() []Line {
	var broken, kept []Line
	for _, l := range r.Budgets {
		if l.Over > 0 {
			broken = append(broken, l)
		} else {
			kept = append(kept, l)
		}
	}
	return append(broken, kept...)
}

func (l *Line) text(v float64) string {
	if l.Unit == "%" {
		return fmt.Sprintf("%.1f%%", v)
	}
	return fmt.Sprintf("%.1fms", v)
}

func (l *Line) remark() string {
	switch {
	case l.Over > 0:
		return "BROKEN"
	case l.Functions == 0:
		return "fits no function of the profiles"
	}
	return ""
}

// WriteMarkdown writes a result as the summary of a build.
func (r *Result) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	mark := "✅"
	if r.Broken > 0 {
		mark = "❌"
	}
	fmt.Fprintf(&b, "### %s CPU budgets: %s\n\n| | budget | of | measured | max | over by |\n|---|---|---|---|---|---|\n", mark, r.Summary())
	for _, l := range r.ordered() {
		mark, over := "✅", ""
		switch {
		case l.Over > 0:
			mark, over = "❌", "**"+l.text(l.Over)+"**"
		case l.Functions == 0:
			mark, over = "⚠️", "fits no function of the profiles"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s ± %.1f | %s | %s |\n", mark, inCell(l.Name), l.Measure, l.text(l.Value), l.Margin, l.text(l.Max), over)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// inCell makes a name harmless in a cell of a table: neither markup nor HTML.
func inCell(name string) string {
	name = html.EscapeString(view.Printable(name))
	return markup.Replace(name)
}

var markup = strings.NewReplacer("|", "&#124;", "*", "&#42;", "_", "&#95;", "`", "&#96;", "[", "&#91;", "]", "&#93;", "~", "&#126;", `\`, "&#92;", "@", "&#64;")

// WriteJSON writes a result as indented JSON, in which names are fit for a terminal.
func (r *Result) WriteJSON(w io.Writer) error { return view.EncodeJSON(w, r) }
