package overhead

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// Programs whose checks counts have chosen are of two groups, as the work that is measured is
// that of the training or unlike it.
const (
	sameInput   = "the training's input"
	unlikeInput = "an input unlike the training's"
)

// A build may cost its overhead when idle, and two and a half times as much while it records, once
// it has settled: 2 % and 5 %.
const recordingShare = 2.5

// retrained are the real and classic programs that are measured with the training's input.
var retrained = []string{
	"raytrace", "kernel", "sheet", "trees", "ajv", "immer-semver",
	"constraints", "splay", "esprima", "coffeescript", "source-map", "terser",
}

// trainedPrograms are twenty, eight of which have another input for training.
func trainedPrograms() []fixtures.Program {
	list := fixtures.Trained()
	for _, p := range slices.Concat(fixtures.Real(), fixtures.Classic()) {
		if slices.Contains(retrained, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// group is the group of a cell's program in means.
func (c cell) group() string {
	switch {
	case c.Within == 0:
		return c.Program.Group()
	case c.Program.Unlike:
		return unlikeInput
	}
	return sameInput
}

// trainedTable is the report where counts have chosen the checks, below headings of a level.
func (r *Report) trainedTable(b *strings.Builder, level string) {
	for _, engine := range slices.Sorted(maps.Keys(r.Engines)) {
		for _, checks := range slices.Sorted(maps.Keys(r.Engines[engine])) {
			t := r.Engines[engine][checks]
			fmt.Fprintf(b, "\n%s %s, %s: %s\n\n", level, engine, checks, titleOf(engine, mainMeter))
			t.writeTrained(b)
			t.writeBounds(b, r.Within)
		}
	}
}

// recordedColumns are the columns of the table, with the bound that is to hold for each.
var recordedColumns = []struct {
	key, title string
	bound      func(within float64) float64
}{
	{"idle", "idle", func(within float64) float64 { return within }},
	{"sharedSettled", "recording, settled", func(within float64) float64 { return recordingShare * within }},
	{"sharedEnded", "after its end, settled", func(within float64) float64 { return within + 1 }},
}

func (t *Table) writeTrained(b *strings.Builder) {
	b.WriteString("More than the clean build, in percent, with 95 % intervals. *Promised*: what the checks would have taken of the training. *Resolution*: the share of the time, in percent, in functions that have checks, by V8's sampler.\n\n| program | sites | promised | resolution |")
	for _, c := range recordedColumns {
		fmt.Fprintf(b, " %s |", c.title)
	}
	b.WriteString("\n|---|---|---|---|" + strings.Repeat("---|", len(recordedColumns)) + "\n")
	for _, group := range []string{sameInput, unlikeInput} {
		for _, name := range slices.Sorted(maps.Keys(t.Programs)) {
			p := t.Programs[name]
			if p.Group != group || p.Placed == nil {
				continue
			}
			promised := fmt.Sprintf("%.2f", p.Placed.Promised)
			if p.Placed.Exceeds {
				promised += ", as nothing fits"
			}
			fmt.Fprintf(b, "| %s | %d of %d | %s | %.1f |", figures.Cell(name), p.Placed.Sites, p.Placed.Candidates, promised, p.Placed.Resolution)
			for _, c := range recordedColumns {
				fmt.Fprintf(b, " %s |", interval(p.main(c.key)))
			}
			b.WriteString("\n")
		}
		if means := t.Means[group]; means != nil {
			fmt.Fprintf(b, "| **%s** | | | |", group)
			for _, c := range recordedColumns {
				fmt.Fprintf(b, " %s |", means[c.key].text(mainMeter))
			}
			b.WriteString("\n")
		}
	}
}

// main is a program's cost by the main thread's time, or nil.
func (p *Program) main(column string) *estimate.Estimate {
	if c := p.Columns[column]; c != nil {
		return c.Main
	}
	return nil
}

// tally counts of how many figures it is certain that a bound holds, or is exceeded. The intervals of the
// others contain it.
type tally struct {
	below, open int
	above       []string
}

func (t *tally) count(name string, e *estimate.Estimate, bound float64) {
	switch {
	case e == nil:
	case e.High <= bound:
		t.below++
	case e.Low > bound:
		t.above = append(t.above, name)
	default:
		t.open++
	}
}

func (t *tally) all() int { return t.below + t.open + len(t.above) }

func (t *tally) write(b *strings.Builder, title string, bound float64) {
	fmt.Fprintf(b, "| %s | %.3g %% | %d | %d | %d | %d %s |\n", title, bound, t.all(), t.below, t.open, len(t.above), figures.Cell(strings.Join(t.above, ", ")))
}

// writeBounds tallies the programs, and the means of groups.
func (t *Table) writeBounds(b *strings.Builder, within float64) {
	b.WriteString("\n| | bound | programs | certainly below | cannot tell | certainly above |\n|---|---|---|---|---|---|\n")
	for _, c := range recordedColumns {
		bound := c.bound(within)
		var programs, groups tally
		for _, name := range slices.Sorted(maps.Keys(t.Programs)) {
			programs.count(name, t.Programs[name].main(c.key), bound)
		}
		for _, group := range slices.Sorted(maps.Keys(t.Means)) {
			if mean := t.Means[group][c.key]; mean != nil {
				groups.count(group, mean.These.Main, bound)
			}
		}
		programs.write(b, c.title, bound)
		if groups.all() > 0 {
			groups.write(b, c.title+", means of groups", bound)
		}
	}
}
