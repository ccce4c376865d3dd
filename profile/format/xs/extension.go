package xs

import (
	"fmt"
	"math"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// extension is the value of the key "fieldprof": the profile's own stacks
// and samples, since the graph does not tell which function called which when.
type extension struct {
	Version   int                 `json:"version"`
	Meta      profile.Meta        `json:"meta"`
	Functions []extensionFunction `json:"functions"`
	Stacks    [][4]int32          `json:"stacks"` // caller's stack (−1: none), function, line, column; callers first
	Kinds     []string            `json:"kinds"`  // what the numbers of Kind mean
	Samples   struct {
		Stack         []int32 `json:"stack"` // −1: none
		codec.Columns         // a tick is an entry of the file's own list
	} `json:"samples"`
	Marks []codec.Mark `json:"marks,omitempty"`
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
	e := &extension{Version: extensionVersion, Meta: p.Meta, Functions: []extensionFunction{}, Stacks: [][4]int32{}, Marks: codec.NewMarks(p.Marks)}
	e.Samples.Stack = []int32{}
	for i := range p.Functions.Name {
		f := p.Function(profile.FunctionID(i))
		e.Functions = append(e.Functions, extensionFunction{f.Name, f.File, f.Line, f.Column, int(f.Flags)})
	}
	for i, up := range p.Stacks.Parent {
		f := p.Stacks.Frame[i]
		e.Stacks = append(e.Stacks, [4]int32{int32(up), int32(p.Frames.Function[f]), p.Frames.Line[f], p.Frames.Column[f]})
	}
	e.Kinds, e.Samples.Columns = profile.KindNames(), codec.NewColumns(p)
	for _, s := range p.Samples.Stack {
		e.Samples.Stack = append(e.Samples.Stack, int32(s))
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
		stacks[i] = b.Stack(codec.StackAt(stacks, s[0]), b.Frame(functions[s[1]], s[2], s[3]))
	}
	err := e.addSamples(&b, f, stacks)
	if err == nil {
		err = codec.AddMarks(&b, e.Marks)
	}
	return b.Profile(), err
}

// addSamples checks the samples, and that they belong to the file, and adds them.
func (e *extension) addSamples(b *profile.Builder, f *file, stacks []profile.StackID) error {
	stack := e.Samples.Stack
	if len(stack) != len(e.Samples.Weight) {
		return fmt.Errorf("fieldprof.samples.stack: %d entries for %d weights", len(stack), len(e.Samples.Weight))
	}
	for i, s := range stack {
		if s < -1 || int(s) >= len(stacks) {
			return fmt.Errorf("fieldprof.samples.stack[%d]: %d of %d", i, s, len(stacks))
		}
	}
	samples, err := e.Samples.Samples(e.Kinds)
	if err != nil {
		return err
	}
	ticks := int64(0)
	for i, s := range samples {
		s.Stack = codec.StackAt(stacks, stack[i])
		b.Sample(s)
		ticks += int64(s.Weight)
	}
	if ticks != int64(len(f.Samples)) {
		return fmt.Errorf("fieldprof.samples.weight: they add up to %d, for %d samples", ticks, len(f.Samples))
	}
	return nil
}
