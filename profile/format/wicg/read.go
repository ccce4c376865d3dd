package wicg

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
)

// Read reads a trace of the specification, ours or a browser's, or one of the
// explainer's version 1. One that does not say when its times began, as those of pages, begins with
// what it holds: the page may have been open for hours. Merge keeps the distance between those of one page.
func Read(r io.Reader) (*profile.Profile, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return codec.Checked("wicg", nil, err)
	}
	e, p, err := Limits{}.Read(data)
	if err == nil && p == nil {
		return codec.Checked("wicg", nil, ErrOnlyCounts)
	}
	if err == nil && e.isUndated() {
		p.BeginAt(p.Lead())
	}
	return p, err
}

// longestPage is how long no page is open: times beyond it count from 1970.
const longestPage = 20 * 365 * 24 * time.Hour

// Read reads a file, and what its envelope says. Times are the file's, unless they count from 1970. The profile is nil if there are only counts.
func (limits Limits) Read(data []byte) (*Envelope, *profile.Profile, error) {
	in, err := limits.input(data)
	var p *profile.Profile
	if err == nil {
		p, err = in.profile(data)
	}
	if err == nil && p == nil {
		return &in.envelope, nil, nil
	}
	if p, err = codec.Checked("wicg", p, err); err != nil {
		return nil, nil, err
	}
	if lead := p.Lead(); in.envelope.isUndated() && lead > longestPage {
		p.Meta.Start = time.Unix(0, 0).UTC()
		p.BeginAt(lead)
	}
	return &in.envelope, p, nil
}

func (in *input) profile(data []byte) (*profile.Profile, error) {
	e := &in.envelope
	switch {
	case in.traced && !in.trace.sampled:
		return nil, errors.New(`trace: "samples" is missing`)
	case in.traced:
		p, err := in.trace.profile()
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		e.describe(&p.Meta)
		return p, nil
	case e.Counts != nil:
		return nil, nil
	case e.Session != "":
		return nil, errors.New(`"trace" is missing`)
	case in.version == 1:
		var old proposal
		if err := codec.Decode(bytes.NewReader(data), math.MaxInt64, &old); err != nil {
			return nil, err
		}
		e.bare = true
		return old.profile()
	case in.version != 0:
		return nil, fmt.Errorf("version: %v is not known, only 1 (the explainer's) and none (the specification's)", in.version)
	case !in.trace.sampled:
		return nil, errors.New(`"samples" is missing`)
	}
	e.bare, e.written = true, in.trace.fieldprof != nil && in.trace.fieldprof.Meta != nil
	return in.trace.profile()
}

func (t *inTrace) profile() (*profile.Profile, error) {
	b := &profile.Builder{}
	e := t.fieldprof
	if e != nil {
		if e.Version != extensionVersion {
			return nil, fmt.Errorf("fieldprof: version %d is not supported, only %d", e.Version, extensionVersion)
		}
		b.Meta = e.meta()
		b.Meta.DebugIDs = profile.DebugIDs(e.DebugIDs)
	}
	if b.Meta.DebugIDs == nil {
		b.Meta.DebugIDs = profile.DebugIDs(t.debugIDs)
	}
	frames, err := t.buildFrames(b)
	if err != nil {
		return nil, err
	}
	stacks, err := t.buildStacks(b, frames)
	if err != nil {
		return nil, err
	}
	b.Grow(len(t.samples))
	if e == nil {
		err = t.foreign(b, stacks)
	} else if err = t.ours(b, stacks); err == nil {
		err = codec.AddMarks(b, e.Marks)
	}
	return b.Profile(), err
}

func (t *inTrace) buildFrames(b *profile.Builder) ([]profile.FrameID, error) {
	e := t.fieldprof
	if e != nil && e.Flags != nil && len(e.Flags) != len(t.frames) {
		return nil, fmt.Errorf("fieldprof.flags: %d for %d frames", len(e.Flags), len(t.frames))
	}
	frames := make([]profile.FrameID, len(t.frames))
	for i := range t.frames {
		in := &t.frames[i]
		f := profile.Function{Name: in.name, Line: int32(in.line), Column: int32(in.column)}
		switch {
		case !(in.line >= 0 && in.line < math.MaxInt32):
			return nil, fmt.Errorf("frames[%d].line: %v is out of range", i, in.line)
		case !(in.column >= 0 && in.column < math.MaxInt32):
			return nil, fmt.Errorf("frames[%d].column: %v is out of range", i, in.column)
		}
		file, err := index(in.resource, len(t.resources))
		if err != nil {
			return nil, fmt.Errorf("frames[%d].resourceId: %w", i, err)
		}
		if file >= 0 {
			f.File = t.resources[file]
		}
		switch {
		case e != nil && e.Flags != nil:
			f.Flags = profile.Flags(e.Flags[i])
		case f.Name == "" && f.File != "" && f.Line <= 1 && f.Column <= 1:
			f.Flags = profile.TopLevel
		case file < 0 && profile.IsPseudoName(f.Name):
			f.Flags = profile.Pseudo
		case file < 0 && f.Name != "" && f.Name != unknown:
			f.Flags = profile.NativeCode // such as a builtin
		}
		if in.ignored {
			f.Flags |= profile.Ignored
		}
		frames[i] = b.Frame(b.Function(f), 0, 0)
	}
	return frames, nil
}

