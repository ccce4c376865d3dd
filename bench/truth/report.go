package truth

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// Report shows the samplers' profiles of programs, and how far each agrees with
// itself and with known distributions.
type Report struct {
	figures.Origin
	Runs   int      `json:"runs"`
	Rows   []Row    `json:"rows"`
	Clocks []Clocks `json:"clocks"`
	// Qualifications are the samplers' by kind of exact program, as far as these ran.
	Qualifications map[string]map[string]*Qualification `json:"qualifications,omitempty"`
	Skipped        []Skipped                            `json:"skipped"`
}

// Row is one program under one sampler. Shares and overlaps are in percent of the
// time that is neither idle nor the collector's.
type Row struct {
	Program  string        `json:"program"`
	Sampler  string        `json:"sampler"`
	Engine   string        `json:"engine"`
	Interval time.Duration `json:"intervalNs"`
	Samples  int           `json:"samples"` // of all runs
	Top      []Share       `json:"top"`
	// Floors are the overlaps of each run with the next: no profile can be
	// expected to agree with the sampler better than it does with itself.
	Floors []float64 `json:"floors"`
	// Known is the overlap with the known distribution, and Score the same without what
	// chance takes from it; nil for real programs.
	Known *float64 `json:"known,omitempty"`
	Score *Score   `json:"score,omitempty"`

	self     map[string]float64
	profiles []*profile.Profile
}

// Share is a function's part.
type Share struct {
	Function string  `json:"function"`
	Percent  float64 `json:"percent"`
}

// Clocks is a program's distribution by clocks at every entry and exit.
type Clocks struct {
	Program string `json:"program"`
	Engine  string `json:"engine"`
	// Known is the overlap with the known distribution; Worst is the function
	// farthest from it, with its declared and its measured share.
	Known    float64 `json:"known"`
	Worst    string  `json:"worst"`
	Declared float64 `json:"declared"`
	Measured float64 `json:"measured"`
}

// Skipped says what was left out, and why.
type Skipped struct {
	Program string `json:"program,omitempty"` // empty: all programs
	What    string `json:"what"`
	Why     string `json:"why"`
}

// shown is how many functions of a program the table shows.
const shown = 4

// usual are the programs to run unless others are named.
var usual = []string{"sequence", "generators", "raytrace"}

// Look runs programs under all available samplers of the engines, so many times each. No
// engines are all. Only selects programs by a part of their folder and name (exact/ are all
// whose distribution is known); without it, there are a few.
func Look(ctx context.Context, runs int, only string, engines []string, progress figures.Progress) (*Report, error) {
	runs = max(runs, 2)
	report := &Report{Origin: figures.Runs("truth", runs), Runs: runs, Skipped: []Skipped{}}
	if only != "" {
		report.Command += " --only " + only
	}
	var programs []fixtures.Program
	for _, p := range slices.Concat(fixtures.Exact(), fixtures.Real(), fixtures.Classic()) {
		folder := filepath.Base(filepath.Dir(p.Path)) + "/"
		if only == "" && slices.Contains(usual, p.Name) || only != "" && strings.Contains(folder+p.Name, only) {
			programs = append(programs, p)
		}
	}
	if len(programs) == 0 {
		return nil, fmt.Errorf("no fixture has %q in its name (fixtures/README.md lists them)", only)
	}
	samplers := report.available(engines)
	for _, p := range programs {
		if err := p.InstallPackages(); err != nil {
			return nil, err
		}
		if err := report.sample(ctx, p, samplers, progress); err != nil {
			return nil, err
		}
		if p.Expected != nil {
			progress.Show("%s, clocks", p.Name)
			report.account(ctx, p, engines)
		}
	}
	report.qualify()
	return report, ctx.Err()
}

// qualify judges the samplers by the exact programs that ran.
func (r *Report) qualify() {
	scores := map[string]map[string]Score{}
	for _, row := range r.Rows {
		if row.Score == nil {
			continue
		}
		if scores[row.Sampler] == nil {
			scores[row.Sampler] = map[string]Score{}
		}
		scores[row.Sampler][row.Program] = *row.Score
	}
	r.Qualifications = map[string]map[string]*Qualification{}
	for sampler, of := range scores {
		r.Qualifications[sampler] = Qualify(of)
	}
}

// available are the engines' samplers whose engines are installed.
func (r *Report) available(engines []string) []Sampler {
	var list []Sampler
	for _, s := range Samplers() {
		if len(engines) > 0 && !slices.Contains(engines, s.Engine) {
			continue
		}
		if err := s.Available(); err != nil {
			r.Skipped = append(r.Skipped, Skipped{What: s.Name, Why: err.Error()})
			continue
		}
		list = append(list, s)
	}
	return list
}

// sample runs a program under each sampler in turn, round by round.
func (r *Report) sample(ctx context.Context, p fixtures.Program, samplers []Sampler, progress figures.Progress) error {
	rows := make([]Row, len(samplers))
	failed := make([]error, len(samplers))
	last := make([]map[string]float64, len(samplers))
	for round := range r.Runs {
		for i, s := range samplers {
			if failed[i] != nil {
				continue
			}
			progress.Show("%s, %s, run %d of %d", p.Name, s.Name, round+1, r.Runs)
			run, err := s.Sample(ctx, p, Settings{})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if failed[i] = err; err != nil {
				r.Skipped = append(r.Skipped, Skipped{Program: p.Name, What: s.Name, Why: err.Error()})
				continue
			}
			last[i] = rows[i].add(p, &s, run, last[i])
		}
	}
	for i := range rows {
		if failed[i] == nil {
			rows[i].sumUp(p)
			r.Rows = append(r.Rows, rows[i])
		}
	}
	return nil
}

