package answer

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// mostPoints is how many steps a trend has, and stepsAtOnce for how many the store is asked at once.
const mostPoints, stepsAtOnce = 1000, 100

// Trend is the share of a function over time. The function is named as Functions names it; a
// zero Line is any, and so is one that no function of the name and file has: lines move. Without
// a File, and if no function without one has the name, files do not matter.
func (s *Service) Trend(ctx context.Context, of store.Selection, f Function, step time.Duration) (*Trend, error) {
	step = max(step, time.Minute, stepOf(of.From, of.To, mostPoints)).Truncate(time.Minute)
	t := trending{points: map[time.Time]*sums{}, first: map[string]time.Time{}}
	part := of
	for part.From = of.From; part.From.Before(of.To); part.From = part.To {
		if part.To = part.From.Add(stepsAtOnce * step).UTC().Truncate(step); part.To.After(of.To) {
			part.To = of.To
		}
		// A store that keeps hours or days only widens a part to whole ones. Those that began before the
		// part are in the one before it already.
		var since time.Time
		if part.From != of.From {
			since = part.From
		}
		if err := t.add(ctx, s, part, since, f, step); err != nil {
			return nil, err
		}
	}
	out := &Trend{Function: f, StepSec: int64(step / time.Second), Points: []TrendPoint{}}
	var list []*sums
	for from := of.From.UTC().Truncate(step); from.Before(of.To); from = from.Add(step) {
		p := t.points[from]
		if p == nil {
			p = &sums{}
		}
		list = append(list, p)
		out.Points = append(out.Points, TrendPoint{At: from, Ticks: p.received})
	}
	widerSelf := dispersion(list, func(p *sums) float64 { return p.self })
	widerTotal := dispersion(list, func(p *sums) float64 { return p.total })
	for i, p := range list {
		out.Points[i].Self, out.Points[i].Total = p.share(p.self, widerSelf), p.share(p.total, widerTotal)
	}
	for release, seen := range t.first {
		if release != "" {
			out.Releases = append(out.Releases, TrendSwitch{release, seen})
		}
	}
	slices.SortFunc(out.Releases, func(a, b TrendSwitch) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Release, b.Release))
	})
	return out, nil
}

// trending adds up the parts of a range of time.
type trending struct {
	points map[time.Time]*sums
	first  map[string]time.Time // when each release was seen first
}

// add adds a part, of which the steps before a moment are left out.
func (t *trending) add(ctx context.Context, s *Service, of store.Selection, since time.Time, f Function, step time.Duration) error {
	g, err := s.gather(ctx, of, step, mostSites, fair)
	if err != nil {
		return err
	}
	cells := cellsOf(g)
	found, err := s.stacks(ctx, of.App, cells, ProfileOptions{})
	if err != nil {
		return err
	}
	self, total := found.with(f)
	count := func(group, i int, ticks int64) {
		in := g.ticks.Groups[group]
		if in.At.Before(since) {
			return
		}
		if seen, known := t.first[in.Values[0]]; ticks > 0 && (!known || in.At.Before(seen)) {
			t.first[in.Values[0]] = in.At
		}
		if t.points[in.At] == nil {
			t.points[in.At] = &sums{}
		}
		if found.p.IsBusy(found.p.Samples.Stack[i]) {
			// By the weight and not by what a tick counts in this part: parts are compared.
			t.points[in.At].add(ticks, g.counts[group]*g.scale, self[i], total[i])
		}
	}
	for i, n := range g.ticks.Rest {
		count(i, cells.n, n)
	}
	number := cells.finder(g)
	for _, sum := range g.ticks.Sums {
		count(sum.Group, number(sum), sum.Ticks)
	}
	return nil
}

// with says of each cell whether a function is on top of its stack, and whether it is on it.
func (out *stacks) with(f Function) (self, total []bool) {
	p := out.p
	fits := func(anywhere bool, line int32) (list []bool, any bool) {
		list = make([]bool, len(p.Functions.Name))
		for i := range list {
			id := profile.FunctionID(i)
			list[i] = p.DisplayName(id) == f.Name && (anywhere || p.Strings[p.Functions.File[i]] == f.File) && (line == 0 || p.Functions.Line[i] == line)
			any = any || list[i]
		}
		return list, any
	}
	is, any := fits(false, f.Line)
	if !any {
		is, any = fits(false, 0)
	}
	if !any && f.File == "" {
		is, _ = fits(true, f.Line)
	}
	on := make([]bool, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent { // parents come first
		on[s] = is[p.Frames.Function[p.Stacks.Frame[s]]] || parent != profile.NoStack && on[parent]
	}
	for _, s := range p.Samples.Stack {
		self = append(self, s != profile.NoStack && is[p.Frames.Function[p.Stacks.Frame[s]]])
		total = append(total, s != profile.NoStack && on[s])
	}
	return self, total
}

// sums are the busy ticks of a step, each multiplied by the number of ticks that it represents.
type sums struct {
	all, squares, self, total float64
	received                  int64
}

func (p *sums) add(ticks int64, count float64, self, total bool) {
	n := float64(ticks) * count
	p.received += ticks
	p.all, p.squares = p.all+n, p.squares+n*count
	if self {
		p.self += n
	}
	if total {
		p.total += n
	}
}

// variance is the binomial variance of a share of the step.
func (p *sums) variance(share float64) float64 {
	return share * (1 - share) * p.squares / (p.all * p.all)
}

// dispersion is by how much neighbouring steps differ more than a binomial explains: the median of the
// squared differences, so that a step at which a release came does not count.
func dispersion(list []*sums, part func(*sums) float64) float64 {
	var squares []float64
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if a.all == 0 || b.all == 0 {
			continue
		}
		pooled := (part(a) + part(b)) / (a.all + b.all)
		if variance := a.variance(pooled) + b.variance(pooled); variance > 0 {
			d := part(a)/a.all - part(b)/b.all
			squares = append(squares, d*d/variance)
		}
	}
	if len(squares) < fewBlocks {
		return 1
	}
	slices.Sort(squares)
	const median = 0.4549 // of the square of a normal variable
	return max(1, squares[len(squares)/2]/median)
}

// share estimates a share of a step by Wilson's interval; nil if nothing was recorded.
func (p *sums) share(part, wider float64) *Estimate {
	if p.all == 0 {
		return nil
	}
	value, n := part/p.all, p.all*p.all/p.squares/wider
	const z = 1.96
	centre := (value + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(value*(1-value)/n+z*z/(4*n*n))
	return &Estimate{value, max(0, centre-half), min(1, centre+half)}
}
