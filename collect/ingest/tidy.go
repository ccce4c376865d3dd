package ingest

import (
	"cmp"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Bounds of the texts of a profile, in bytes.
const (
	longestName = 300
	longestFile = 500
)

// tidy is a profile with clean texts, URLs without queries, stacks of at most so many frames
// and nothing in its metadata but what is needed to add it up.
func tidy(p *profile.Profile, deepest int) *profile.Profile {
	tidied := *p
	tidied.Meta = profile.Meta{Start: p.Meta.Start, Interval: p.Meta.Interval, Program: programOf(p.Meta.Program), DebugIDs: debugIDs(p.Meta.DebugIDs)}
	if isTidy(p, deepest) {
		tidied.Marks = tidyMarks(p.Marks)
		return &tidied
	}
	var b profile.Builder
	b.Meta = tidied.Meta
	frames := make([]profile.FrameID, len(p.Frames.Function))
	for i, of := range p.Frames.Function {
		f := p.Function(of)
		f.Name, f.File = clean(f.Name, longestName), fileOf(f.File)
		frames[i] = b.Frame(b.Function(f), p.Frames.Line[i], p.Frames.Column[i])
	}
	stacks := cut(&b, p, frames, deepest)
	b.Grow(p.Len())
	for i := range p.Len() {
		s := p.Sample(i)
		if s.Stack != profile.NoStack {
			s.Stack = stacks[s.Stack]
		}
		b.Sample(s)
	}
	for _, m := range tidyMarks(p.Marks) {
		b.Mark(m)
	}
	return b.Profile()
}

// cut builds the stacks of a profile. Of one that is too deep the outermost frames remain, which
// it shares with others, and the innermost, whose time it is.
func cut(b *profile.Builder, p *profile.Profile, frames []profile.FrameID, deepest int) []profile.StackID {
	stacks := make([]profile.StackID, len(p.Stacks.Parent))
	depth := make([]int, len(stacks))
	below := make([]profile.StackID, len(stacks)) // what remains below the top of a stack that is deep enough
	for i, parent := range p.Stacks.Parent {
		caller := profile.NoStack
		depth[i] = 1
		if parent != profile.NoStack {
			caller, depth[i] = stacks[parent], depth[parent]+1
			if depth[i] > deepest {
				caller = below[parent]
			}
		}
		below[i] = caller
		stacks[i] = b.Stack(caller, frames[p.Stacks.Frame[i]])
	}
	return stacks
}

func isTidy(p *profile.Profile, deepest int) bool {
	for i := range p.Functions.Name {
		name, file := p.Strings[p.Functions.Name[i]], p.Strings[p.Functions.File[i]]
		if len(name) > longestName || !isClean(name) || file != fileOf(file) {
			return false
		}
	}
	depth := make([]int, len(p.Stacks.Parent))
	for i, parent := range p.Stacks.Parent {
		if depth[i] = 1; parent != profile.NoStack {
			depth[i] = depth[parent] + 1
		}
		if depth[i] > deepest {
			return false
		}
	}
	return true
}

// programOf names a program: a page by its origin.
func programOf(program string) string { return cmp.Or(originOf(program), fileOf(program)) }

func fileOf(file string) string {
	if strings.ContainsAny(file, "?#@,") {
		file = cleanURL(file)
	}
	return clean(file, longestFile)
}

// mostMarks bounds the marks of a profile that is kept.
const mostMarks = 1000

func tidyMarks(marks []profile.Mark) []profile.Mark {
	tidied := make([]profile.Mark, 0, min(len(marks), mostMarks))
	for _, m := range marks[:min(len(marks), mostMarks)] {
		tidied = append(tidied, tidyMark(m))
	}
	return tidied
}

func tidyMark(m profile.Mark) profile.Mark {
	m.What = profile.What(clean(string(m.What), 40))
	if m.What == profile.Load || m.What == profile.Navigation {
		m.Name = routeOfPath(m.Name)
	}
	for _, text := range []*string{&m.Name, &m.Target, &m.Detail} {
		*text = clean(*text, longestName)
	}
	for _, d := range []*time.Duration{&m.Duration, &m.InputDelay, &m.Processing, &m.Presentation} {
		*d = min(*d, longestOfPage)
	}
	return m
}

// mostDebugIDs bounds the ids of a profile.
const mostDebugIDs = 500

func debugIDs(said map[string]string) map[string]string {
	if len(said) == 0 || len(said) > mostDebugIDs {
		return nil
	}
	ids := make(map[string]string, len(said))
	for file, id := range said {
		ids[fileOf(file)] = id
	}
	return ids
}

// Intervals beyond these are nonsense.
const shortest, longestInterval = 100 * time.Microsecond, 10 * time.Second

// usual gives a profile one of few intervals: a series has one, and the mean gap of a browser's
// samples always differs a little. The time of each sample stays the same but for a remainder,
// which the next one gets.
func usual(p *profile.Profile) *profile.Profile {
	interval := p.Meta.Interval
	mean := interval
	if ticks := p.Samples.Ticks(); p.Len() > 0 && interval < time.Millisecond {
		// A format of durations, whose tick is what divides all of them.
		mean = time.Duration(float64(interval) * float64(ticks) / float64(p.Len()))
	}
	return withInterval(p, nearest(mean))
}

// nearest is a usual interval: 10 ms, as SDKs ask for and as is assumed where nothing is known,
// 16 ms, as browsers on Windows give instead, or else whole milliseconds, or tenths of one.
func nearest(d time.Duration) time.Duration {
	unit := time.Millisecond
	switch {
	case d <= 0, d >= 8*time.Millisecond && d < 13*time.Millisecond:
		return 10 * time.Millisecond
	case d >= 13*time.Millisecond && d < 20*time.Millisecond:
		return 16 * time.Millisecond
	case d < 2*time.Millisecond:
		unit = 100 * time.Microsecond
	case d > 100*time.Millisecond:
		unit = 10 * time.Millisecond
	}
	return min(max(d.Round(unit), shortest), longestInterval)
}
