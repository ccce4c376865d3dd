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
	// Time is its own, with the native code that it called; the total, if its time is
	// spread over its callees.
	Time   time.Duration
	Groups Groups // how Time is divided
}

// judge knows whose the functions of a profile are.
type judge struct {
	p       *profile.Profile
	parties []Group                       // by function; "" is a pseudo-function
	tallies map[profile.FunctionID]*tally // by function, of the slice in question
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
}

// step is a stretch and its functions, the innermost first.
type step struct {
	stretch
	group Group
	path  []*tally
}

func newJudge(p *profile.Profile, o Options) *judge {
	page := cmp.Or(o.Page, p.Meta.Program)
	j := &judge{p: p, parties: make([]Group, len(p.Functions.Name))}
	for i := range j.parties {
		if f := p.Function(profile.FunctionID(i)); f.Flags&profile.Pseudo == 0 {
			j.parties[i] = o.party(f, page)
		}
	}
	return j
}

func (j *judge) blame(m *profile.Mark) Blame {
	steps := j.steps(m)
	b := Blame{Total: m.Duration, Groups: Groups{}}
	for _, g := range groupNames {
		b.Groups[g] = 0
	}
	for i := range steps {
		b.Groups[steps[i].group] += time.Duration(steps[i].time)
	}
	tallies := count(steps)
	for _, t := range tallies {
		b.Functions = append(b.Functions, Function{j.p.Function(t.function), t.group, time.Duration(t.self), time.Duration(t.total)})
	}
	slices.SortStableFunc(b.Functions, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total))
	})
	j.findCause(&b, tallies, steps, int64(b.Total-b.Groups[Waiting]))
	return b
}

// steps are the stretches of a mark with their groups and functions, without gaps.
func (j *judge) steps(m *profile.Mark) []step {
	var steps []step
	j.tallies = map[profile.FunctionID]*tally{}
	at, end := int64(m.Time), int64(m.End())
	busyFrom, busyTo := busyPart(m)
	wait := func(until int64) {
		steps = split(steps, step{stretch{-1, until - at, until}, Waiting, nil}, busyFrom, busyTo, Other)
		at = until
	}
	for _, s := range stretches(j.p, at, end) {
		if begin := s.end - s.time; begin > at {
			wait(begin)
		}
		switch next := (step{stretch: s, group: j.group(s.sample)}); next.group {
		case Waiting:
			wait(s.end)
		case Other:
			next.path = j.path(j.p.Samples.Stack[s.sample])
			// What the engine does without a script while the next picture is due is to make it.
			steps = split(steps, next, end-int64(m.Presentation), end, Paint)
		default:
			next.path = j.path(j.p.Samples.Stack[s.sample])
			steps = append(steps, next)
		}
		at = s.end
	}
	if at < end {
		wait(end)
	}
	return steps
}

// busyPart is in which part of a mark the thread was busy, whatever was sampled: an
// interaction's handlers, a long task.
func busyPart(m *profile.Mark) (from, to int64) {
	switch m.What {
	case profile.LongTask:
		return int64(m.Time), int64(m.End())
	case profile.Interaction:
		from = int64(m.Time + m.InputDelay)
		return from, from + int64(m.Processing)
	}
	return int64(m.End()), int64(m.End())
}

// split appends a step in up to three, of which that between two moments is of another group.
func split(steps []step, s step, from, to int64, group Group) []step {
	begin := s.end - s.time
	cuts := [...]int64{begin, min(max(from, begin), s.end), min(max(to, from, begin), s.end), s.end}
	for i, end := range cuts[1:] {
		part := s
		if part.end, part.time = end, end-cuts[i]; part.time <= 0 {
			continue
		}
		if i == 1 {
			part.group = group
		}
		steps = append(steps, part)
	}
	return steps
}

// path is the functions of a stack, the innermost first, without pseudo-functions.
func (j *judge) path(s profile.StackID) (path []*tally) {
	for ; s != profile.NoStack; s = j.p.Stacks.Parent[s] {
		f := j.p.Frames.Function[j.p.Stacks.Frame[s]]
		if j.parties[f] == "" {
			continue
		}
		t := j.tallies[f]
		if t == nil {
			t = &tally{function: f, group: j.parties[f]}
			j.tallies[f] = t
		}
		path = append(path, t)
	}
	return path
}

var markerGroups = map[profile.Marker]Group{profile.MarkerGC: GC, profile.MarkerStyle: Style, profile.MarkerLayout: Layout, profile.MarkerPaint: Paint}

// group is whose time a sample is.
func (j *judge) group(sample int) Group {
	s := &j.p.Samples
	if s.Marker != nil {
		if g := markerGroups[s.Marker[sample]]; g != "" {
			return g
		}
	}
	kind, onTop, party := s.Kind[sample], profile.Own, Group("")
	if stack := s.Stack[sample]; stack != profile.NoStack {
		leaf := j.p.Frames.Function[j.p.Stacks.Frame[stack]]
		if party = j.parties[leaf]; party == "" {
			onTop = profile.KindOfPseudo(j.p.Strings[j.p.Functions.Name[leaf]])
		}
	}
	for _, is := range kindGroups {
		if kind == is.kind || onTop == is.kind {
			return is.group
		}
	}
	return cmp.Or(party, Other)
}

// kindGroups are the groups of kinds of sample; the first that fits a sample or the
// pseudo-function on top of its stack counts.
var kindGroups = []struct {
	kind  profile.Kind
	group Group
}{{profile.Idle, Waiting}, {profile.Lost, Waiting}, {profile.GC, GC}, {profile.Native, Native}, {profile.Program, Other}}

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

// spender is the innermost function that is a script's; nil if there is none.
func spender(path []*tally) *tally {
	for _, t := range path {
		if t.group != Native {
			return t
		}
	}
	return nil
}
