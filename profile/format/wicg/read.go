package wicg

import (
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Read reads a trace of the specification, ours or a browser's, or one of the
// explainer's version 1.
func Read(r io.Reader) (*profile.Profile, error) {
	var both struct {
		trace
		proposal
		envelope
	}
	if err := codec.Decode(r, math.MaxInt64, &both); err != nil {
		return codec.Checked("wicg", nil, err)
	}
	var err error
	var p *profile.Profile
	switch {
	case both.Trace != nil:
		p, err = both.envelope.profile()
	case both.Counts != nil:
		err = ErrOnlyCounts
	case both.Session != "":
		err = errors.New(`"trace" is missing`)
	case both.Version == 1:
		p, err = both.proposal.profile()
	case both.Version != 0:
		err = fmt.Errorf("version: %d is not known, only 1 (the explainer's) and none (the specification's)", both.Version)
	case both.Samples == nil:
		err = errors.New(`"samples" is missing`)
	default:
		p, err = both.trace.profile()
	}
	return codec.Checked("wicg", p, err)
}

func (t *trace) profile() (*profile.Profile, error) {
	b := &profile.Builder{}
	if e := t.Fieldprof; e != nil {
		if e.Version != extensionVersion {
			return nil, fmt.Errorf("fieldprof: version %d is not supported, only %d", e.Version, extensionVersion)
		}
		b.Meta = e.meta()
	}
	frames, err := t.frames(b)
	if err != nil {
		return nil, err
	}
	stacks, err := t.stacks(b, frames)
	if err != nil {
		return nil, err
	}
	var samples []profile.Sample
	if t.Fieldprof != nil {
		samples, err = t.ours(b, stacks)
	} else {
		samples, err = t.foreign(b, stacks)
	}
	if err == nil && t.Fieldprof != nil {
		err = codec.AddMarks(b, t.Fieldprof.Marks)
	}
	for _, s := range samples {
		b.Sample(s)
	}
	return b.Profile(), err
}

func (t *trace) frames(b *profile.Builder) ([]profile.FrameID, error) {
	frames := make([]profile.FrameID, len(t.Frames))
	for i, in := range t.Frames {
		f := profile.Function{Name: in.Name}
		for what, v := range map[string]float64{"line": in.Line, "column": in.Column} {
			if !(v >= 0 && v < math.MaxInt32) {
				return nil, fmt.Errorf("frames[%d].%s: %v is out of range", i, what, v)
			}
		}
		f.Line, f.Column = int32(in.Line), int32(in.Column)
		file, err := index(in.ResourceID, len(t.Resources))
		if err != nil {
			return nil, fmt.Errorf("frames[%d].resourceId: %w", i, err)
		}
		if file >= 0 {
			f.File = t.Resources[file]
		}
		switch e := t.Fieldprof; {
		case e != nil && e.Flags != nil:
			if len(e.Flags) != len(t.Frames) {
				return nil, fmt.Errorf("fieldprof.flags: %d for %d frames", len(e.Flags), len(t.Frames))
			}
			f.Flags = profile.Flags(e.Flags[i])
		case f.Name == "" && f.File != "" && f.Line <= 1 && f.Column <= 1:
			f.Flags = profile.TopLevel
		case file < 0 && profile.IsPseudoName(f.Name):
			f.Flags = profile.Pseudo
		case file < 0 && f.Name != "" && f.Name != unknown:
			f.Flags = profile.NativeCode // such as a builtin
		}
		if in.Ignored {
			f.Flags |= profile.Ignored
		}
		frames[i] = b.Frame(b.Function(f), 0, 0)
	}
	return frames, nil
}

// unknown is what the explainer calls a function that must not show.
const unknown = "unknown"

// index is a reference to one of n things; −1 for none.
func index(v *float64, n int) (int, error) {
	switch {
	case v == nil:
		return -1, nil
	case *v != math.Trunc(*v) || *v < 0 || *v >= float64(n):
		return 0, fmt.Errorf("%v is not one of %d", *v, n)
	}
	return int(*v), nil
}

func (t *trace) stacks(b *profile.Builder, frames []profile.FrameID) ([]profile.StackID, error) {
	parents := make([]int, len(t.Stacks))
	for i, s := range t.Stacks {
		var err error
		if parents[i], err = index(s.ParentID, len(t.Stacks)); err != nil {
			return nil, fmt.Errorf("stacks[%d].parentId: %w", i, err)
		}
		if f, err := index(s.FrameID, len(frames)); err != nil || f < 0 {
			return nil, fmt.Errorf("stacks[%d].frameId: not one of the %d frames", i, len(frames))
		}
	}
	order, cycle := codec.CallersFirst(parents)
	if cycle >= 0 {
		return nil, fmt.Errorf("stacks[%d]: is its own parent", cycle)
	}
	stacks := make([]profile.StackID, len(t.Stacks))
	for _, i := range order {
		stacks[i] = b.Stack(codec.StackAt(stacks, parents[i]), frames[int(*t.Stacks[i].FrameID)])
	}
	return stacks, nil
}

// entry is what all samples have: when, and which stack.
func (t *trace) entry(i int, stacks []profile.StackID) (at int64, stack profile.StackID, err error) {
	s := &t.Samples[i]
	if s.Timestamp == nil || !(math.Abs(*s.Timestamp) < maxTime) {
		return 0, 0, fmt.Errorf("samples[%d].timestamp: missing, or no time", i)
	}
	n, err := index(s.StackID, len(stacks))
	if err != nil {
		return 0, 0, fmt.Errorf("samples[%d].stackId: %w", i, err)
	}
	return max(0, nanoseconds(*s.Timestamp)), codec.StackAt(stacks, n), nil
}

// maxTime is the last time, in milliseconds, that is read.
const maxTime = 1e12

func nanoseconds(ms float64) int64 { return int64(math.Round(ms * 1e6)) }

// ours puts the ticks of each sample together again: those after the first
// have no kind.
func (t *trace) ours(b *profile.Builder, stacks []profile.StackID) ([]profile.Sample, error) {
	var samples []profile.Sample
	for i := range t.Samples {
		in := &t.Samples[i]
		at, stack, err := t.entry(i, stacks)
		if err != nil {
			return nil, err
		}
		weight, ticks := in.Weight, in.Weight != 0
		if !ticks {
			weight = 1 // a sample of the browser's own
		}
		if !(weight >= 1 && weight <= math.MaxInt32) || weight != math.Trunc(weight) {
			return nil, fmt.Errorf("samples[%d].weight: %v is not a number of ticks", i, in.Weight)
		}
		if !(in.Skid >= 0 && in.Skid < maxTime) {
			return nil, fmt.Errorf("samples[%d].skid: %v is not a duration", i, in.Skid)
		}
		kind := profile.Own
		if in.Kind != "" {
			var ok bool
			if kind, ok = profile.ParseKind(in.Kind); !ok {
				return nil, fmt.Errorf("samples[%d].kind: unknown kind %.20q", i, in.Kind)
			}
		}
		if kind <= profile.Exit {
			// The writer of the trace has attributed it.
			kind = attributed(kind, t.Fieldprof)
		}
		if stack == profile.NoStack {
			switch {
			case in.Kind == "" && !ticks:
				kind = withoutStack(marker(in.Marker))
			case kind.PseudoName() == "":
				kind = profile.Program
			}
			stack = b.Pseudo(profile.NoStack, kind.PseudoName())
		}
		if last := len(samples) - 1; in.Kind == "" && last >= 0 && ticks && (samples[last].Stack == stack || in.StackID == nil) && int64(samples[last].Weight)+int64(weight) <= math.MaxInt32 {
			samples[last].Weight += int32(weight)
			samples[last].Time = max(samples[last].Time, at)
			continue
		}
		samples = append(samples, profile.Sample{Time: at, Stack: stack, Weight: int32(weight), Kind: kind, Skid: nanoseconds(in.Skid), Marker: marker(in.Marker)})
	}
	return samples, nil
}

// attributed is the kind of a sample whose stack ends at the owner of its time:
// pages cut the stacks down and leave the kind as it was taken.
func attributed(kind profile.Kind, e *extension) profile.Kind {
	if e.Meta != nil {
		return kind
	}
	return profile.Own
}

// marker is that of a sample; most have none.
func marker(name string) profile.Marker {
	if name == "" {
		return profile.NoMarker
	}
	return profile.ParseMarker(name)
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
func (t *trace) foreign(b *profile.Builder, stacks []profile.StackID) ([]profile.Sample, error) {
	samples := make([]profile.Sample, 0, len(t.Samples))
	for i := range t.Samples {
		at, stack, err := t.entry(i, stacks)
		if err != nil {
			return nil, err
		}
		s := profile.Sample{Time: at, Stack: stack, Weight: 1, Marker: marker(t.Samples[i].Marker)}
		if stack == profile.NoStack {
			s.Kind = withoutStack(s.Marker)
			s.Stack = b.Pseudo(profile.NoStack, s.Kind.PseudoName())
		}
		samples = append(samples, s)
	}
	b.Meta.Interval, b.Meta.Duration = meanGap(samples)
	return samples, nil
}

// meanGap is the mean of the gaps between samples, so that all of them come to
// the time they were taken in; and that time.
func meanGap(samples []profile.Sample) (gap, duration time.Duration) {
	if len(samples) < 2 {
		return 0, 0
	}
	first, last := samples[0].Time, samples[0].Time
	for _, s := range samples {
		first, last = min(first, s.Time), max(last, s.Time)
	}
	gap = time.Duration((last - first) / int64(len(samples)-1))
	return gap, time.Duration(last-first) + gap
}

// meta is what a trace of ours says of itself, in pages or here.
func (e *extension) meta() profile.Meta {
	if e.Meta != nil {
		return *e.Meta
	}
	m := profile.Meta{Clock: profile.ClockName(e.Clock), Seed: e.Seed, IdleKnown: true, Late: e.Late.model(), Skid: e.Skid.model(), Notes: profile.Notes(e.Lost)}
	if e.Interval > 0 && e.Interval < 1e9 {
		m.Interval = time.Duration(nanoseconds(e.Interval))
	}
	a := e.Account
	m.Ticks = profile.Ticks{Raised: max(0, a.Raised), Missed: max(0, a.Missed), Taken: max(0, a.Taken), Idle: max(0, a.Idle), Lost: max(0, a.Lost)}
	return m
}

func (s spread) model() profile.Spread {
	return profile.Spread{Count: s.Count, Median: length(s.Median), P95: length(s.P95), Max: length(s.Max)}
}

// length is that of a delay in milliseconds; 0 for nonsense.
func length(ms float64) time.Duration {
	if !(ms >= 0 && ms < maxTime) {
		return 0
	}
	return time.Duration(nanoseconds(ms))
}
