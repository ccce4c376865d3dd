package tenants

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/transform"
)

// Report says how far a pool's account of its tenants is from the truth.
type Report struct {
	figures.Origin
	Tenants    int           `json:"tenants"`
	Runtimes   int           `json:"runtimes"`
	Processors int           `json:"processors"`
	Interval   time.Duration `json:"intervalNs"`
	Presets    []Preset      `json:"presets"`
}

// Preset is what a preset's rounds say, in medians.
type Preset struct {
	Preset string `json:"preset"`
	Figures
	Ticks   float64  `json:"ticks"` // of a round's profile
	Tenants []Tenant `json:"tenants"`
	Rounds  []Round  `json:"rounds"`
}

// Figures are the errors, in points, of what says who uses the processor.
type Figures struct {
	Chance  Errors `json:"chance"`  // of as many ticks, drawn at random by the true shares
	CPU     Errors `json:"cpu"`     // processor time in Usage
	Samples Errors `json:"samples"` // ticks in the profile
	Wall    Errors `json:"wall"`    // time by the clock in Usage
	Waits   Errors `json:"waits"`   // that time with what tasks waited, as without Waiting
}

// Round is a round.
type Round struct {
	Figures
	Ticks   float64   `json:"ticks"`
	Truth   []float64 `json:"truthPercent"`  // shares by tenant
	Sampled []float64 `json:"samplePercent"` // and by the profile
}

// Tenant is a tenant's part of the work, in percent of all: by construction, and medians of the
// truth and of the profile.
type Tenant struct {
	Meant   float64 `json:"meantPercent"`
	Truth   float64 `json:"truthPercent"`
	Samples float64 `json:"samplePercent"`
}

// decks is how many each runtime works through in a round, which takes some ten seconds.
const decks = 40

// Measure runs rounds with each preset by turns.
func Measure(ctx context.Context, runs int, progress figures.Progress) (*Report, error) {
	report := &Report{Origin: figures.Runs("tenants", runs), Tenants: tenants, Runtimes: runtimes, Processors: processors, Interval: interval,
		Presets: []Preset{{Preset: transform.Balanced.String()}, {Preset: transform.Precise.String()}}}
	for run := range runs {
		for i, preset := range []transform.Preset{transform.Balanced, transform.Precise} {
			progress.Show("tenants, %s, round %d of %d", preset, run+1, runs)
			found, err := round(ctx, preset, decks, uint64(1+run*2+i))
			if err != nil {
				return nil, err
			}
			report.Presets[i].Rounds = append(report.Presets[i].Rounds, found.round())
		}
	}
	for i := range report.Presets {
		report.Presets[i].sumUp()
	}
	return report, nil
}

// round compares what a round found out.
func (a *account) round() Round {
	ticks := figures.Sum(a.samples)
	return Round{
		Figures: Figures{
			Chance: chance(a.truth, ticks), CPU: errorsOf(a.cpu, a.truth), Samples: errorsOf(a.samples, a.truth),
			Wall: errorsOf(a.wall, a.truth), Waits: errorsOf(sum(a.wall, a.waiting), a.truth),
		},
		Ticks: ticks, Truth: shares(a.truth), Sampled: shares(a.samples),
	}
}

// sumUp takes the medians of the rounds.
func (p *Preset) sumUp() {
	p.Figures = Figures{
		Chance:  medians(p.Rounds, func(r *Round) Errors { return r.Chance }),
		CPU:     medians(p.Rounds, func(r *Round) Errors { return r.CPU }),
		Samples: medians(p.Rounds, func(r *Round) Errors { return r.Samples }),
		Wall:    medians(p.Rounds, func(r *Round) Errors { return r.Wall }),
		Waits:   medians(p.Rounds, func(r *Round) Errors { return r.Waits }),
	}
	var ticks []float64
	for _, r := range p.Rounds {
		ticks = append(ticks, r.Ticks)
	}
	p.Ticks = figures.Median(ticks)
	for tenant, share := range shares(meant()) {
		var truth, sampled []float64
		for _, r := range p.Rounds {
			truth, sampled = append(truth, r.Truth[tenant]), append(sampled, r.Sampled[tenant])
		}
		p.Tenants = append(p.Tenants, Tenant{share, figures.Median(truth), figures.Median(sampled)})
	}
}

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Processor time by tenant: %d tenants in %d goja runtimes on %d processors, with a tick every %v. Each figure is the distance of\n"+
		"the shares from those of the threads' processor time, in points: the tenant that is furthest, and the mean of all (medians of the rounds).\n"+
		"*Chance*: the error of as many ticks that are drawn at random by the true shares. *Processor time in Usage* is read around the same calls as the\n"+
		"truth, so it tests the account. *Waits*: the clock's time if waiting counted as work.\n%s.\n\n",
		r.Tenants, r.Runtimes, r.Processors, r.Interval, r.WithGo())
	b.WriteString("| preset | ticks | chance | processor time in Usage | samples | clock | waits |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, p := range r.Presets {
		fmt.Fprintf(&b, "| %s | %.0f | %s | %s | %s | %s | %s |\n", p.Preset, p.Ticks, p.Chance, p.CPU, p.Samples, p.Wall, p.Waits)
	}
	b.WriteString("\n| tenant | turns")
	for _, p := range r.Presets {
		fmt.Fprintf(&b, " | %s, truth | samples | more", p.Preset)
	}
	b.WriteString(" |\n|---|---:" + strings.Repeat("|---:|---:|---:", len(r.Presets)) + "|\n")
	for tenant := range r.Tenants {
		for i, p := range r.Presets {
			if i == 0 {
				fmt.Fprintf(&b, "| %s | %.2f", name(tenant), p.Tenants[tenant].Meant)
			}
			t := p.Tenants[tenant]
			fmt.Fprintf(&b, " | %.2f | %.2f | %+.0f %%", t.Truth, t.Samples, 100*(t.Samples/t.Truth-1))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// String is the furthest, and the mean.
func (e Errors) String() string { return fmt.Sprintf("%.2f, %.2f", e.Largest, e.Mean) }