// add adds a run and returns its self times.
func (row *Row) add(p fixtures.Program, s *Sampler, run *Run, before map[string]float64) map[string]float64 {
	row.Program, row.Sampler, row.Engine, row.Interval = p.Name, s.Name, s.Engine, run.Interval
	self := SelfTimes(p, run.Profile)
	if before != nil {
		row.Floors = append(row.Floors, figures.OverlapByName(before, self))
	}
	if row.self == nil {
		row.self = map[string]float64{}
	}
	for name, ticks := range self {
		row.self[name] += ticks
	}
	if p.Expected != nil {
		row.profiles = append(row.profiles, run.Profile)
	}
	for _, f := range view.Flat(run.Profile) {
		row.Samples += f.Samples
	}
	return self
}

// sumUp computes the shares over all runs.
func (row *Row) sumUp(p fixtures.Program) {
	total := figures.Sum(slices.Collect(maps.Values(row.self)))
	for name, ticks := range row.self {
		if ticks > 0 {
			row.Top = append(row.Top, Share{name, tenths(100 * ticks / total)})
		}
	}
	slices.SortFunc(row.Top, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Percent, a.Percent), cmp.Compare(a.Function, b.Function))
	})
	row.Top = row.Top[:min(len(row.Top), 20)]
	if p.Expected != nil {
		known, score := p.Overlap(row.self), Grade(p, row.profiles, estimate.Resamples, uint64(len(row.profiles)))
		row.Known, row.Score, row.profiles = &known, &score, nil
	}
}

// account adds a program's distribution by clocks, in every engine.
func (r *Report) account(ctx context.Context, p fixtures.Program, engines []string) {
	for _, engine := range accountEngines {
		if len(engines) > 0 && !slices.Contains(engines, engine) {
			continue
		}
		measured, err := Account(ctx, p, engine)
		if err != nil {
			r.Skipped = append(r.Skipped, Skipped{Program: p.Name, What: "clocks in " + engine, Why: err.Error()})
			continue
		}
		c := Clocks{Program: p.Name, Engine: engine, Known: p.Overlap(measured)}
		names := maps.Clone(measured)
		maps.Copy(names, p.Expected)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if c.Worst == "" || math.Abs(measured[name]-p.Expected[name]) > math.Abs(c.Measured-c.Declared) {
				c.Worst, c.Declared, c.Measured = name, p.Expected[name], measured[name]
			}
		}
		r.Clocks = append(r.Clocks, c)
	}
}

func tenths(x float64) float64 { return math.Round(10*x) / 10 }

// Table implements figures.Report.
func (r *Report) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The engines' own samplers on programs without checks: %d runs together. Floor is the overlap of each run with the next (lowest),\nknown that of all runs with the known distribution, in percent of the time that is neither idle nor the collector's. Builtins count\nfor their callers. An asterisk marks under %d samples: chance alone moves such figures by points.\n%s.\n\n",
		r.Runs, figures.FewSamples, r.InShort())
	b.WriteString("| program | sampler | interval | samples | floor | known | top functions, % |\n|---|---|---|---|---|---|---|\n")
	for i := range r.Rows {
		r.Rows[i].write(&b)
	}
	if len(r.Clocks) > 0 {
		b.WriteString("\nClocks at every entry and exit, in a separate run, compared with the known distribution:\n\n| program | engine | known | farthest function | declared, % | measured, % |\n|---|---|---|---|---|---|\n")
		for _, c := range r.Clocks {
			fmt.Fprintf(&b, "| %s | %s | %.1f | %s | %.1f | %.1f |\n", c.Program, c.Engine, c.Known, figures.Cell(c.Worst), c.Declared, c.Measured)
		}
	}
	if len(r.Qualifications) > 0 {
		var names []string
		for _, s := range Samplers() {
			names = append(names, s.Name)
		}
		fmt.Fprintf(&b, "\nBy kind of exact program, the mean overlap with what is known, without what chance takes from it. Bold: a truth for the kind, with %d or more on each program.\nOtherwise the lowest is named.\n\n%s", Qualified, QualificationTable(names, r.Qualifications))
	}
	if len(r.Skipped) > 0 {
		b.WriteString("\nSkipped:\n\n")
		for _, s := range r.Skipped {
			where := cmp.Or(s.Program, "all programs")
			fmt.Fprintf(&b, "- %s, %s: %s\n", where, s.What, figures.Cell(s.Why))
		}
	}
	return b.String()
}

func (row *Row) write(b *strings.Builder) {
	known := ""
	if row.Known != nil {
		known = fmt.Sprintf("%.1f", *row.Known)
	}
	var top []string
	for _, s := range row.Top[:min(len(row.Top), shown)] {
		name, _, _ := strings.Cut(s.Function, " /")
		top = append(top, fmt.Sprintf("%s %.1f", figures.Cell(name), s.Percent))
	}
	fmt.Fprintf(b, "| %s | %s | %v | %s | %.1f (%.1f) | %s | %s |\n", row.Program, row.Sampler, row.Interval, figures.Mark(fmt.Sprint(row.Samples), row.Samples < figures.FewSamples),
		figures.Mean(row.Floors), slices.Min(row.Floors), known, strings.Join(top, ", "))
}
