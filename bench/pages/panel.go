package pages

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Panel is how evenly the live panel draws while its sources stream.
type Panel struct {
	figures.Origin
	Runs    int    `json:"runs"`
	Samples int    `json:"samples"`
	Sources int    `json:"sources"`
	Window  string `json:"window"` // pixels
	// OpenSeconds is the time from the navigation until all samples are in view.
	OpenSeconds float64    `json:"openSeconds"`
	Rows        []PanelRow `json:"rows"`
}

// PanelRow is a view, or something that moves in it.
type PanelRow struct {
	View               string  `json:"view"`
	Frames             Frames  `json:"frames"`
	SnapshotsPerSecond float64 `json:"snapshotsPerSecond"`
}

// watchedViews are the rows; watch.js names them. The first is a page without a panel.
var watchedViews = []string{"an empty page", "flame graph", "flame graph, zooming", "time order", "functions", "functions, scrolling", "top down", "bottom up"}

// Table implements figures.Report.
func (p *Panel) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. The live panel in Chromium without a graphics card, a window of %s pixels, with %d samples of %d sources that stream a sample a millisecond each; %d runs. It shows all samples **%.1f s** after the navigation.\n\n",
		p.WithGo(), p.Window, p.Samples, p.Sources, p.Runs, p.OpenSeconds)
	b.WriteString("From one frame to the next, in milliseconds; *an empty page* is the best the machine can do:\n\n| view | snapshots a second | frames | median | 95 % | longest |\n|---|---|---|---|---|---|\n")
	for _, row := range p.Rows {
		fmt.Fprintf(&b, "| %s | %.1f | %d | %.1f | %.1f | %.1f |\n", row.View, row.SnapshotsPerSecond, row.Frames.Count, row.Frames.MedianMs, row.Frames.P95Ms, row.Frames.LongestMs)
	}
	return b.String()
}
