package slices

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Blame says whose time a slice was.
type Blame struct {
	Total     time.Duration // the slice's duration
	Functions []Function    // by Self, the largest first
	Groups    Groups        // they add up to Total
	Cause     *Cause        // the function to look at first; nil if none has half of the busy time
	// Handler is the outermost function of the page's own code that led to the cause; nil if
	// it is the cause, or not known.
	Handler *profile.Function
}

// Groups are times by group.
type Groups map[Group]time.Duration

// Function is a function on the stacks of a slice, and its time.
type Function struct {
	profile.Function
	Group Group
	Self  time.Duration
	Total time.Duration // counted once if it calls itself
}

// Cause is the function to look at first.
type Cause struct {
	profile.Function
	Group Group
	// Time is its own time, with that of native code that it called; the total, if its time is
	// spread over its callees.
	Time   time.Duration
	Groups Groups // how Time is divided
}

// judge knows whose the functions of a profile are.
type judge struct {
	p       *profile.Profile
	parties []Group  // by function; "" is a pseudo-function
	tallies []*tally // by function, of the slice in question; nil for others
	work    int      // how many functions are on its stacks
}

// tally is what a function has in a slice.
type tally struct {
	function profile.FunctionID
	group    Group
	self     int64
	total    int64
	spent    int64 // its own time, and that of the native code that it called
	depth    int   // the most callers that it had
	seen     int   // the last step that counted it
	order    int   // among the slice's functions
}

func newJudge(p *profile.Profile, o Options) *judge {
	page := cmp.Or(o.Page, p.Meta.Program)
	j := &judge{p: p, parties: make([]Group, len(p.Functions.Name)), tallies: make([]*tally, len(p.Functions.Name))}
	for i := range j.parties {
		if f := p.Function(profile.FunctionID(i)); f.Flags&profile.Pseudo == 0 {
			j.parties[i] = o.party(f, page)
		}
	}
	return j
}

func (j *judge) blame(m *profile.Mark) Blame {
	steps := j.steps(m)
	j.work = len(steps)
	steps = j.withPaths(steps)
	b := Blame{Total: m.Duration, Groups: Groups{}}
	for _, g := range groupNames {
		b.Groups[g] = 0
	}
	for i := range steps {
		b.Groups[steps[i].group] += time.Duration(steps[i].time)
	}
	tallies := count(steps)
	j.work += 8 * len(tallies) // which stay in memory
	for _, t := range tallies {
		j.tallies[t.function] = nil
	}
	for _, t := range bySelf(tallies) {
		b.Functions = append(b.Functions, Function{j.p.Function(t.function), t.group, time.Duration(t.self), time.Duration(t.total)})
	}
	j.findCause(&b, tallies, steps, int64(b.Total-b.Groups[Waiting]))
	return b
}

// bySelf sorts tallies, the largest self first; equal ones stay in order.
func bySelf(tallies []*tally) []*tally {
	for i, t := range tallies {
		t.order = i
	}
	return slices.SortedFunc(slices.Values(tallies), func(a, b *tally) int {
		return cmp.Or(cmp.Compare(b.self, a.self), cmp.Compare(b.total, a.total), cmp.Compare(a.order, b.order))
	})
}

// count adds up the times of functions, and returns those that have some, in the order of
// their first stretch.
func count(steps []step) (met []*tally) {
	for i := range steps {
		path, time := steps[i].path, steps[i].time
		for depth, t := range path {
			if t.depth == 0 {
				met = append(met, t)
			}
			t.depth = max(t.depth, len(path)-depth)
			if t.seen != i+1 {
				t.total += time
				t.seen = i + 1
			}
		}
		if len(path) > 0 {
			path[0].self += time
		}
		if t := spender(path); t != nil {
			t.spent += time
		}
	}
	return met
}

// spender is the innermost function that a script defines, or nil.
func spender(path []*tally) *tally {
	for _, t := range path {
		if t.group != Native {
			return t
		}
	}
	return nil
}
