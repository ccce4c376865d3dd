package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform"
)

// DiffReport says whether a comparison of two profiles finds what is not there.
type DiffReport struct {
	Machine  Machine       `json:"machine"`
	Command  string        `json:"command"`
	Interval time.Duration `json:"intervalNs"`
	Same     []DiffSame    `json:"same"`
}

// SlowerReport says whether it finds what is there.
type SlowerReport struct {
	Machine  Machine       `json:"machine"`
	Command  string        `json:"command"`
	Interval time.Duration `json:"intervalNs"`
	Slower   []DiffSlower  `json:"slower"`
}

// DiffSame is one program, run again and again: pairs of neighbouring runs, and in
// how many of them a change was found, by share and by time.
type DiffSame struct {
	Program string `json:"program"`
	Samples int    `json:"samples"` // median of the runs
	Pairs   int    `json:"pairs"`
	ByShare int    `json:"foundByShare"`
	ByTime  int    `json:"foundByTime"`
}

// DiffSlower is a program with a function that was made slower, beside the same
// program without: in how many of the pairs that function was found, and other
// functions whose own time was said to have grown.
type DiffSlower struct {
	What    string `json:"what"`
	Samples int    `json:"samples"` // of the program as it was, median
	Pairs   int    `json:"pairs"`
	ByShare Found  `json:"byShare"`
	ByTime  Found  `json:"byTime"`
}

// Found counts pairs.
type Found struct {
	It     int `json:"found"`
	Others int `json:"othersFound"`
}

// Name implements Report.
func (*DiffReport) Name() string { return "diff" }

// Name implements Report.
func (*SlowerReport) Name() string { return "diff-slower" }

// checkout is a program whose functions do known parts of its work: price 40 %,
// the others 25, 15, 10, 6 and 4. Its arguments are rounds, and how much more
// price is to do, in percent.
var checkout = func() string {
	var b strings.Builder
	b.WriteString("const rounds = Number(process.argv[2]), more = 1 + Number(process.argv[3]) / 100;\n")
	calls := ""
	for _, f := range []struct {
		name string
		work int
	}{{"price", 400}, {"stock", 250}, {"taxes", 150}, {"offer", 100}, {"label", 60}, {"print", 40}} {
		fmt.Fprintf(&b, "function %s(x, n) {\n  for (let i = 0; i < n; i++) x = (x * 1103 + 12345) %% 65521;\n  return x;\n}\n", f.name)
		amount := fmt.Sprint(f.work)
		if f.name == "price" {
			amount = "Math.round(" + amount + " * more)" // a fraction would slow the loop as well
		}
		calls += fmt.Sprintf("  sum += %s(round, %s);\n", f.name, amount)
	}
	b.WriteString("let sum = 0;\nfor (let round = 0; round < rounds; round++) {\n" + calls + "  sum %= 1000003;\n}\nconsole.log(sum);\n")
	return b.String()
}()

// diffInterval gives a second of a program its 3,000 samples.
const diffInterval = 250 * time.Microsecond

// diffRounds is how many rounds of checkout give 3,000 samples on a quiet machine.
const diffRounds = 4000

// Diff runs programs in goja again and again, and compares each run with the one
// before it.
func Diff(ctx context.Context, pairs int, only string, progress io.Writer) (*DiffReport, error) {
	report := &DiffReport{Machine: ThisMachine(), Command: fmt.Sprintf("instrument bench diff --runs %d", pairs), Interval: diffInterval}
	d, err := newDiffer(ctx, pairs, progress)
	if err != nil {
		return nil, err
	}
	defer d.close()
	programs := []fixtures.Program{{Name: "checkout", Path: d.checkout, Goja: fixtures.Run{Args: []string{fmt.Sprint(diffRounds), "0"}}}}
	for _, program := range fixtures.Real() {
		if !program.NeedsNPM { // those that need nothing installed
			program.Goja.Args = []string{"0.4"} // enough for 3,000 samples
			programs = append(programs, program)
		}
	}
	for _, program := range programs {
		if only == "" || strings.Contains(program.Name, only) {
			row, err := d.same(program)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", program.Name, err)
			}
			report.Same = append(report.Same, row)
		}
	}
	return report, nil
}

// DiffSlowdowns runs a program as it is and with one function slower, in turn, and
// compares the two.
func DiffSlowdowns(ctx context.Context, pairs int, progress io.Writer) (*SlowerReport, error) {
	report := &SlowerReport{Machine: ThisMachine(), Command: fmt.Sprintf("instrument bench diff-slower --runs %d", pairs), Interval: diffInterval}
	d, err := newDiffer(ctx, pairs, progress)
	if err != nil {
		return nil, err
	}
	defer d.close()
	for _, c := range []struct {
		what         string
		rounds, more float64
	}{
		{"price takes 10 % longer", 1, 10},
		{"the same, run 2.5 times as long", 2.5, 10},
		{"price takes 25 % longer, the program 10 %", 1, 25},
	} {
		row, err := d.slower(c.what, c.rounds, c.more)
		if err != nil {
			return nil, err
		}
		report.Slower = append(report.Slower, row)
	}
	return report, nil
}

