package xs

import (
	"fmt"
	"math"

	"github.com/fieldprof/fieldprof/profile"
)

// extension is the value of the key "fieldprof": the profile's own stacks
// and samples, since the graph does not tell who called whom when.
type extension struct {
	Version   int                 `json:"version"`
	Meta      profile.Meta        `json:"meta"`
	Functions []extensionFunction `json:"functions"`
	Stacks    [][4]int32          `json:"stacks"` // caller's stack (−1: none), function, line, column; callers first
	Kinds     []string            `json:"kinds"`  // what the numbers of Kind mean
	Samples   struct {
		Weight []int32 `json:"weight"`       // entries of the file's own list
		Stack  []int32 `json:"stack"`        // −1: none
		Time   []int64 `json:"timeDeltasNs"` // from sample to sample, the first from meta.start
		Kind   []int   `json:"kind"`
		Skid   []int64 `json:"skidNs"`
	} `json:"samples"`
}

type extensionFunction struct {
	Name   string `json:"name,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int32  `json:"line,omitempty"`
	Column int32  `json:"column,omitempty"`
	Flags  int    `json:"flags,omitempty"`
}

const extensionVersion = 1

func newExtension(p *profile.Profile) *extension {
	e := &extension{Version: extensionVersion, Meta: p.Meta, Functions: []extensionFunction{}, Stacks: [][4]int32{}}
	for i := range p.Functions.Name {
		f := p.Function(profile.FunctionID(i))
		e.Functions = append(e.Functions, extensionFunction{f.Name, f.File, f.Line, f.Column, int(f.Flags)})
	}
	for i, up := range p.Stacks.Parent {
		f := p.Stacks.Frame[i]
		e.Stacks = append(e.Stacks, [4]int32{int32(up), int32(p.Frames.Function[f]), p.Frames.Line[f], p.Frames.Column[f]})
	}
	for k := profile.Own; k <= profile.Lost; k++ {
		e.Kinds = append(e.Kinds, k.String())
	}
	s := &e.Samples
	s.Weight, s.Skid = append([]int32{}, p.Samples.Weight...), append([]int64{}, p.Samples.Skid...)
	s.Stack, s.Time, s.Kind = make([]int32, p.Len()), make([]int64, p.Len()), make([]int, p.Len())
	last := int64(0)
	for i, t := range p.Samples.Time {
		s.Stack[i], s.Kind[i] = int32(p.Samples.Stack[i]), int(p.Samples.Kind[i])
		s.Time[i], last = t-last, t
	}
	return e
}

// profile is the one that the file was made of.
func (e *extension) profile(f *file) (*profile.Profile, error) {
	if e.Version != extensionVersion {
		return nil, fmt.Errorf("fieldprof: version %d is not supported, only %d", e.Version, extensionVersion)
	}
	b := profile.Builder{Meta: e.Meta}
	functions := make([]profile.FunctionID, len(e.Functions))
	for i, in := range e.Functions {
		if in.Flags < 0 || in.Flags > math.MaxUint8 {
			return nil, fmt.Errorf("fieldprof.functions[%d]: flags %d", i, in.Flags)
		}
		functions[i] = b.Function(profile.Function{Name: in.Name, File: in.File, Line: in.Line, Column: in.Column, Flags: profile.Flags(in.Flags)})
	}
	stacks := make([]profile.StackID, len(e.Stacks))
	for i, s := range e.Stacks {
		if s[0] < -1 || int(s[0]) >= i {
			return nil, fmt.Errorf("fieldprof.stacks[%d]: the caller %d does not come before it", i, s[0])
		}
		if s[1] < 0 || int(s[1]) >= len(functions) {
			return nil, fmt.Errorf("fieldprof.stacks[%d]: function %d of %d", i, s[1], len(functions))
		}
		caller := profile.NoStack
		if s[0] >= 0 {
			caller = stacks[s[0]]
		}
		stacks[i] = b.Stack(caller, b.Frame(functions[s[1]], s[2], s[3]))
	}
	if err := e.addSamples(&b, f, stacks); err != nil {
		return nil, err
	}
	return b.Profile(), nil
}

// addSamples checks them, and that they are those of the file.
func (e *extension) addSamples(b *profile.Builder, f *file, stacks []profile.StackID) error {
	s := &e.Samples
	n := len(s.Weight)
	for name, got := range map[string]int{"stack": len(s.Stack), "timeDeltasNs": len(s.Time), "kind": len(s.Kind), "skidNs": len(s.Skid)} {
		if got != n {
			return fmt.Errorf("fieldprof.samples.%s: %d entries for %d weights", name, got, n)
		}
	}
	ticks, now := int64(0), int64(0)
	for i, w := range s.Weight {
		if s.Stack[i] < -1 || int(s.Stack[i]) >= len(stacks) {
			return fmt.Errorf("fieldprof.samples.stack[%d]: %d of %d", i, s.Stack[i], len(stacks))
		}
		if s.Kind[i] < 0 || s.Kind[i] >= len(e.Kinds) {
			return fmt.Errorf("fieldprof.samples.kind[%d]: %d of %d", i, s.Kind[i], len(e.Kinds))
		}
		kind, ok := profile.ParseKind(e.Kinds[s.Kind[i]])
		if !ok {
			return fmt.Errorf("fieldprof.kinds[%d]: unknown kind %q", s.Kind[i], e.Kinds[s.Kind[i]])
		}
		if s.Time[i] < 0 || now+s.Time[i] < 0 {
			return fmt.Errorf("fieldprof.samples.timeDeltasNs[%d]: %d", i, s.Time[i])
		}
		now += s.Time[i]
		ticks += int64(w)
		sample := profile.Sample{Time: now, Stack: profile.NoStack, Weight: w, Kind: kind, Skid: s.Skid[i]}
		if s.Stack[i] >= 0 {
			sample.Stack = stacks[s.Stack[i]]
		}
		b.Sample(sample)
	}
	if ticks != int64(len(f.Samples)) {
		return fmt.Errorf("fieldprof.samples.weight: they add up to %d, for %d samples", ticks, len(f.Samples))
	}
	return nil
}
