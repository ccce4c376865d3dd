package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Row is one function's part in a profile. Ticks are weights of samples; times
// are those of the ticks (profile.TickTime), so zero without a clock. Percentages
// are of all ticks, pseudo-functions such as (idle) included.
type Row struct {
	Function profile.FunctionID
	Name     string // as displayed, not fit for a terminal: see Printable
	File     string
	Line     int32 // where it is defined, 0 when unknown
	// HoldsOthers: its time includes that of functions without checks.
	HoldsOthers bool

	Self, Total               int64 // ticks with the function on top, and anywhere
	SelfTime, TotalTime       time.Duration
	SelfPercent, TotalPercent float64
	Samples                   int // with the function on top
}

// Flat returns a row for each function that occurs in the profile's samples,
// most self time first, then most total time, then by name, file and line. A
// function counts once in a sample's total however often it is on the stack.
func Flat(p *profile.Profile) []Row {
	rows := make([]Row, len(p.Functions.Name))
	var all int64
	onTop := make([]int64, len(p.Stacks.Parent)) // ticks with this stack
	for i, s := range p.Samples.Stack {
		w := int64(p.Samples.Weight[i])
		all += w
		if s != profile.NoStack {
			onTop[s] += w
			rows[p.Frames.Function[p.Stacks.Frame[s]]].Samples++
		}
	}
	self, total := sums(p, sameBelow(p), onTop)
	for f := range rows {
		rows[f].Self, rows[f].Total = self[f], total[f]
	}
	tick, out := p.TickTime(), rows[:0]
	for i := range rows {
		if rows[i].Total == 0 {
			continue
		}
		r := rows[i]
		id := profile.FunctionID(i)
		r.Function, r.Name = id, p.DisplayName(id)
		r.File, r.Line = p.Strings[p.Functions.File[id]], p.Functions.Line[id]
		r.HoldsOthers = holdsOthers(p, id)
		r.SelfTime, r.TotalTime = tick.Of(r.Self), tick.Of(r.Total)
		r.SelfPercent, r.TotalPercent = percent(r.Self, all), percent(r.Total, all)
		out = append(out, r)
	}
	slices.SortFunc(out, func(x, y Row) int {
		return cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.Total, x.Total),
			cmp.Compare(x.Name, y.Name), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line),
			cmp.Compare(x.Function, y.Function))
	})
	return out
}

// sums adds up the ticks of stacks by function: of stacks with the function on top, and
// of stacks with it anywhere, each stack once. It overwrites onTop.
func sums[N int64 | float64](p *profile.Profile, below []profile.StackID, onTop []N) (self, total []N) {
	self, total = make([]N, len(p.Functions.Name)), make([]N, len(p.Functions.Name))
	for s, n := range onTop {
		self[p.Frames.Function[p.Stacks.Frame[s]]] += n
	}
	for s := len(onTop) - 1; s >= 0; s-- { // children come last
		if below[s] == profile.NoStack { // else it is counted there
			total[p.Frames.Function[p.Stacks.Frame[s]]] += onTop[s]
		}
		if parent := p.Stacks.Parent[s]; parent != profile.NoStack {
			onTop[parent] += onTop[s]
		}
	}
	return self, total
}

// sameBelow is, for each stack, the nearest one below it, towards the root, with the
// same function on top; NoStack if there is none.
func sameBelow(p *profile.Profile) []profile.StackID {
	n := len(p.Stacks.Parent)
	child, sibling := slices.Repeat([]profile.StackID{profile.NoStack}, n), make([]profile.StackID, n)
	roots := profile.NoStack
	for s := n - 1; s >= 0; s-- {
		first := &roots
		if parent := p.Stacks.Parent[s]; parent != profile.NoStack {
			first = &child[parent]
		}
		sibling[s], *first = *first, profile.StackID(s)
	}
	// Walk the trie depth first, remembering each function's stack nearest to
	// here. Stacks may be millions deep, so no recursion.
	last := slices.Repeat([]profile.StackID{profile.NoStack}, len(p.Functions.Name))
	below := make([]profile.StackID, n)
	for s := roots; s != profile.NoStack; {
		f := p.Frames.Function[p.Stacks.Frame[s]]
		below[s], last[f] = last[f], s
		if child[s] != profile.NoStack {
			s = child[s]
			continue
		}
		for s != profile.NoStack {
			last[p.Frames.Function[p.Stacks.Frame[s]]] = below[s]
			if sibling[s] != profile.NoStack {
				s = sibling[s]
				break
			}
			s = p.Stacks.Parent[s]
		}
	}
	return below
}

func percent(part, all int64) float64 {
	if all == 0 {
		return 0
	}
	return 100 * float64(part) / float64(all)
}
