package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// DiffReport is how often comparing two profiles finds changes that are not there.
type DiffReport struct {
	figures.Origin
	Interval time.Duration `json:"intervalNs"`
	Same     []DiffSame    `json:"same"`
}

// SlowerReport is how often it finds changes that are there.
type SlowerReport struct {
	figures.Origin
	Interval time.Duration `json:"intervalNs"`
	Slower   []DiffSlower  `json:"slower"`
}

// DiffSame is one program, run again and again: pairs of neighbouring runs, or of
// several with several, in turn, and in how many of them a change was found, by share
// and by time.
type DiffSame struct {
	Program string `json:"program"`
	Runs    int    `json:"runs"`    // a side
	Samples int    `json:"samples"` // of a run, median
	Pairs   int    `json:"pairs"`
	ByShare int    `json:"foundByShare"`
	ByTime  int    `json:"foundByTime"`
}

// DiffSlower compares a program with the same program with one function made slower:
// in how many of the pairs that function was found, and in how many other functions
// were reported to have grown.
type DiffSlower struct {
	What    string `json:"what"`
	Runs    int    `json:"runs"`    // a side
	Samples int    `json:"samples"` // of a run of the program as it was, median
	Pairs   int    `json:"pairs"`
	ByShare Found  `json:"byShare"`
	ByTime  Found  `json:"byTime"`
}

// Found counts pairs.
type Found struct {
	It     int `json:"found"`
	Others int `json:"othersFound"`
}

// checkout is a program whose functions do known parts of its work: price 40 %,
// the others 25, 15, 10, 6 and 4. Its arguments are the rounds, and price's extra work
// in percent.
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

// diffRuns is how many runs a side are compared together.
const diffRuns = 5

// diffRounds is how many rounds of checkout give 3,000 samples on a quiet machine.
const diffRounds = 4000

// Diff runs programs in goja again and again, and compares each run with the one
// before it.
func Diff(ctx context.Context, pairs int, only string, progress figures.Progress) (*DiffReport, error) {
	report := &DiffReport{Origin: figures.Runs("diff", pairs), Interval: diffInterval}
	d, err := newDiffer(ctx, pairs, progress)
	if err != nil {
		return nil, err
	}
	defer d.close()
	programs := []fixtures.Program{{Name: "checkout", Path: d.checkout, Goja: fixtures.Run{Args: []string{fmt.Sprint(diffRounds), "0"}}}}
	for _, program := range fixtures.Real() {
		if !program.NeedsNPM { // needs nothing installed
			program.Goja.Args = []string{"0.4"} // enough for 3,000 samples
			programs = append(programs, program)
		}
	}
	for _, program := range programs {
		if only == "" || strings.Contains(program.Name, only) {
			rows, err := d.same(program)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", program.Name, err)
			}
			report.Same = append(report.Same, rows...)
		}
	}
	return report, nil
}

// DiffSlowdowns runs a program as it is and with one function slower, in turn, and
// compares the two.
func DiffSlowdowns(ctx context.Context, pairs int, progress figures.Progress) (*SlowerReport, error) {
	report := &SlowerReport{Origin: figures.Runs("diff-slower", pairs), Interval: diffInterval}
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
		rows, err := d.slower(c.what, c.rounds, c.more)
		if err != nil {
			return nil, err
		}
		report.Slower = append(report.Slower, rows...)
	}
	return report, nil
}

// differ makes pairs of runs.
type differ struct {
	ctx       context.Context
	pairs     int
	progress  figures.Progress
	directory string
	checkout  string // where that program is
	runs      uint64
}

func newDiffer(ctx context.Context, pairs int, progress figures.Progress) (*differ, error) {
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
}

// run records a program once.
func (d *differ) run(path string, args []string) (*profile.Profile, error) {
	d.runs++
	d.progress.Show("run %d: %s", d.runs, filepath.Base(path))
	result, err := record(d.ctx, path, args, diffInterval, d.runs)
	if err != nil {
		return nil, err
	}
	return profile.Attribute(result.Profile, profile.BySite), nil
}

// sameWork is the option of comparing by share, and by time.
var sameWork = []bool{false, true}

