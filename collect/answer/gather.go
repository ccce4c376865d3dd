package answer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// mostSites bounds the sites of a question. Of the others only the time is known.
const mostSites = 20_000

// gathered are the ticks of a selection by release, and by step.
type gathered struct {
	ticks    *store.Ticks
	interval time.Duration // of most of the time
	scale    float64       // ticks of all sessions for each counted one
	counts   []float64     // what a tick of each group counts
	received int64
	byTime   map[string]float64 // of releases
	weights  weights
}

// size says how many ticks a profile has.
type size bool

// A fine profile has at least one tick for each that was received. A fair one has the effective number: as
// many ticks of equal weight would tell as much, and significance depends on that. If all rates are equal,
// both are the number received.
const fine, fair size = false, true

func (s *Service) gather(ctx context.Context, of store.Selection, step time.Duration, limit int, as size) (*gathered, error) {
	ticks, err := s.store.Ticks(ctx, of, store.Grouping{By: []string{record.Release}, Step: step}, limit)
	if err != nil {
		return nil, err
	}
	g := &gathered{ticks: ticks, scale: 1, counts: make([]float64, len(ticks.Groups)), byTime: map[string]float64{}}
	n := make([]int64, len(ticks.Groups))
	for i, rest := range ticks.Rest {
		n[i] += rest
	}
	for _, sum := range ticks.Sums {
		n[sum.Group] += sum.Ticks
	}
	if g.weights, err = s.weightsOfTicks(ctx, of, ticks.Groups, n); err != nil {
		return nil, err
	}
	g.weigh(n, as)
	return g, nil
}

// weigh finds what a tick of each group counts, given the numbers of ticks.
func (g *gathered) weigh(n []int64, as size) {
	byInterval := map[time.Duration]float64{}
	for i, group := range g.ticks.Groups {
		g.received += n[i]
		byInterval[group.Interval] += float64(n[i]) * float64(group.Interval) * g.weights.of(group.Rate)
	}
	for interval, all := range byInterval {
		if best := byInterval[g.interval]; all > best || all == best && interval > g.interval {
			g.interval = interval
		}
	}
	var sum, squares, least float64
	for i, group := range g.ticks.Groups {
		g.counts[i] = g.weights.of(group.Rate)
		if group.Interval > 0 && g.interval > 0 {
			g.counts[i] *= float64(group.Interval) / float64(g.interval)
		}
		if n[i] == 0 {
			continue
		}
		sum, squares = sum+g.counts[i]*float64(n[i]), squares+g.counts[i]*g.counts[i]*float64(n[i])
		if least == 0 || g.counts[i] < least {
			least = g.counts[i]
		}
	}
	switch {
	case sum == 0:
	case as == fair:
		g.scale = squares / sum // Kish: sum²/squares ticks
	default:
		g.scale = max(least, sum/mostTicks)
	}
	for i, group := range g.ticks.Groups {
		g.counts[i] /= g.scale
		g.byTime[group.Values[0]] += g.counts[i] * float64(n[i])
	}
}

// mostTicks keeps sums of ticks far from overflowing.
const mostTicks = 1e15

// counted are the ticks of each cell, and of the rare stacks, in the groups that are wanted.
func (g *gathered) counted(c *cells, wanted func(store.Group) bool) []float64 {
	ticks, in := make([]float64, c.n+1), make([]bool, len(g.ticks.Groups))
	for i, group := range g.ticks.Groups {
		if in[i] = wanted(group); in[i] {
			ticks[c.n] += float64(g.ticks.Rest[i]) * g.counts[i]
		}
	}
	number := c.finder(g)
	for _, sum := range g.ticks.Sums {
		if in[sum.Group] {
			ticks[number(sum)] += float64(sum.Ticks) * g.counts[sum.Group]
		}
	}
	return ticks
}

func always(store.Group) bool { return true }

// Profile is the profile of a selection.
func (s *Service) Profile(ctx context.Context, of store.Selection, o ProfileOptions) (*Result, error) {
	return s.profile(ctx, of, o, fine)
}

func (s *Service) profile(ctx context.Context, of store.Selection, o ProfileOptions, as size) (*Result, error) {
	key := keyOfQuestion(of, o, as)
	if known := s.recent.get(key); known != nil {
		return known, nil
	}
	g, err := s.gather(ctx, of, 0, mostSites, as)
	if err != nil {
		return nil, err
	}
	cells := cellsOf(g)
	found, err := s.stacks(ctx, of.App, cells, o)
	if err != nil {
		return nil, err
	}
	ticks := g.counted(cells, always)
	p := found.profile(ticks, g.interval)
	p.Meta.Start, p.Meta.Program = of.From, of.App
	notes := slices.Concat(found.notes, found.lacking(ticks), g.notes())
	p.Meta.Notes = profile.Notes(notes)
	result := &Result{Profile: p, Scale: g.scale, Received: g.received, Notes: p.Meta.Notes, Source: s.source(of.App, found)}
	s.recent.put(key, result, s.options.Remember)
	return result, nil
}

// notes say how much time is in rare stacks, and whether rates were not believed.
func (g *gathered) notes() []string {
	var rest, all float64
	for i, n := range g.ticks.Rest {
		rest += float64(n) * g.counts[i]
	}
	for _, n := range g.byTime {
		all += n
	}
	notes := g.weights.notes()
	if rest > 0 {
		notes = append(notes, fmt.Sprintf("%.1f %% of the time is in rare stacks beyond the %d with the most, and counts as %s", 100*rest/all, mostSites, rareStacks))
	}
	return notes
}
