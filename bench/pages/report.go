package pages

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Report is how fast reports of a million samples open and move.
type Report struct {
	figures.Origin
	Runs    int    `json:"runs"`
	Samples int    `json:"samples"`
	Window  string `json:"window"` // pixels
	Rows    []Row  `json:"rows"`
}

// Row is one profile. Times are medians of the runs.
type Row struct {
	Profile   string  `json:"profile"`
	Stacks    int     `json:"stacks"`
	Megabytes float64 `json:"megabytes"` // of the page
	// WriteSeconds is how long writing the page takes, OpenSeconds from the
	// navigation to its first complete picture.
	WriteSeconds       float64 `json:"writeSeconds"`
	OpenSeconds        float64 `json:"openSeconds"`
	LongestOpenSeconds float64 `json:"longestOpenSeconds"`
	// ViewsMs is how long another view takes, from the click to its picture.
	ViewsMs map[string]float64 `json:"viewsMs"`
	Frames  map[string]Frames  `json:"frames"` // by what moves
}

// Frames are the times from one frame to the next while something moves.
type Frames struct {
	Count     int     `json:"count"`
	MedianMs  float64 `json:"medianMs"`
	P95Ms     float64 `json:"p95Ms"`
	LongestMs float64 `json:"longestMs"`
}

// views and moves, in the order of the tables; look.js names them.
var (
	views = []string{"Time order", "Functions", "Top down", "Bottom up"}
	moves = []string{"nothing", "functions", "tree", "flame graph", "time order"}
)

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Reports of %d samples in Chromium without a graphics card, a window of %s pixels; the median of %d runs.\n\n",
		r.WithGo(), r.Samples, r.Window, r.Runs)
	b.WriteString("| profile | stacks | page, MB | written | opened | slowest |")
	for _, view := range views {
		fmt.Fprintf(&b, " %s |", view)
	}
	b.WriteString("\n|---|---|---|---|---|---|" + strings.Repeat("---|", len(views)) + "\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.2f s | **%.2f s** | %.2f s |", row.Profile, row.Stacks, row.Megabytes, row.WriteSeconds, row.OpenSeconds, row.LongestOpenSeconds)
		for _, view := range views {
			fmt.Fprintf(&b, " %.0f ms |", row.ViewsMs[view])
		}
		b.WriteString("\n")
	}
	b.WriteString("\nFrom one frame to the next, in milliseconds, while this moves; *nothing* is the best the machine can do:\n\n| profile | what moves | frames | median | 95 % | longest |\n|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		for _, move := range moves {
			f := row.Frames[move]
			fmt.Fprintf(&b, "| %s | %s | %d | %.1f | %.1f | %.1f |\n", row.Profile, move, f.Count, f.MedianMs, f.P95Ms, f.LongestMs)
		}
	}
	return b.String()
}
