package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// mostCompared is how many sites of a side are compared, and finest is how many steps of time are
// made blocks.
const mostCompared, finest = 8000, 2 * mostBlocks

// Comparison is what Diff is made of.
type Comparison struct {
	Difference    *view.Difference
	Before, After *Result
	Blocks        [2]int
}

// Compare compares two selections. Blocks of time with about equally many ticks are the runs of each
// side, so that differences between sessions and hours count as noise.
func (s *Service) Compare(ctx context.Context, before, after store.Selection, o ProfileOptions) (*Comparison, error) {
	selections := []store.Selection{after, before} // names are as on the later side
	sides := make([]*gathered, 2)
	for i, of := range selections {
		var err error
		if sides[i], err = s.side(ctx, of); err != nil {
			return nil, err
		}
	}
	if before.App != after.App {
		return nil, errors.New("the selections are of different apps")
	}
	cells := cellsOf(sides...)
	found, err := s.stacks(ctx, after.App, cells, o)
	if err != nil {
		return nil, err
	}
	out := &Comparison{}
	var runs [2][]*profile.Profile
	for i, g := range sides {
		all := g.counted(cells, always)
		whole := found.profile(all, g.interval)
		if record.BusyTicks(whole) == 0 {
			return nil, fmt.Errorf("%s: %w", describe(selections[i], selections[1-i]), ErrNothing)
		}
		for _, steps := range g.blocks() {
			run := found.profile(g.counted(cells, func(of store.Group) bool { return steps[of.At] }), g.interval)
			if record.BusyTicks(run) > 0 {
				runs[i] = append(runs[i], run)
			}
		}
		notes := profile.Notes(found.notes, found.lacking(all), g.notes())
		whole.Meta.Start, whole.Meta.Program, whole.Meta.Notes = selections[i].From, selections[i].App, notes
		result := &Result{Profile: whole, Scale: g.scale, Received: g.received, Notes: notes, Source: s.source(after.App, found)}
		if out.Blocks[1-i] = len(runs[i]); i == 0 {
			out.After = result
		} else {
			out.Before = result
		}
	}
	out.Difference, err = view.DiffRuns(runs[1], runs[0], view.DiffOptions{Blocks: true})
	return out, err
}

// side gathers a side of a comparison in steps that are as fine as its blocks need. A release may have been
// there for a part of the time only.
func (s *Service) side(ctx context.Context, of store.Selection) (*gathered, error) {
	step := stepOf(of.From, of.To, finest)
	g, err := s.gather(ctx, of, step, mostCompared, fair)
	if err != nil || len(g.ticks.Groups) == 0 {
		return g, err
	}
	first, last := g.ticks.Groups[0].At, g.ticks.Groups[0].At
	for _, group := range g.ticks.Groups {
		if group.At.Before(first) {
			first = group.At
		}
		if group.At.After(last) {
			last = group.At
		}
	}
	last = last.Add(step)
	if first.Before(of.From) {
		first = of.From
	}
	if last.After(of.To) {
		last = of.To
	}
	finer := stepOf(first, last, finest)
	if finer >= step {
		return g, nil
	}
	of.From, of.To = first, last
	return s.gather(ctx, of, finer, mostCompared, fair)
}

// blocks are the steps of each block: consecutive ones that have about equally many ticks together.
func (g *gathered) blocks() []map[time.Time]bool {
	ticks := map[time.Time]float64{}
	all := 0.0
	add := func(group int, n int64) {
		counted := float64(n) * g.counts[group]
		ticks[g.ticks.Groups[group].At] += counted
		all += counted
	}
	for i, n := range g.ticks.Rest {
		add(i, n)
	}
	for _, sum := range g.ticks.Sums {
		add(sum.Group, sum.Ticks)
	}
	var blocks []map[time.Time]bool
	passed, open := 0.0, false
	for _, at := range slices.SortedFunc(maps.Keys(ticks), time.Time.Compare) {
		if !open {
			blocks = append(blocks, map[time.Time]bool{})
			open = true
		}
		blocks[len(blocks)-1][at] = true
		if passed += ticks[at]; passed >= all*float64(len(blocks))/mostBlocks {
			open = false
		}
	}
	return blocks
}

// Diff compares two selections.
func (s *Service) Diff(ctx context.Context, before, after store.Selection, o ProfileOptions, limit int) (*Diff, error) {
	c, err := s.Compare(ctx, before, after, o)
	if err != nil {
		return nil, err
	}
	out := &Diff{Before: describe(before, after), After: describe(after, before), Blocks: c.Blocks, Summary: c.Difference.Summary(),
		Diff: view.NewDiffList(c.Difference, limit)}
	switch {
	case max(c.Blocks[0], c.Blocks[1]) < 2:
		out.Summary += "; each side is of a single stretch of time, so how much such stretches differ is unknown"
	case min(c.Blocks[0], c.Blocks[1]) < 2:
		out.Summary += "; one side is of a single stretch of time, so how much such stretches differ is known from the other only"
	}
	return out, nil
}

// describe says what a selection is that another is not: "release 1.2".
func describe(of, other store.Selection) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of.Where)) {
		if values := of.Where[name]; !slices.Equal(values, other.Where[name]) {
			parts = append(parts, name+" "+strings.Join(values, " or "))
		}
	}
	slices.SortStableFunc(parts, func(a, b string) int {
		return cmp.Compare(fmt.Sprint(!strings.HasPrefix(a, record.Release+" ")), fmt.Sprint(!strings.HasPrefix(b, record.Release+" ")))
	})
	if !of.From.Equal(other.From) || !of.To.Equal(other.To) {
		const minute = "2006-01-02 15:04"
		parts = append(parts, fmt.Sprintf("%s to %s", of.From.UTC().Format(minute), of.To.UTC().Format(minute)))
	}
	if of.Slow && !other.Slow {
		parts = append(parts, "what was slow")
	}
	if len(parts) == 0 {
		return "everything"
	}
	return strings.Join(parts, ", ")
}
