package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/profile"
)

// TicksReport is how well the clock keeps time while a script is busy.
type TicksReport struct {
	figures.Origin
	Rows []TicksRow `json:"rows"`
}

// TicksRow is one setting: the share of the nominal ticks that was raised, in
// percent (median of the runs and the lowest), and how late and how far from
// their checks they were.
type TicksRow struct {
	Procs     int           `json:"gomaxprocs"`
	Interval  time.Duration `json:"intervalNs"`
	Delivered float64       `json:"deliveredPercent"`
	Runs      []float64     `json:"runs"`
	Late      time.Duration `json:"p95LateNs"`
	Skid      time.Duration `json:"p95SkidNs"`
}

// busy is a script that never rests: a checked function called in a loop.
const busy = `function work(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) %% 65521; return s; }
const until = performance.now() + %d;
let sum = 0;
while (performance.now() < until) sum += work(200);
`

// Ticks counts the ticks a busy script gets at one and two processors.
func Ticks(ctx context.Context, runs int, progress figures.Progress) (*TicksReport, error) {
	report := &TicksReport{Origin: figures.Runs("ticks", runs)}
	directory, err := os.MkdirTemp("", "fieldprof-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory)
	path := filepath.Join(directory, "busy.js")
	if err := os.WriteFile(path, fmt.Appendf(nil, busy, 1500), 0o644); err != nil {
		return nil, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2} {
		for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
			runtime.GOMAXPROCS(procs)
			row := TicksRow{Procs: procs, Interval: interval}
			for run := range runs {
				progress.Show("ticks, GOMAXPROCS %d, %v, run %d of %d", procs, interval, run+1, runs)
				result, err := record(ctx, path, nil, interval, uint64(run+1))
				if err != nil {
					return nil, err
				}
				meta := result.Profile.Meta
				nominal := float64(result.Elapsed) / float64(interval)
				row.Runs = append(row.Runs, 100*float64(meta.Ticks.Raised)/nominal)
				row.Late, row.Skid = meta.Late.P95, figures.SkidsOf([]*profile.Profile{result.Profile}).P95
			}
			row.Delivered = figures.Median(row.Runs)
			report.Rows = append(report.Rows, row)
		}
	}
	return report, nil
}

// Table implements figures.Report.
func (r *TicksReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ticks raised while a script is busy, in percent of the nominal number: median of the runs (lowest).\n%s.\n\n", r.InShort())
	b.WriteString("| GOMAXPROCS | interval | delivered | p95 late | p95 skid |\n|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %d | %v | %.1f (%.1f) | %v | %v |\n", row.Procs, row.Interval, row.Delivered, slices.Min(row.Runs), row.Late, row.Skid)
	}
	return b.String()
}
