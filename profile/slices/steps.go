package slices

import (
	"cmp"

	"github.com/fieldprof/fieldprof/profile"
)

// step is a stretch, or several of one stack and group, and its functions, the innermost first.
type step struct {
	time, end int64
	stack     profile.StackID
	group     Group
	path      []*tally
}

// steps are the stretches of a mark with their groups, without gaps.
func (j *judge) steps(m *profile.Mark) []step {
	var steps []step
	at, end := int64(m.Time), int64(m.End())
	busyFrom, busyTo := busyPart(m)
	wait := func(until int64) {
		steps = split(steps, step{time: until - at, end: until, stack: profile.NoStack, group: Waiting}, busyFrom, busyTo, Other)
		at = until
	}
	for _, s := range stretches(j.p, at, end) {
		if begin := s.end - s.time; begin > at {
			wait(begin)
		}
		next := step{time: s.time, end: s.end, stack: j.p.Samples.Stack[s.sample], group: j.group(s.sample)}
		switch next.group {
		case Waiting:
			wait(s.end)
		case Other:
			// The engine's work without a script while the next picture is due is to make it.
			steps = split(steps, next, end-int64(m.Presentation), end, Paint)
		default:
			steps = append(steps, next)
		}
		at = s.end
	}
	if at < end {
		wait(end)
	}
	return steps
}

// busyPart is the part of a mark in which the thread was busy, whatever was sampled: an
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

// A slice has room for so many functions on the stacks of its steps; of deeper stacks the
// innermost functions count.
const room, leastDeep = 1 << 21, 64

// withPaths adds up steps of one stack and group, in the order of the first, and finds the
// functions of each.
func (j *judge) withPaths(steps []step) []step {
	type key struct {
		stack profile.StackID
		group Group
	}
	at := map[key]int{}
	var sums []step
	for _, s := range steps {
		k := key{s.stack, s.group}
		if i, ok := at[k]; ok {
			sums[i].time += s.time
			continue
		}
		at[k] = len(sums)
		sums = append(sums, s)
	}
	for i := range sums {
		sums[i].path = j.path(sums[i].stack, leastDeep+room/len(sums))
		j.work += len(sums[i].path)
	}
	return sums
}

// path is the functions of a stack, the innermost first, without pseudo-functions.
func (j *judge) path(s profile.StackID, deepest int) (path []*tally) {
	for ; s != profile.NoStack && deepest > 0; s = j.p.Stacks.Parent[s] {
		deepest--
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
