package recording

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/internal/cputime"
)

// FullReport is how long the profile of a full recording takes, by how many stacks it has.
type FullReport struct {
	figures.Origin
	Rows []FullRow `json:"rows"`
}

// FullRow is one recording: what its profile holds, and the time of a profile by the clock
// (median, and the fastest, which was disturbed least) and of the processor (median).
type FullRow struct {
	Kinds     int       `json:"kinds"` // of stacks that the script has
	Samples   int       `json:"samples"`
	Stacks    int       `json:"stacks"` // with those of all callers
	Clock     float64   `json:"clockMs"`
	Fastest   float64   `json:"fastestMs"`
	Processor float64   `json:"processorMs,omitempty"`
	Runs      []float64 `json:"clockRunsMs"`
}

// full is a script with checks written by hand. It has as many stacks as it is asked for,
// each of 20 functions, in an order in which the next is like none of the last.
const full = `function leaf() { var f = $flag; if (f) $capture(1); }
function left(i, d) { if (d == 0) leaf(); else if (i % 2) right(i >> 1, d - 1); else left(i >> 1, d - 1); }
function right(i, d) { if (d == 0) leaf(); else if (i % 2) right(i >> 1, d - 1); else left(i >> 1, d - 1); }
function fill(kinds, n) { for (var i = 0; i < n; i++) left(i * 7919 % kinds, 18); }`

// profilesEach is how many profiles of a recording each run makes.
const profilesEach = 20

// Full measures profiles of recordings that have let their oldest samples fall out. A
// recording that has many stacks is full with fewer samples.
func Full(runs int, progress figures.Progress) (*FullReport, error) {
	report := &FullReport{Origin: figures.Runs("full", runs)}
	for _, kinds := range []int{1, 1000, 100_000} {
		progress.Show("full, %d stacks", kinds)
		host, stop, err := fullHost(kinds)
		if err != nil {
			return nil, err
		}
		row := FullRow{Kinds: kinds}
		var spent []float64
		for range runs * profilesEach {
			began := time.Now()
			before, known := cputime.Process()
			p := host.Profile()
			after, _ := cputime.Process()
			row.Runs = append(row.Runs, float64(time.Since(began))/1e6)
			if known {
				spent = append(spent, float64(after-before)/1e6)
			}
			row.Samples, row.Stacks = p.Len(), len(p.Stacks.Parent)
		}
		stop()
		row.Clock, row.Fastest = figures.Median(row.Runs), slices.Min(row.Runs)
		if len(spent) > 0 {
			row.Processor = figures.Median(spent)
		}
		report.Rows = append(report.Rows, row)
	}
	return report, nil
}

// fullHost is a host whose recording is full. Its flag is up at every check.
func fullHost(kinds int) (host *gojahost.Host, stop func(), err error) {
	clock := coordinator.New(coordinator.Options{Interval: 1000 * time.Hour})
	host, err = handChecked(full, clock, true)
	if err != nil {
		return nil, nil, err
	}
	vm := host.Runtime()
	fill, _ := goja.AssertFunction(vm.Get("fill"))
	stop = clock.Start()
	_, err = host.Callable(fill)(nil, vm.ToValue(kinds), vm.ToValue(gojahost.MaxSamples*9/8))
	return host, stop, err
}

// Table implements figures.Report.
func (r *FullReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Time of the profile of a full recording in goja, in milliseconds: by the clock the median and the fastest, and the processor's.\n%s.\n\n", r.InShort())
	b.WriteString("| stacks | samples | stacks with those of callers | clock | fastest | processor |\n|---|---|---|---|---|---|\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&b, "| %d | %d | %d | %.1f | %.1f | %.1f |\n", row.Kinds, row.Samples, row.Stacks, row.Clock, row.Fastest, row.Processor)
	}
	return b.String()
}