// differ makes pairs of runs.
type differ struct {
	ctx       context.Context
	pairs     int
	progress  io.Writer
	directory string
	checkout  string // where that program is
	runs      uint64
}

func newDiffer(ctx context.Context, pairs int, progress io.Writer) (*differ, error) {
	directory, err := os.MkdirTemp("", "fieldprof-bench-")
	if err != nil {
		return nil, err
	}
	d := &differ{ctx: ctx, pairs: pairs, progress: progress, directory: directory, checkout: filepath.Join(directory, "checkout.js")}
	if err := os.WriteFile(d.checkout, []byte(checkout), 0o644); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *differ) close() {
	os.RemoveAll(d.directory)
	fmt.Fprint(d.progress, "\r\x1b[K")
}

// run records a program once.
func (d *differ) run(path string, args []string) (*profile.Profile, error) {
	d.runs++
	fmt.Fprintf(d.progress, "\r\x1b[Krun %d: %s", d.runs, filepath.Base(path))
	result, err := goja.Run(d.ctx, engine.Program{Path: path, Args: args, Stdout: io.Discard, Stderr: io.Discard},
		engine.Settings{Preset: transform.Balanced, Interval: diffInterval, Seed: d.runs})
	switch {
	case err != nil:
		return nil, err
	case result.Failure != nil:
		return nil, result.Failure
	case result.Stopped:
		return nil, d.ctx.Err()
	}
	return profile.Attribute(result.Profile, profile.Design), nil
}

// sameWork compares by share, and by time.
var sameWork = []bool{false, true}

func (d *differ) same(program fixtures.Program) (DiffSame, error) {
	row := DiffSame{Program: program.Name, Pairs: d.pairs}
	var last *profile.Profile
	var samples []float64
	for range d.pairs + 1 {
		p, err := d.run(program.Path, program.Goja.Args)
		if err != nil {
			return row, err
		}
		samples = append(samples, float64(p.Len()))
		for i, found := range []*int{&row.ByShare, &row.ByTime} {
			if last != nil && view.Diff(last, p, view.DiffOptions{SameWork: sameWork[i]}).Changed > 0 {
				*found++
			}
		}
		last = p
	}
	row.Samples = int(median(samples))
	return row, nil
}

func (d *differ) slower(what string, rounds, more float64) (DiffSlower, error) {
	row := DiffSlower{What: what, Pairs: d.pairs}
	var samples []float64
	for range d.pairs {
		var pair [2]*profile.Profile
		for i, percent := range []float64{0, more} {
			p, err := d.run(d.checkout, []string{fmt.Sprint(int(rounds * diffRounds)), fmt.Sprint(percent)})
			if err != nil {
				return row, err
			}
			pair[i] = p
		}
		samples = append(samples, float64(pair[0].Len()))
		for i, found := range []*Found{&row.ByShare, &row.ByTime} {
			found.add(view.Diff(pair[0], pair[1], view.DiffOptions{SameWork: sameWork[i]}))
		}
	}
	row.Samples = int(median(samples))
	return row, nil
}

// add counts what a comparison found that had more time of its own.
func (f *Found) add(d *view.Difference) {
	it, others := false, false
	for _, c := range d.Functions {
		if c.Self.Significant && c.Self.Change(d.Options.SameWork) > 0 {
			it = it || c.Name == "price"
			others = others || c.Name != "price"
		}
	}
	if it {
		f.It++
	}
	if others {
		f.Others++
	}
}

// Table implements Report.
func (r *DiffReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The same program twice in goja: pairs of runs in which `instrument diff` finds any change, by share and by time\n(`--same-work`, for which a busy machine is a change). Each run is compared with the one before it, interval %v.\n`%s`, %s, %d CPUs.\n\n",
		r.Interval, r.Command, r.Machine.When, r.Machine.CPUs)
	b.WriteString("| program | samples | by share | by time |\n|---|---|---|---|\n")
	pairs, share, time := 0, 0, 0
	for _, row := range r.Same {
		fmt.Fprintf(&b, "| %s | %d | %d of %d | %d of %d |\n", row.Program, row.Samples, row.ByShare, row.Pairs, row.ByTime, row.Pairs)
		pairs, share, time = pairs+row.Pairs, share+row.ByShare, time+row.ByTime
	}
	fmt.Fprintf(&b, "| together | | %d of %d | %d of %d |\n", share, pairs, time, pairs)
	return b.String()
}

// Table implements Report.
func (r *SlowerReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "A program in goja of which one function, price, has 40 %%, and the same with price slower: pairs in which\n`instrument diff` finds that price has more time (and pairs in which it says so of another), by share and by time\n(`--same-work`, for which a busy machine is a change). Interval %v; samples are those of the program as it was.\n`%s`, %s, %d CPUs.\n\n",
		r.Interval, r.Command, r.Machine.When, r.Machine.CPUs)
	b.WriteString("| change | samples | by share | by time |\n|---|---|---|---|\n")
	for _, row := range r.Slower {
		fmt.Fprintf(&b, "| %s | %d | %d of %d (%d) | %d of %d (%d) |\n", row.What, row.Samples, row.ByShare.It, row.Pairs, row.ByShare.Others, row.ByTime.It, row.Pairs, row.ByTime.Others)
	}
	return b.String()
}
