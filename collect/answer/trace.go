package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
	slow "github.com/fieldprof/fieldprof/profile/slices"
	"github.com/fieldprof/fieldprof/profile/symbols"
)

// tracer finds the profiles of single sessions in the sources.
type tracer struct {
	s       *Service
	app     string
	d       *deployed
	l       *library
	parties []string
	weights weights
}

func (s *Service) tracer(ctx context.Context, app string) (*tracer, error) {
	l, err := s.library(ctx, app)
	if err != nil {
		return nil, err
	}
	t := &tracer{s: s, app: app, d: s.deployed(app), l: l}
	if s.options.FirstParty != nil {
		t.parties = s.options.FirstParty(app)
	}
	return t, nil
}

// traced is the profile of one session, as it was sent and as the sources have it.
type traced struct {
	raw, p *profile.Profile
	of     *record.Series
}

var errTrace = errors.New("the stored profile cannot be read")

// trace reads a stored profile and finds it in the sources.
func (t *tracer) trace(of *record.Series, data []byte) (*traced, error) {
	p, err := record.DecodeProfile(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTrace, err)
	}
	found, err := t.find(of, p)
	return &traced{p, found, of}, err
}

// find finds a profile in the sources. Its time is attributed, and functions of frameworks have the flag
// Ignored.
func (t *tracer) find(of *record.Series, p *profile.Profile) (*profile.Profile, error) {
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	ids := p.Meta.DebugIDs
	frames := make([]profile.FrameID, len(p.Frames.Function))
	for f := range frames {
		frames[f] = t.d.b.Frame(t.d.b.Function(p.Function(p.Frames.Function[f])), p.Frames.Line[f], p.Frames.Column[f])
	}
	r := t.d.release(t.l, of.Labels[record.Release])
	if err := t.s.resolve(t.d, r, t.l, frames, ids); err != nil {
		return nil, err
	}
	var b profile.Builder
	b.Meta = p.Meta
	stacks := make([]profile.StackID, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent { // parents come first
		at := profile.NoStack
		if parent != profile.NoStack {
			at = stacks[parent]
		}
		f := p.Stacks.Frame[s]
		now := r.frames[frameOf{frames[f], ids[p.Function(p.Frames.Function[f]).File]}]
		stacks[s] = b.Stack(at, b.Frame(b.Function(now.function), now.at.Line, now.at.Column))
	}
	for i := range p.Len() {
		sample := p.Sample(i)
		if sample.Stack != profile.NoStack {
			sample.Stack = stacks[sample.Stack]
		}
		b.Sample(sample)
	}
	for _, m := range p.Marks {
		b.Mark(m)
	}
	return profile.Attribute(b.Profile(), profile.BySite), nil
}

// result is a part of a traced profile as a result: its ticks are those of the part.
func (t *tracer) result(of *traced, part *profile.Profile) *Result {
	files := t.l.files(of.of.Labels[record.Release], of.raw.Meta.DebugIDs)
	found := sync.OnceValue(func() *symbols.Found { return t.s.in(of.raw, files) })
	return &Result{Profile: part, Scale: 1, Received: part.Samples.Ticks(), Notes: part.Meta.Notes,
		Source: func(file string) (string, bool) { return found().Source(file) }}
}

// function finds one function in the sources of a release.
func (t *tracer) function(release string, f profile.Function) (profile.Function, error) {
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	frame := t.d.b.Frame(t.d.b.Function(f), 0, 0)
	r := t.d.release(t.l, release)
	if err := t.s.resolve(t.d, r, t.l, []profile.FrameID{frame}, nil); err != nil {
		return f, err
	}
	return r.frames[frameOf{frame, ""}].function, nil
}

// blamed says whose time a slice was.
func (t *tracer) blamed(of *record.Slice) (*slow.Slice, *traced, error) {
	whole, err := t.trace(&of.Series, of.Trace)
	if err != nil {
		return nil, nil, err
	}
	only := *whole.p
	only.Marks = []profile.Mark{of.Mark}
	for _, m := range whole.p.Marks { // others of its kind need no judgement; notes are part of it
		if m.What != of.Mark.What {
			only.Marks = append(only.Marks, m)
		}
	}
	page := cmp.Or(of.Labels[record.Page], whole.p.Meta.Program)
	found := slow.Of(&only, slow.Options{Over: map[profile.What]time.Duration{of.Mark.What: 0}, Page: page, FirstParty: slow.Hosts(t.parties)})
	if len(found) == 0 { // it has no duration
		return nil, nil, fmt.Errorf("%w: the slice has no duration", errTrace)
	}
	return &found[0], whole, nil
}