// same compares runs one by one with the next, and several with several.
func (d *differ) same(program fixtures.Program) ([]DiffSame, error) {
	var all []*profile.Profile
	var samples []float64
	for range d.pairs + 1 {
		p, err := d.run(program.Path, program.Goja.Args)
		if err != nil {
			return nil, err
		}
		all, samples = append(all, p), append(samples, float64(p.Len()))
	}
	single := DiffSame{Program: program.Name, Runs: 1, Samples: int(figures.Median(samples)), Pairs: d.pairs}
	several := DiffSame{Program: program.Name, Runs: diffRuns, Samples: single.Samples}
	for i := range d.pairs {
		if err := single.compare(all[i:i+1], all[i+1:i+2]); err != nil {
			return nil, err
		}
	}
	for ; len(all) >= 2*diffRuns; all = all[2*diffRuns:] {
		var sides [2][]*profile.Profile
		for i, p := range all[:2*diffRuns] {
			sides[i%2] = append(sides[i%2], p) // in turn, since the machine changes
		}
		several.Pairs++
		if err := several.compare(sides[0], sides[1]); err != nil {
			return nil, err
		}
	}
	if several.Pairs == 0 {
		return []DiffSame{single}, nil
	}
	return []DiffSame{single, several}, nil
}

func (row *DiffSame) compare(before, after []*profile.Profile) error {
	for i, found := range []*int{&row.ByShare, &row.ByTime} {
		difference, err := view.DiffRuns(before, after, view.DiffOptions{SameWork: sameWork[i]})
		if err != nil {
			return err
		}
		if difference.Changed > 0 {
			*found++
		}
	}
	return nil
}

// slower compares checkout as it is with price slower, run by run in turn, and several
// with several.
func (d *differ) slower(what string, rounds, more float64) ([]DiffSlower, error) {
	var sides [2][]*profile.Profile
	var samples []float64
	for range d.pairs {
		for i, percent := range []float64{0, more} {
			p, err := d.run(d.checkout, []string{fmt.Sprint(int(rounds * diffRounds)), fmt.Sprint(percent)})
			if err != nil {
				return nil, err
			}
			sides[i] = append(sides[i], p)
		}
		samples = append(samples, float64(sides[0][len(sides[0])-1].Len()))
	}
	var rows []DiffSlower
	for _, runs := range []int{1, diffRuns} {
		row := DiffSlower{What: what, Runs: runs, Samples: int(figures.Median(samples))}
		for at := 0; at+runs <= d.pairs; at += runs {
			row.Pairs++
			for i, found := range []*Found{&row.ByShare, &row.ByTime} {
				difference, err := view.DiffRuns(sides[0][at:at+runs], sides[1][at:at+runs], view.DiffOptions{SameWork: sameWork[i]})
				if err != nil {
					return nil, err
				}
				found.add(difference)
			}
		}
		if row.Pairs > 0 {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// add counts the functions that a comparison found to have more time of their own.
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

// Table implements figures.Report.
func (r *DiffReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The same program twice in goja: pairs in which `instrument diff` finds any change, by share and by time (`--same-work`,\nfor which a busy machine is a change, unless several runs a side show it). Each run is compared with the one before it,\nand several runs a side with others in between. Interval %v; samples are of a run.\n%s.\n\n",
		r.Interval, r.InShort())
	b.WriteString("| program | runs a side | samples | by share | by time |\n|---|---|---|---|---|\n")
	for _, row := range r.Same {
		fmt.Fprintf(&b, "| %s | %d | %d | %d of %d | %d of %d |\n", row.Program, row.Runs, row.Samples, row.ByShare, row.Pairs, row.ByTime, row.Pairs)
	}
	for _, runs := range []int{1, diffRuns} {
		pairs, share, time := 0, 0, 0
		for _, row := range r.Same {
			if row.Runs == runs {
				pairs, share, time = pairs+row.Pairs, share+row.ByShare, time+row.ByTime
			}
		}
		if pairs > 0 {
			fmt.Fprintf(&b, "| together | %d | | %d of %d | %d of %d |\n", runs, share, pairs, time, pairs)
		}
	}
	return b.String()
}

// Table implements figures.Report.
func (r *SlowerReport) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "A program in goja of which one function, price, has 40 %%, and the same with price slower: pairs in which\n`instrument diff` finds that price has more time (and pairs in which it says so of another), by share and by time\n(`--same-work`, for which a busy machine is a change, unless several runs a side show it). Interval %v; samples are\nthose of a run of the program as it was.\n%s.\n\n",
		r.Interval, r.InShort())
	b.WriteString("| change | runs a side | samples | by share | by time |\n|---|---|---|---|---|\n")
	for _, row := range r.Slower {
		fmt.Fprintf(&b, "| %s | %d | %d | %d of %d (%d) | %d of %d (%d) |\n", row.What, row.Runs, row.Samples, row.ByShare.It, row.Pairs, row.ByShare.Others, row.ByTime.It, row.Pairs, row.ByTime.Others)
	}
	return b.String()
}
