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
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform"
)

// ExactReport compares presets with programs whose distribution is known.
type ExactReport struct {
	Machine  Machine       `json:"machine"`
	Command  string        `json:"command"`
	Interval time.Duration `json:"intervalNs"`
	Runs     int           `json:"runs"`
	Programs []ExactRow    `json:"programs"`
}

// ExactRow is one program.
type ExactRow struct {
	Program string               `json:"program"`
	Tiny    bool                 `json:"tiny"`
	Cells   map[string]ExactCell `json:"presets"`
}

// ExactCell is one program under one preset: the overlap of its self times
// with the known distribution in percent, of all runs together and of each.
type ExactCell struct {
	Overlap  float64            `json:"overlap"`
	Overlaps []float64          `json:"overlaps"`
	Samples  int                `json:"samples"` // without idle ones
	Shares   map[string]float64 `json:"shares"`  // in percent
	Skid     time.Duration      `json:"medianSkidNs"`
	ticks    map[string]float64
}

// fewSamples is where the table says that a figure rests on few samples: with
// fewer, chance alone moves an overlap by a point or two.
const fewSamples = 3000

// Name implements Report.
func (*ExactReport) Name() string { return "exact-goja" }

// Exact runs every exact program under classic and the other presets in turn.
func Exact(ctx context.Context, runs int, interval time.Duration, only string, progress io.Writer) (*ExactReport, error) {
	report := &ExactReport{Machine: ThisMachine(), Command: fmt.Sprintf("instrument bench exact --runs %d --interval %v", runs, interval), Interval: interval, Runs: runs}
	presets := []transform.Preset{transform.Classic, transform.Balanced, transform.Precise}
	for _, program := range fixtures.Exact() {
		if only != "" && !strings.Contains(program.Name, only) {
			continue
		}
		row := ExactRow{Program: program.Name, Tiny: program.Tiny, Cells: map[string]ExactCell{}}
		for run := range runs {
			for _, preset := range presets {
				fmt.Fprintf(progress, "\r\x1b[K%s, %v, run %d of %d", program.Name, preset, run+1, runs)
				if err := exactRun(ctx, program, preset, interval, uint64(run+1), &row); err != nil {
					return nil, err
				}
			}
		}
		report.Programs = append(report.Programs, row)
	}
	fmt.Fprint(progress, "\r\x1b[K")
	return report, nil
}

// exactRun adds one run of one program under one preset to its row.
func exactRun(ctx context.Context, program fixtures.Program, preset transform.Preset, interval time.Duration, seed uint64, row *ExactRow) error {
	if program.Idle {
		interval /= 5 // little of its time is to be sampled
	}
	result, err := runInGoja(ctx, program, engine.Settings{Preset: preset, Interval: interval, Seed: seed})
	if err != nil {
		return err
	}
	rule := profile.BySite
	if preset == transform.Classic {
		rule = profile.OwnFrame
	}
	attributed := profile.Attribute(result.Profile, rule)
	cell := row.Cells[preset.String()]
	if cell.ticks == nil {
		cell.ticks = map[string]float64{}
	}
	self := SelfTimes(program, attributed)
	for name, ticks := range self {
		cell.ticks[name] += ticks
		cell.Samples += int(ticks)
	}
	cell.Overlaps = append(cell.Overlaps, program.Overlap(self))
	cell.Overlap = program.Overlap(cell.ticks)
	cell.Skid = result.Profile.Meta.Skid.Median
	cell.Shares = shares(cell.ticks)
	row.Cells[preset.String()] = cell
	return nil
}

// SelfTimes sums a profile's self times by the keys of a program's Expected,
// without idle, collector and lost time. Functions it does not list keep their
// own names.
func SelfTimes(program fixtures.Program, attributed *profile.Profile) map[string]float64 {
	self := map[string]float64{}
	for _, row := range view.Flat(attributed) {
		switch row.Name {
		case profile.NameIdle, profile.NameGC, profile.NameLost:
			continue
		}
		key := program.Key(row.Name, int(row.Line))
		if key == "" {
			key = fmt.Sprintf("%s %s:%d", row.Name, row.File, row.Line)
		}
		self[key] += float64(row.Self)
	}
	return self
}

func shares(self map[string]float64) map[string]float64 {
	total := 0.0
	for _, v := range self {
		total += v
	}
	out := map[string]float64{}
	for k, v := range self {
		if v > 0 {
			out[k] = float64(int(1000*v/total+0.5)) / 10
		}
	}
	return out
}

// Table implements Report.
func (r *ExactReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Overlap of self time with the known distribution in goja, in percent: %d runs together (lowest run).\nInterval %v, a fifth of it for programs that wait; an asterisk marks under %d ticks. Every function counts by itself:\na preset that leaves functions unchecked promises to count them in their caller, and reads low here where it does.\n`%s`, %s, %d CPUs.\n\n",
		r.Runs, r.Interval, fewSamples, r.Command, r.Machine.When, r.Machine.CPUs)
	b.WriteString("| program | classic | balanced | precise | median skid, precise | promise |\n|---|---|---|---|---|---|\n")
	lowest := map[bool]float64{false: 100, true: 100} // of precise, by tiny
	for _, row := range r.Programs {
		fmt.Fprintf(&b, "| %s ", row.Program)
		for _, preset := range []string{"classic", "balanced", "precise"} {
			cell := row.Cells[preset]
			few := ""
			if cell.Samples < fewSamples {
				few = "\\*"
			}
			fmt.Fprintf(&b, "| %.1f (%.1f)%s ", cell.Overlap, slices.Min(cell.Overlaps), few)
		}
		promise := "≥ 95"
		if row.Tiny {
			promise = "≥ 85, tiny"
		}
		precise := row.Cells["precise"]
		lowest[row.Tiny] = min(lowest[row.Tiny], precise.Overlap)
		fmt.Fprintf(&b, "| %v | %s |\n", precise.Skid.Round(100*time.Nanosecond), promise)
	}
	fmt.Fprintf(&b, "\nLowest overlap of precise: %.1f, and %.1f of the programs of tiny functions.\n", lowest[false], lowest[true])
	return b.String()
}
