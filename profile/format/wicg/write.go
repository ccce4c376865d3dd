package wicg

import (
	"io"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// MaxTicks bounds what is written: each tick is a sample of its own.
const MaxTicks = 1 << 24

// Write writes an attributed profile as the specification does.
func Write(out io.Writer, p *profile.Profile) error {
	t, err := newTree(p, running)
	if err != nil {
		return err
	}
	made := trace{Frames: []frame{}, Stacks: []stack{}, Samples: []sample{}}
	e := newExtension(p)
	resources := codec.NewNumbering()
	for _, f := range t.functions {
		in := frame{Name: f.Name, Line: float64(f.Line), Column: float64(f.Column)}
		if f.File != "" {
			id := float64(resources.Of(f.File))
			in.ResourceID = &id
		}
		made.Frames = append(made.Frames, in)
		e.Flags = append(e.Flags, int(f.Flags))
	}
	for i := range t.parents {
		f := float64(t.of[i])
		s := stack{FrameID: &f}
		if t.parents[i] >= 0 {
			parent := float64(t.parents[i])
			s.ParentID = &parent
		}
		made.Stacks = append(made.Stacks, s)
	}
	t.eachTick(func(at float64, stack int, s profile.Sample, first bool) {
		in := sample{Timestamp: &at, Marker: s.Marker.String(), Weight: 1}
		if stack >= 0 {
			id := float64(stack)
			in.StackID = &id
		}
		if first {
			in.Kind, in.Skid = s.Kind.String(), milliseconds(s.Skid)
		}
		made.Samples = append(made.Samples, in)
	})
	made.Resources, made.Fieldprof = resources.Names, e
	return codec.Encode("wicg", out, made)
}

func newExtension(p *profile.Profile) *extension {
	m := p.Meta
	ids := m.DebugIDs
	m.DebugIDs = nil // once is enough
	return &extension{Version: extensionVersion, DebugIDs: ids, Clock: m.Clock, Interval: milliseconds(int64(m.Interval)), Seed: m.Seed, Lost: append([]string{}, m.Notes...), Flags: []int{}, Meta: &m, Marks: codec.NewMarks(p.Marks),
		Account: account{Raised: m.Ticks.Raised, Missed: m.Ticks.Missed, Taken: m.Ticks.Taken, Idle: m.Ticks.Idle, Lost: m.Ticks.Lost},
		Late:    spreadOf(m.Late), Skid: spreadOf(m.Skid)}
}

func spreadOf(s profile.Spread) spread {
	return spread{s.Count, milliseconds(int64(s.Median)), milliseconds(int64(s.P95)), milliseconds(int64(s.Max))}
}

func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }

// tree is the profile with functions in place of frames: the format has no
// positions but those of definitions.
type tree struct {
	p         *profile.Profile
	has       func(profile.Kind) bool // which samples have a stack
	functions []profile.Function
	parents   []int // of stacks, which come before their children; −1: none
	of        []int // the function of a stack
	stacks    []int // the stack here of a stack of the profile; −1: none
}

func newTree(p *profile.Profile, has func(profile.Kind) bool) (*tree, error) {
	o, err := codec.Prepare("wicg", p, codec.NoTime, codec.Never)
	if err == nil {
		err = o.AtMost(MaxTicks)
	}
	if err != nil {
		return nil, err
	}
	t := &tree{p: p, has: has, stacks: make([]int, len(p.Stacks.Parent))}
	ids := slices.Repeat([]int{-1}, len(p.Functions.Name))
	type key struct{ parent, function int }
	known := make(map[key]int)
	needed := t.needed()
	for s, up := range p.Stacks.Parent {
		t.stacks[s] = -1
		if !needed[s] {
			continue
		}
		f := p.Frames.Function[p.Stacks.Frame[s]]
		k := key{parent: -1}
		if up != profile.NoStack {
			k.parent = t.stacks[up]
		}
		if ids[f] < 0 {
			ids[f] = len(t.functions)
			t.functions = append(t.functions, p.Function(f))
		}
		k.function = ids[f]
		id, ok := known[k]
		if !ok {
			id = len(t.parents)
			known[k] = id
			t.parents, t.of = append(t.parents, k.parent), append(t.of, k.function)
		}
		t.stacks[s] = id
	}
	return t, nil
}

// needed are the stacks of samples that are to have one, and of their callers.
func (t *tree) needed() []bool {
	p := t.p
	needed := make([]bool, len(p.Stacks.Parent))
	for i, s := range p.Samples.Stack {
		if !t.has(p.Samples.Kind[i]) {
			continue
		}
		for ; s != profile.NoStack && !needed[s]; s = p.Stacks.Parent[s] {
			needed[s] = true
		}
	}
	return needed
}

// all is for version 1, whose frames are just names.
func all(profile.Kind) bool { return true }

// running reports whether a script ran, or code that it had called: the other samples
// have no stack in the specification.
func running(k profile.Kind) bool {
	switch k {
	case profile.Idle, profile.Program, profile.GC, profile.Lost:
		return false
	}
	return true
}

// eachTick visits the ticks of all samples in order of time. The first tick of a
// sample was due when the skid began, the last one when the sample was taken.
func (t *tree) eachTick(visit func(at float64, stack int, s profile.Sample, first bool)) {
	last := int64(0)
	for i := range t.p.Len() {
		s := t.p.Sample(i)
		stack := -1
		if s.Stack != profile.NoStack && t.has(s.Kind) {
			stack = t.stacks[s.Stack]
		}
		for k := int64(1); k <= int64(s.Weight); k++ {
			due := s.Time
			if n := int64(s.Weight) - 1; n > 0 {
				due = s.Time - s.Skid + int64(float64(s.Skid)*float64(k-1)/float64(n))
			}
			if k == int64(s.Weight) {
				due = s.Time
			}
			last = max(last, due)
			visit(milliseconds(last), stack, s, k == 1)
		}
	}
}
