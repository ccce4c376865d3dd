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
	Engine   string        `json:"engine"`
	Machine  Machine       `json:"machine"`
	Command  string        `json:"command"`
	Rounds   int           `json:"rounds"`
	Ways     []string      `json:"ways"`
	Programs []OverheadRow `json:"programs"`
	// Geomeans of the medians, in percent, by way: over all programs, those that
	// work in libraries from npm, and those made of tiny calls.
	Geomean   map[string]float64 `json:"geomeanPercent"`
	Libraries map[string]float64 `json:"librariesPercent"`
	TinyCalls map[string]float64 `json:"tinyCallsPercent"`
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
func (r *OverheadReport) Name() string { return "overhead-" + r.Engine }

// way is one way of running a program.
type way struct {
	name     string
	settings engine.Settings
}

// gojaWays are how the presets compare, and what the interval does.
func gojaWays() []way {
	return append(unrecorded(transform.Classic, transform.Balanced, transform.Precise),
		recorded(transform.Balanced, 10*time.Millisecond),
		recorded(transform.Precise, 10*time.Millisecond),
		recorded(transform.Precise, time.Millisecond),
	)
}

// nodeWays are what the presets are to cost where nothing records, and what the
// usual interval adds.
func nodeWays() []way {
	return append(unrecorded(transform.Classic, transform.Balanced, transform.Fine, transform.Precise),
		recorded(transform.Balanced, 10*time.Millisecond),
	)
}

// unrecorded begins with the clean program twice: the second is the noise floor.
func unrecorded(presets ...transform.Preset) []way {
	ways := []way{
		{"clean", engine.Settings{Mode: engine.Clean}},
		{"clean again", engine.Settings{Mode: engine.Clean}},
	}
	for _, p := range presets {
		ways = append(ways, way{p.String() + " idle", engine.Settings{Mode: engine.Idle, Preset: p}})
	}
	return ways
}

func recorded(p transform.Preset, interval time.Duration) way {
	return way{fmt.Sprint(p, " ", interval), engine.Settings{Preset: p, Interval: interval}}
}

// Overhead measures in goja.
func Overhead(ctx context.Context, rounds int, only string, progress io.Writer) (*OverheadReport, error) {
	report := &OverheadReport{Engine: "goja", Command: fmt.Sprintf("instrument bench overhead --runs %d", rounds)}
	return report, report.measure(ctx, gojaWays(), runInGoja, rounds, only, progress)
}

// OverheadNode measures in Node.
func OverheadNode(ctx context.Context, rounds int, only string, progress io.Writer) (*OverheadReport, error) {
	report := &OverheadReport{Engine: "node", Command: fmt.Sprintf("instrument bench overhead-node --runs %d", rounds)}
	return report, report.measure(ctx, nodeWays(), runInNode, rounds, only, progress)
}

// measure runs the real programs in every way in turn, in an order that changes
// each round, and compares CPU time with the clean run of the round.
func (r *OverheadReport) measure(ctx context.Context, ways []way, run func(context.Context, fixtures.Program, engine.Settings) (*engine.Result, error), rounds int, only string, progress io.Writer) error {
	r.Machine, r.Rounds = ThisMachine(), rounds
	for _, w := range ways[1:] {
		r.Ways = append(r.Ways, w.name)
	}
	for _, program := range fixtures.Real() {
		if only != "" && !strings.Contains(program.Name, only) {
			continue
		}
		if err := program.InstallPackages(); err != nil {
			return err
		}
		row := OverheadRow{Program: program.Name, Cells: map[string]OverheadCell{}}
		var clean []float64
		for round := range rounds {
			cpu := map[string]float64{}
			for i := range ways {
				w := ways[(i+round)%len(ways)]
				fmt.Fprintf(progress, "\r\x1b[K%s, %s, round %d of %d", program.Name, w.name, round+1, rounds)
				result, err := run(ctx, program, w.settings)
				if err != nil {
					return err
				}
				cpu[w.name] = float64(result.CPU)
			}
			clean = append(clean, cpu["clean"])
			for _, name := range r.Ways {
				cell := row.Cells[name]
				cell.Rounds = append(cell.Rounds, 100*(cpu[name]/cpu["clean"]-1))
				cell.Percent = median(cell.Rounds)
				row.Cells[name] = cell
			}
		}
		row.CleanCPU = time.Duration(median(clean))
		r.Programs = append(r.Programs, row)
	}
	fmt.Fprint(progress, "\r\x1b[K")
	r.Geomean = r.geomeans(func(fixtures.Program) bool { return true })
	r.Libraries = r.geomeans(func(p fixtures.Program) bool { return p.NeedsNPM })
	r.TinyCalls = r.geomeans(func(p fixtures.Program) bool { return p.TinyCalls })
	return nil
}

// geomeans are those over some of the programs.
func (r *OverheadReport) geomeans(of func(fixtures.Program) bool) map[string]float64 {
	counted := map[string]bool{}
	for _, p := range fixtures.Real() {
		counted[p.Name] = of(p)
	}
	geomeans := map[string]float64{}
	for _, name := range r.Ways {
		var percents []float64
		for _, row := range r.Programs {
			if counted[row.Program] {
				percents = append(percents, row.Cells[name].Percent)
			}
		}
		geomeans[name] = geomeanPercent(percents)
	}
	return geomeans
}

// Table implements Report.
func (r *OverheadReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CPU time against the clean program in %s, in percent: median of %d paired rounds (lowest to highest).\n`%s`, %s, %d CPUs. \"clean again\" is the noise floor.\n\n", r.Engine, r.Rounds, r.Command, r.Machine.When, r.Machine.CPUs)
	fmt.Fprintf(&b, "| program | clean | %s |\n|---|---|%s\n", strings.Join(r.Ways, " | "), strings.Repeat("---|", len(r.Ways)))
	for _, row := range r.Programs {
		fmt.Fprintf(&b, "| %s | %.2f s ", row.Program, row.CleanCPU.Seconds())
		for _, name := range r.Ways {
			cell := row.Cells[name]
			fmt.Fprintf(&b, "| %.1f (%.0f to %.0f) ", cell.Percent, slices.Min(cell.Rounds), slices.Max(cell.Rounds))
		}
		b.WriteString("|\n")
	}
	for _, group := range []struct {
		name     string
		geomeans map[string]float64
	}{{"libraries", r.Libraries}, {"tiny calls", r.TinyCalls}, {"geomean", r.Geomean}} {
		fmt.Fprintf(&b, "| **%s** | ", group.name)
		for _, name := range r.Ways {
			fmt.Fprintf(&b, "| **%.1f** ", group.geomeans[name])
		}
		b.WriteString("|\n")
	}
	return b.String()
}