// unknown is what the explainer calls a function that must not show.
const unknown = "unknown"

// index is a reference to one of n things; −1 for none.
func index(v float64, n int) (int, error) {
	switch {
	case math.IsNaN(v):
		return -1, nil
	case v != math.Trunc(v) || v < 0 || v >= float64(n):
		return 0, fmt.Errorf("%v is not one of %d", v, n)
	}
	return int(v), nil
}

func (t *inTrace) buildStacks(b *profile.Builder, frames []profile.FrameID) ([]profile.StackID, error) {
	parents := make([]int, len(t.stacks))
	for i, s := range t.stacks {
		var err error
		if parents[i], err = index(s.parent, len(t.stacks)); err != nil {
			return nil, fmt.Errorf("stacks[%d].parentId: %w", i, err)
		}
		if f, err := index(s.frame, len(frames)); err != nil || f < 0 {
			return nil, fmt.Errorf("stacks[%d].frameId: not one of the %d frames", i, len(frames))
		}
	}
	order, cycle := codec.CallersFirst(parents)
	if cycle >= 0 {
		return nil, fmt.Errorf("stacks[%d]: is its own parent", cycle)
	}
	stacks := make([]profile.StackID, len(t.stacks))
	for _, i := range order {
		stacks[i] = b.Stack(codec.StackAt(stacks, parents[i]), frames[int(t.stacks[i].frame)])
	}
	return stacks, nil
}

// entry is what all samples have: when, and which stack.
func (t *inTrace) entry(i int, stacks []profile.StackID) (at int64, stack profile.StackID, err error) {
	s := &t.samples[i]
	if !(math.Abs(s.at) < lastMoment) {
		return 0, 0, fmt.Errorf("samples[%d].timestamp: missing, or no time", i)
	}
	n, err := index(s.stack, len(stacks))
	if err != nil {
		return 0, 0, fmt.Errorf("samples[%d].stackId: %w", i, err)
	}
	return max(0, nanoseconds(s.at)), codec.StackAt(stacks, n), nil
}

// The longest delay that is read, and the last moment, in the year 2255, in milliseconds.
const (
	maxTime    = 1e12
	lastMoment = 9e12
)

func nanoseconds(ms float64) int64 {
	whole, part := math.Modf(ms) // those since 1970 have too many digits for a product
	return int64(whole)*1e6 + int64(math.Round(part*1e6))
}

// ours puts the ticks of each sample together again: those after the first
// have no kind.
func (t *inTrace) ours(b *profile.Builder, stacks []profile.StackID) error {
	var last profile.Sample // not added yet
	var lone loneStacks
	for i := range t.samples {
		in := &t.samples[i]
		at, stack, err := t.entry(i, stacks)
		if err != nil {
			return err
		}
		weight, ticks := in.weight, in.weight != 0
		if !ticks {
			weight = 1 // a sample of the browser's own
		}
		if !(weight >= 1 && weight <= math.MaxInt32) || weight != math.Trunc(weight) {
			return fmt.Errorf("samples[%d].weight: %v is not a number of ticks", i, in.weight)
		}
		if !(in.skid >= 0 && in.skid < maxTime) {
			return fmt.Errorf("samples[%d].skid: %v is not a duration", i, in.skid)
		}
		kind, err := t.kind(i)
		if err != nil {
			return err
		}
		if stack == profile.NoStack {
			switch {
			case in.kind == 0 && !ticks:
				kind = withoutStack(t.marker(i))
			case kind.PseudoName() == "":
				kind = profile.Program
			}
			stack = lone.of(b, kind)
		}
		if in.kind == 0 && last.Weight > 0 && ticks && (last.Stack == stack || math.IsNaN(in.stack)) && int64(last.Weight)+int64(weight) <= math.MaxInt32 {
			last.Weight += int32(weight)
			last.Time = max(last.Time, at)
			continue
		}
		if last.Weight > 0 {
			b.Sample(last)
		}
		last = profile.Sample{Time: at, Stack: stack, Weight: int32(weight), Kind: kind, Skid: nanoseconds(in.skid), Marker: t.marker(i)}
	}
	if last.Weight > 0 {
		b.Sample(last)
	}
	return nil
}

