package collecting

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Report is what the collector bears and costs.
type Report struct {
	figures.Origin
	Once      Stage `json:"once"`
	Four      Stage `json:"four"`
	Sixteen   Stage `json:"sixteen"`
	Told      Stage `json:"told"` // chunks whose idle ticks have a sample each
	Most      Stage `json:"most"`
	Sustained Stage `json:"sustained"`
	Sent      int   `json:"sent"` // chunks that were acknowledged
	// BytesStored is the size of the collector's folder per chunk, at the end.
	BytesStored float64    `json:"bytesStored"`
	Day         Day        `json:"day"`
	Capacity    []Capacity `json:"capacity"`
}

// Capacity is what a number of views costs, computed from what was measured.
type Capacity struct {
	Share     float64 `json:"share"`     // of the views that are profiled
	Chunks    float64 `json:"chunks"`    // a day
	PerSecond float64 `json:"perSecond"` // at the peak
	Cores     float64 `json:"cores"`     // at the peak
	Minutes   float64 `json:"minutes"`   // GB of sums of a minute, as long as they are kept
	Requests  float64 `json:"requests"`  // GB a day that pages send
}

// The model: what a site is taken to be.
const (
	viewsPerDay   = 100e6
	chunksPerView = 1.
	peak          = 3.  // times the mean of a day
	minutesKept   = 2.  // days
	busy          = 0.5 // share of a core that may be, at the peak
)

// capacity computes what 100 million views a day cost.
func capacity(r *Report) (rows []Capacity) {
	for _, share := range []float64{0.001, 0.01, 1} {
		chunks := viewsPerDay * share * chunksPerView
		perSecond := chunks / 86400 * peak
		rows = append(rows, Capacity{
			Share: share, Chunks: chunks, PerSecond: perSecond, Cores: perSecond * (r.Sustained.CPU / 1000) / busy,
			Minutes: chunks * minutesKept * r.Day.BytesStored / 1e9, Requests: chunks * r.Sustained.BytesOfBody / 1e9,
		})
	}
	return rows
}

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. One collector with its own SQLite store; chunks of a minute at 10 ms, %.1f KB as sent. Times are from when a request was due to its acknowledgement; the processor time is the collector's alone, and the bench takes its share of the same processors.\n\n",
		r.WithGo(), r.Sustained.BytesOfBody/1000)
	b.WriteString("| load | due/s | seconds | taken/s | errors | p50 ms | p99 ms | worst ms | disk's p99 | worst | CPU ms/chunk | cores | bench's cores | MB |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range r.stages() {
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %.1f | %d | %.1f | **%.1f** | %.0f | %.1f | %.0f | %.2f | %.2f | %.2f | %.0f |\n",
			s.Name, s.PerSecond, s.Seconds, s.Taken, s.Errors, s.P50, s.P99, s.Worst, s.DiskP99, s.DiskWorst, s.CPU, s.Cores, s.Sender, s.RSS)
	}
	fmt.Fprintf(&b, "\nUnder the sustained load the memory was %.0f MB in the second quarter, and %.0f MB in the last. At the end the collector's folder had %.0f bytes per chunk.\n", r.Sustained.RSSEarly, r.Sustained.RSSLate, r.BytesStored)
	b.WriteString("The disk's times are those of making a block of 4 KB durable, four times a second in the same folder. The sustained load's p99 of each minute, in ms:")
	for _, p99 := range r.Sustained.Minutes {
		fmt.Fprintf(&b, " %.0f", p99)
	}
	b.WriteString(".\n")
	fmt.Fprintf(&b, "\n## A day of %d chunks\n\nWritten directly: %.2f ms of processor time and %.0f bytes of disk per chunk.\n\n| question | first, ms | again, ms |\n|---|---|---|\n", r.Day.Chunks, r.Day.Write, r.Day.BytesStored)
	for _, q := range r.Day.Questions {
		fmt.Fprintf(&b, "| %s | %.0f | %.0f |\n", q.Name, q.First, q.Again)
	}
	b.WriteString("\n| dashboard | first paint, ms | overview, ms | flame graph, ms |\n|---|---|---|---|\n")
	for _, o := range r.Day.Dashboards {
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %.0f |\n", o.Browser, o.Paint, o.Overview, o.Flame)
	}
	b.WriteString("\n## 100 million views a day\n\n| profiled | chunks a day | at the peak, /s | cores | GB of minutes | GB received a day |\n|---|---|---|---|---|---|\n")
	for _, c := range r.Capacity {
		fmt.Fprintf(&b, "| %g %% | %.0f | %.1f | %.2f | %.1f | %.1f |\n", 100*c.Share, c.Chunks, c.PerSecond, c.Cores, c.Minutes, c.Requests)
	}
	return b.String()
}
