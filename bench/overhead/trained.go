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

// group is that of a cell's program in means.
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

// recordedColumns are those of the table, with what is to hold for them.
var recordedColumns = []struct {
	key, title string
	bound      func(within float64) float64
}{
	{"idle", "idle", func(within float64) float64 { return within }},
	{"sharedSettled", "recording, settled", func(within float64) float64 { return recordingShare * within }},
	{"sharedStopped", "after its end", func(within float64) float64 { return within + 1 }},
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

// writeBounds says of how many programs, and of which groups' means, it is certain that a bound holds
// or is exceeded. Of the others the intervals hold the bound.
func (t *Table) writeBounds(b *strings.Builder, within float64) {
	b.WriteString("\n| | bound | programs | certainly below | cannot tell | certainly above |\n|---|---|---|---|---|---|\n")
	for _, c := range recordedColumns {
		bound, below, open, above := c.bound(within), 0, 0, []string(nil)
		count := func(name string, e *estimate.Estimate) {
			switch {
			case e == nil:
			case e.High <= bound:
				below++
			case e.Low > bound:
				above = append(above, name)
			default:
				open++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(t.Programs)) {
			count(name, t.Programs[name].main(c.key))
		}
		fmt.Fprintf(b, "| %s | %.3g %% | %d | %d | %d | %d %s |\n", c.title, bound, below+open+len(above), below, open, len(above), figures.Cell(strings.Join(above, ", ")))
		below, open, above = 0, 0, nil
		for _, group := range slices.Sorted(maps.Keys(t.Means)) {
			if mean := t.Means[group][c.key]; mean != nil {
				count(group, mean.These.Main)
			}
		}
		if groups := below + open + len(above); groups > 0 {
			fmt.Fprintf(b, "| %s, means of groups | %.3g %% | %d | %d | %d | %d %s |\n", c.title, bound, groups, below, open, len(above), figures.Cell(strings.Join(above, ", ")))
		}
	}
}
