package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// OverheadReport says what profiling costs a program in CPU time.
type OverheadReport struct {
	Machine  Machine       `json:"machine"`
	Command  string        `json:"command"`
	Rounds   int           `json:"rounds"`
	Ways     []string      `json:"ways"`
	Programs []OverheadRow `json:"programs"`
	// Geomean of the medians over the programs, in percent, by way.
	Geomean map[string]float64 `json:"geomeanPercent"`
}

// OverheadRow is one program: CPU time of the clean runs, and for each way of
// running it the paired overhead in percent, of each round, with the median.
type OverheadRow struct {
	Program  string                  `json:"program"`
	CleanCPU time.Duration           `json:"cleanCPUNs"`
	Cells    map[string]OverheadCell `json:"ways"`
}

// OverheadCell is the overhead of one way of running one program.
type OverheadCell struct {
	Percent float64   `json:"medianPercent"`
	Rounds  []float64 `json:"rounds"`
}

// Name implements Report.
func (*OverheadReport) Name() string { return "overhead-goja" }

// way is one way of running a program.
type way struct {
	name     string
	settings engine.Settings
}

// ways begins with the clean program twice: the second is the noise floor.
func ways() []way {
	ways := []way{
		{"clean", engine.Settings{Mode: engine.Clean}},
		{"clean again", engine.Settings{Mode: engine.Clean}},
	}
	for _, p := range []transform.Preset{transform.Classic, transform.Balanced, transform.Precise} {
		ways = append(ways, way{p.String() + " idle", engine.Settings{Mode: engine.Idle, Preset: p}})
	}
	return append(ways,
		way{"balanced 10ms", engine.Settings{Preset: transform.Balanced, Interval: 10 * time.Millisecond}},
		way{"precise 10ms", engine.Settings{Preset: transform.Precise, Interval: 10 * time.Millisecond}},
		way{"precise 1ms", engine.Settings{Preset: transform.Precise, Interval: time.Millisecond}},
	)
}

// Overhead runs the real programs in every way in turn, in an order that
// changes each round, and compares CPU time with the clean run of the round.
func Overhead(ctx context.Context, rounds int, only string, progress io.Writer) (*OverheadReport, error) {
	report := &OverheadReport{Machine: ThisMachine(), Command: fmt.Sprintf("instrument bench overhead --runs %d", rounds), Rounds: rounds, Geomean: map[string]float64{}}
	ways := ways()
	for _, w := range ways[1:] {
		report.Ways = append(report.Ways, w.name)
	}
	for _, program := range fixtures.Real() {
		if only != "" && !strings.Contains(program.Name, only) {
			continue
		}
		row := OverheadRow{Program: program.Name, Cells: map[string]OverheadCell{}}
		var clean []float64
		for round := range rounds {
			cpu := map[string]float64{}
			for i := range ways {
				w := ways[(i+round)%len(ways)]
				fmt.Fprintf(progress, "\r\x1b[K%s, %s, round %d of %d", program.Name, w.name, round+1, rounds)
				result, err := runInGoja(ctx, program, w.settings)
				if err != nil {
					return nil, err
				}
				cpu[w.name] = float64(result.CPU)
			}
			clean = append(clean, cpu["clean"])
			for _, name := range report.Ways {
				cell := row.Cells[name]
				cell.Rounds = append(cell.Rounds, 100*(cpu[name]/cpu["clean"]-1))
				cell.Percent = median(cell.Rounds)
				row.Cells[name] = cell
			}
		}
		row.CleanCPU = time.Duration(median(clean))
		report.Programs = append(report.Programs, row)
	}
	for _, name := range report.Ways {
		percents := make([]float64, len(report.Programs))
		for i, row := range report.Programs {
			percents[i] = row.Cells[name].Percent
		}
		report.Geomean[name] = geomeanPercent(percents)
	}
	fmt.Fprint(progress, "\r\x1b[K")
	return report, nil
}

// Table implements Report.
func (r *OverheadReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CPU time against the clean program in goja, in percent: median of %d paired rounds (lowest to highest).\n`%s`, %s, %d CPUs. \"clean again\" is the noise floor.\n\n", r.Rounds, r.Command, r.Machine.When, r.Machine.CPUs)
	fmt.Fprintf(&b, "| program | clean | %s |\n|---|---|%s\n", strings.Join(r.Ways, " | "), strings.Repeat("---|", len(r.Ways)))
	for _, row := range r.Programs {
		fmt.Fprintf(&b, "| %s | %.2f s ", row.Program, row.CleanCPU.Seconds())
		for _, name := range r.Ways {
			cell := row.Cells[name]
			fmt.Fprintf(&b, "| %.1f (%.0f to %.0f) ", cell.Percent, slices.Min(cell.Rounds), slices.Max(cell.Rounds))
		}
		b.WriteString("|\n")
	}
	b.WriteString("| **geomean** | ")
	for _, name := range r.Ways {
		fmt.Fprintf(&b, "| **%.1f** ", r.Geomean[name])
	}
	b.WriteString("|\n")
	return b.String()
}
