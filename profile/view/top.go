package view

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Widths that names and places are cut to in a table.
const (
	nameWidth  = 44
	placeWidth = 48
)

// WriteTop writes the n functions with the most self time as a table, or all
// of them when n is not above 0. Functions that were only ever on their way to
// others (no self time) come last.
func WriteTop(w io.Writer, p *profile.Profile, n int) error {
	rows, left := firstRows(p, n)
	unit, header := "ms", []string{"self ms", "self", "total ms", "total", "samples", "function", "where"}
	if p.Meta.Interval == 0 { // no clock: ticks are all we have
		unit, header[0], header[2] = "ticks", "self ticks", "total ticks"
	}
	table := [][]string{header}
	for _, r := range rows {
		self, total := millis(r.SelfTime), millis(r.TotalTime)
		if unit == "ticks" {
			self, total = strconv.FormatInt(r.Self, 10), strconv.FormatInt(r.Total, 10)
		}
		table = append(table, []string{self, percentText(r.SelfPercent), total, percentText(r.TotalPercent), strconv.Itoa(r.Samples),
			marked(r.Name, r.HoldsOthers, nameWidth), fit(place(r.File, r.Line), placeWidth, true)})
	}
	out := bufio.NewWriter(w) // whose Flush says if anything failed
	_ = WriteTable(out, table, 5)
	writeMore(out, left)
	writeLegend(out, slices.ContainsFunc(rows, func(r Row) bool { return r.HoldsOthers }))
	return out.Flush()
}

// writeMore says how many rows a table leaves out.
func writeMore(out *bufio.Writer, left int) {
	if left > 0 {
		fmt.Fprintf(out, "… and %d more\n", left)
	}
}

// firstRows are the first n rows, or all when n is not above 0; left is how many others
// there are.
func firstRows(p *profile.Profile, n int) (rows []Row, left int) {
	rows = Flat(p)
	if n <= 0 || len(rows) <= n {
		return rows, 0
	}
	return rows[:n], len(rows) - n
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/1e6) }

func percentText(p float64) string { return fmt.Sprintf("%.1f%%", p) }

// place is "file:line", as far as known.
func place(file string, line int32) string {
	file = Printable(file)
	if file == "" || line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(int(line))
}

// WriteTable writes rows of printable cells for a terminal, columns aligned by their
// widths there: the first ones, numbers, to the right. All rows are as long as the
// first.
func WriteTable(w io.Writer, table [][]string, numbers int) error {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	out := bufio.NewWriter(w)
	for _, row := range table {
		var line strings.Builder
		for i, cell := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[i]-width(cell))
			if i < numbers {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " "))
		out.WriteByte('\n')
	}
	return out.Flush()
}

// Top is what WriteJSON writes.
type Top struct {
	Program    string         `json:"program,omitempty"`
	Engine     string         `json:"engine,omitempty"`
	Preset     string         `json:"preset,omitempty"`
	IntervalMs float64        `json:"intervalMs"`
	Health     profile.Health `json:"health"`
	Advice     string         `json:"advice,omitempty"` // see profile.Profile.Advice
	Functions  []TopRow       `json:"functions"`
}

// TopRow is a Row in JSON: times in milliseconds, percentages of all ticks.
type TopRow struct {
	Name         string  `json:"name"` // as displayed
	File         string  `json:"file"`
	Line         int32   `json:"line,omitempty"`
	SelfTicks    int64   `json:"selfTicks"`
	SelfMs       float64 `json:"selfMs"`
	SelfPercent  float64 `json:"selfPercent"`
	TotalTicks   int64   `json:"totalTicks"`
	TotalMs      float64 `json:"totalMs"`
	TotalPercent float64 `json:"totalPercent"`
	Samples      int     `json:"samples"`
	HoldsOthers  bool    `json:"holdsOthers,omitempty"` // time of functions without checks is in its own
}

// NewTop gathers the n functions with the most self time (all when n is not
// above 0) and the profile's health.
func NewTop(p *profile.Profile, n int) Top {
	t := Top{Program: p.Meta.Program, Engine: p.Meta.Engine, Preset: p.Meta.Preset,
		IntervalMs: inMillis(p.Meta.Interval), Health: p.Health(), Advice: p.Advice(), Functions: []TopRow{}}
	rows, _ := firstRows(p, n)
	for _, r := range rows {
		t.Functions = append(t.Functions, TopRow{r.Name, r.File, r.Line, r.Self, inMillis(r.SelfTime), r.SelfPercent,
			r.Total, inMillis(r.TotalTime), r.TotalPercent, r.Samples, r.HoldsOthers})
	}
	return t
}

// WriteJSON writes NewTop as indented JSON, in which a terminal finds nothing to
// obey either: characters that Printable would spell out are escaped as in JSON.
func WriteJSON(w io.Writer, p *profile.Profile, n int) error {
	return EncodeJSON(w, NewTop(p, n))
}

// WriteHealth writes the health of a profile as one line, one for each note of what was
// lost, and its advice if it has some.
func WriteHealth(w io.Writer, p *profile.Profile) error {
	lines := []string{Printable(p.HealthLine())}
	for _, note := range p.Health().Notes {
		lines = append(lines, "lost: "+Printable(note))
	}
	if advice := p.Advice(); advice != "" {
		lines = append(lines, "advice: "+advice)
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func inMillis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