// kind returns the kind of a sample. The writer of the trace has attributed samples of scripts.
func (t *inTrace) kind(i int) (profile.Kind, error) {
	kind, text := profile.Own, t.texts[t.samples[i].kind]
	if text != "" {
		var ok bool
		if kind, ok = profile.ParseKind(text); !ok {
			return 0, fmt.Errorf("samples[%d].kind: unknown kind %.20q", i, text)
		}
	}
	if kind <= profile.Exit {
		kind = attributed(kind, t.fieldprof)
	}
	return kind, nil
}

// attributed is the kind of a sample whose stack ends at the owner of its time:
// pages cut the stacks down and leave the kind unchanged.
func attributed(kind profile.Kind, e *extension) profile.Kind {
	if e.Meta != nil {
		return kind
	}
	return profile.Own
}

// marker returns the marker of a sample; most have none.
func (t *inTrace) marker(i int) profile.Marker {
	text := t.samples[i].marker
	if t.texts[text] == "" {
		return profile.NoMarker
	}
	return profile.ParseMarker(t.texts[text])
}

// withoutStack is the kind of a browser's sample without a stack: it fell while nothing ran,
// unless its marker says that the engine was at work.
func withoutStack(m profile.Marker) profile.Kind {
	switch m {
	case profile.NoMarker:
		return profile.Idle
	case profile.MarkerGC:
		return profile.GC
	}
	return profile.Program
}

// foreign takes each sample for one tick of the mean gap.
func (t *inTrace) foreign(b *profile.Builder, stacks []profile.StackID) error {
	times := make([]int64, 0, len(t.samples))
	var lone loneStacks
	for i := range t.samples {
		at, stack, err := t.entry(i, stacks)
		if err != nil {
			return err
		}
		s := profile.Sample{Time: at, Stack: stack, Weight: 1, Marker: t.marker(i)}
		if stack == profile.NoStack {
			s.Kind = withoutStack(s.Marker)
			s.Stack = lone.of(b, s.Kind)
		}
		times = append(times, at)
		b.Sample(s)
	}
	b.Meta.Interval, b.Meta.Duration = meanGap(times)
	return nil
}

// meanGap is the mean of the gaps between samples, so that all of them come to the time they were taken in,
// without that in which no samples were taken; and how long the recording took. It sorts the times.
func meanGap(times []int64) (gap, duration time.Duration) {
	if len(times) < 2 {
		return 0, 0
	}
	slices.Sort(times)
	last := len(times) - 1
	gap = time.Duration(durations.GapsOf(last, func(i int) int64 { return times[i+1] - times[i] }).Mean)
	return gap, time.Duration(times[last]-times[0]) + gap
}

// loneStacks are the stacks of samples without one, by kind, from 1; 0: not made yet.
type loneStacks [profile.Lost + 1]profile.StackID

func (l *loneStacks) of(b *profile.Builder, kind profile.Kind) profile.StackID {
	if l[kind] == 0 {
		l[kind] = b.Pseudo(profile.NoStack, kind.PseudoName()) + 1
	}
	return l[kind] - 1
}

// meta is the metadata that our traces have, in pages or here.
func (e *extension) meta() profile.Meta {
	if e.Meta != nil {
		return *e.Meta
	}
	m := profile.Meta{Clock: profile.ClockName(e.Clock), Seed: e.Seed, IdleKnown: true, Late: e.Late.model(), Skid: e.Skid.model(), Notes: profile.Notes(e.Lost)}
	if e.Interval > 0 && e.Interval < 1e9 {
		m.Interval = time.Duration(nanoseconds(e.Interval))
	}
	a := e.Account
	m.Ticks = profile.Ticks{Raised: max(0, a.Raised), Missed: max(0, a.Missed), Taken: max(0, max(0, a.Taken)+max(0, a.Program)), Idle: max(0, a.Idle), Lost: max(0, a.Lost)}
	return m
}

func (s spread) model() profile.Spread {
	return profile.Spread{Count: s.Count, Median: length(s.Median), P95: length(s.P95), Max: length(s.Max)}
}

// length returns the length of a delay in milliseconds; 0 for nonsense.
func length(ms float64) time.Duration {
	if !(ms >= 0 && ms < maxTime) {
		return 0
	}
	return time.Duration(nanoseconds(ms))
}

// firstMark is the first mark of a trace, as AddMarks adds it; nil if it has none, or an
// impossible one, which makes the trace fail.
func firstMark(e *extension) *profile.Mark {
	var b profile.Builder
	if len(e.Marks) == 0 || codec.AddMarks(&b, e.Marks[:1]) != nil {
		return nil
	}
	return &b.Profile().Marks[0]
}
