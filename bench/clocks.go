package bench

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform"
)

// ClocksReport compares checks that poll the clock with the coordinator's
// shared flag, on the real programs in Node: what either costs, and how alike
// their profiles are.
type ClocksReport struct {
	Machine  Machine     `json:"machine"`
	Command  string      `json:"command"`
	Rounds   int         `json:"rounds"`
	Preset   string      `json:"preset"`
	Programs []ClocksRow `json:"programs"`
	// Floor and Overlap are means, Shared, Poll, Idle and Again geometric means
	// of the medians, over the programs, in percent.
	Floor, Overlap, Again, Idle, Shared, Poll float64
}

// ClocksRow is one program. Overheads are CPU time against the clean run of the
// same round, in percent, of each round: Again of a second clean run, the noise
// floor; Idle with checks and nothing that records; Shared and Poll while
// recording at 10 ms. Overlaps are of self times by function, of all rounds
// together, at 1 ms: Floor of the shared clock with itself, Overlap of polling
// with both of those. Ticks is the least that one of the three profiles has.
type ClocksRow struct {
	Program                   string
	Again, Idle, Shared, Poll []float64
	Floor, Overlap            float64
	Ticks                     float64
}

// Name implements Report.
func (*ClocksReport) Name() string { return "clocks-node" }

// Clocks runs the real programs in every way in turn, in an order that changes
// each round.
func Clocks(ctx context.Context, rounds int, only string, progress io.Writer) (*ClocksReport, error) {
	preset := transform.Balanced
	report := &ClocksReport{Machine: ThisMachine(), Command: fmt.Sprintf("instrument bench clocks --runs %d", rounds), Rounds: rounds, Preset: preset.String()}
	if only != "" {
		report.Command += " --only " + only
	}
	coarse, fine := 10*time.Millisecond, time.Millisecond
	ways := []way{
		{"clean", engine.Settings{Mode: engine.Clean}},
		{"again", engine.Settings{Mode: engine.Clean}},
		{"idle", engine.Settings{Mode: engine.Idle, Preset: preset}},
		{"shared", engine.Settings{Preset: preset, Interval: coarse, Clock: "shared"}},
		{"poll", engine.Settings{Preset: preset, Interval: coarse, Clock: "poll"}},
		{"shared 1ms", engine.Settings{Preset: preset, Interval: fine, Clock: "shared"}},
		{"shared 1ms again", engine.Settings{Preset: preset, Interval: fine, Clock: "shared"}},
		{"poll 1ms", engine.Settings{Preset: preset, Interval: fine, Clock: "poll"}},
	}
	for _, program := range fixtures.Real() {
		if only != "" && !strings.Contains(program.Name, only) {
			continue
		}
		row := ClocksRow{Program: program.Name}
		self := map[string]map[string]float64{}
		for round := range rounds {
			cpu := map[string]float64{}
			for i := range ways {
				w := ways[(i+round)%len(ways)]
				fmt.Fprintf(progress, "\r\x1b[K%s, %s, round %d of %d", program.Name, w.name, round+1, rounds)
				w.settings.Seed = uint64(round*len(ways) + i + 1)
				result, err := runInNode(ctx, program, w.settings)
				if err != nil {
					return nil, err
				}
				cpu[w.name] = float64(result.CPU)
				if result.Profile != nil {
					self[w.name] = addSelf(self[w.name], result.Profile)
				}
			}
			percent := func(name string) float64 { return 100 * (cpu[name]/cpu["clean"] - 1) }
			row.Again, row.Idle = append(row.Again, percent("again")), append(row.Idle, percent("idle"))
			row.Shared, row.Poll = append(row.Shared, percent("shared")), append(row.Poll, percent("poll"))
		}
		a, b, p := self["shared 1ms"], self["shared 1ms again"], self["poll 1ms"]
		row.Floor, row.Overlap = Overlap(a, b), (Overlap(a, p)+Overlap(b, p))/2
		row.Ticks = min(sum(a), sum(b), sum(p))
		report.Programs = append(report.Programs, row)
	}
	report.sumUp()
	fmt.Fprint(progress, "\r\x1b[K")
	return report, nil
}

func (r *ClocksReport) sumUp() {
	geomean := func(of func(*ClocksRow) []float64) float64 {
		percents := make([]float64, len(r.Programs))
		for i := range r.Programs {
			percents[i] = median(of(&r.Programs[i]))
		}
		return geomeanPercent(percents)
	}
	r.Again = geomean(func(row *ClocksRow) []float64 { return row.Again })
	r.Idle = geomean(func(row *ClocksRow) []float64 { return row.Idle })
	r.Shared = geomean(func(row *ClocksRow) []float64 { return row.Shared })
	r.Poll = geomean(func(row *ClocksRow) []float64 { return row.Poll })
	for _, row := range r.Programs {
		r.Floor += row.Floor / float64(len(r.Programs))
		r.Overlap += row.Overlap / float64(len(r.Programs))
	}
}

// addSelf adds a profile's self times, by function, without idle, collector and
// lost time.
func addSelf(self map[string]float64, captured *profile.Profile) map[string]float64 {
	if self == nil {
		self = map[string]float64{}
	}
	for _, row := range view.Flat(profile.Attribute(captured, profile.BySite)) {
		switch row.Name {
		case profile.NameIdle, profile.NameGC, profile.NameLost:
			continue
		}
		self[fmt.Sprintf("%s %s:%d", row.Name, row.File, row.Line)] += float64(row.Self)
	}
	return self
}

func sum(values map[string]float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// Overlap is what two distributions share, in percent: 100 minus their total
// variation distance.
func Overlap(a, b map[string]float64) float64 {
	shared, totalA, totalB := 0.0, sum(a), sum(b)
	for name, v := range a {
		shared += min(v/totalA, b[name]/totalB)
	}
	return 100 * shared
}

// Table implements Report.
func (r *ClocksReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Checks that poll the clock beside the coordinator's shared flag: the real programs in Node, %s, %d rounds.\nOverhead is CPU time against the clean program, at 10 ms, median of the rounds; overlap is of self times at 1 ms.\n`%s`, %s, %d CPUs.\n\n",
		r.Preset, r.Rounds, r.Command, r.Machine.When, r.Machine.CPUs)
	b.WriteString("| program | clean again | idle | shared | poll | overlap shared–shared | shared–poll | ticks |\n|---|---|---|---|---|---|---|---|\n")
	for _, row := range r.Programs {
		fmt.Fprintf(&b, "| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.0f |\n", row.Program,
			median(row.Again), median(row.Idle), median(row.Shared), median(row.Poll), row.Floor, row.Overlap, row.Ticks)
	}
	fmt.Fprintf(&b, "| **mean** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | **%.1f** | |\n", r.Again, r.Idle, r.Shared, r.Poll, r.Floor, r.Overlap)
	return b.String()
}
