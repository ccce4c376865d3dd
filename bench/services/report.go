package services

import (
	"fmt"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Report is what being recorded costs services, and what their profiles name.
type Report struct {
	figures.Origin
	Window   time.Duration `json:"windowNs"`
	Services []Service     `json:"services"`
}

// Service is one service.
type Service struct {
	Name      string    `json:"name"`
	PerSecond float64   `json:"perSecond"` // requests that were due
	CPU       Compared  `json:"cpu"`       // ms of processor time a request
	P50       Compared  `json:"p50"`       // ms
	P99       Compared  `json:"p99"`       // ms
	Profiles  Profiles  `json:"profiles"`
	Sets      [][]Block `json:"sets"` // of processes that were started together
}

// Block has a window of each way.
type Block map[string]Window

// Compared is a figure of the clean processes, and by how many percent others differ.
type Compared struct {
	Clean  float64           `json:"clean"`
	Floor  estimate.Estimate `json:"floor"`  // the second clean process, from the first
	Change estimate.Estimate `json:"change"` // the recorded one, from both
}

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP services in Node that are recorded all day, 10 ms between ticks, against clean ones under the same load: by turns, %v each.\n"+
		"Changes are in percent with 95 %% intervals. *Floor* is a second clean process against the first; intervals are about other processes. Times of requests are from when they were due.\n%s", r.Window, r.InShort())
	if node := r.Machine.Tools["node"]; node != "" {
		fmt.Fprintf(&b, ", Node %s", figures.Cell(node))
	}
	b.WriteString(".\n\n| service | requests/s | processes a way | windows of each | CPU ms/request | floor | recorded | median ms | floor | recorded | p99 ms | floor | recorded |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, s := range r.Services {
		fmt.Fprintf(&b, "| %s | %.0f | %d | %d | %s | %s | %s |\n", figures.Cell(s.Name), s.PerSecond, len(s.Sets), len(s.Sets[0]), s.CPU, s.P50, s.P99)
	}
	b.WriteString("\nThe profiles of these processes, and one of `node --cpu-prof` in which the time of Node's own code is its caller's. Shares are of the busy time.\n\n" +
		"| service | files | busy ticks | (program) in ours | in Node's | of Node's ten hottest, in ours | among our ten hottest |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, s := range r.Services {
		p := &s.Profiles
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f %% | %.1f %% | %d | %d |\n", figures.Cell(s.Name), p.Files, p.Ticks, p.Program.Ours, p.Program.Node, p.Shown, p.Among)
	}
	for _, s := range r.Services {
		fmt.Fprintf(&b, "\n**%s**: the ten hottest functions of `node --cpu-prof`.\n\n| function | file | Node's profiler | ours | rank in ours |\n|---|---|---:|---:|---:|\n", figures.Cell(s.Name))
		for _, hot := range s.Profiles.Hottest {
			rank := "–"
			if hot.Rank > 0 {
				rank = fmt.Sprint(hot.Rank)
			}
			fmt.Fprintf(&b, "| %s | %s:%d | %.1f %% | %.1f %% | %s |\n", figures.Cell(hot.Name), figures.Cell(hot.File), hot.Line, hot.Node, hot.Ours, rank)
		}
	}
	return b.String()
}

// String is the value and both changes, as cells of a table.
func (c Compared) String() string {
	change := func(e estimate.Estimate) string { return figures.Change(e.Value, e.Low, e.High) }
	return fmt.Sprintf("%.2f | %s | %s", c.Clean, change(c.Floor), change(c.Change))
}

// CSV implements figures.Rows.
func (r *Report) CSV() []figures.Row {
	var rows []figures.Row
	for _, s := range r.Services {
		for _, c := range []struct {
			name string
			of   Compared
		}{{"processor time a request", s.CPU}, {"median time of a request", s.P50}, {"p99 of the time of a request", s.P99}} {
			row := figures.Row{Engine: "node", Program: s.Name, Way: clean}
			rows = append(rows, estimate.Exactly(c.of.Clean).Row(row, c.name+", ms"))
			for _, other := range []struct {
				way string
				by  estimate.Estimate
			}{{again, c.of.Floor}, {continuous, c.of.Change}} {
				row.Way = other.way
				rows = append(rows, other.by.Row(row, c.name+", % over clean"))
			}
		}
		p := &s.Profiles
		for _, c := range []struct {
			way, figure string
			value       float64
		}{
			{continuous, "(program), % of the busy time", p.Program.Ours}, {sampled, "(program), % of the busy time", p.Program.Node},
			{continuous, "of Node's ten hottest functions, shown", float64(p.Shown)}, {continuous, "of Node's ten hottest functions, among the ten hottest", float64(p.Among)},
		} {
			rows = append(rows, figures.Row{Engine: "node", Program: s.Name, Way: c.way, Figure: c.figure, Value: c.value, Low: c.value, High: c.value, Measured: int(p.Ticks)})
		}
	}
	return rows
}
