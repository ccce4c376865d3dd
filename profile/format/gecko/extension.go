package gecko

import (
	"fmt"
	"math"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// profile takes the functions and samples as the extension has them; stacks and
// positions are the file's own.
func (e *extension) profile(t *thread) (*profile.Profile, error) {
	if e.Version != extensionVersion {
		return nil, fmt.Errorf("fieldprof: version %d is not supported, only %d", e.Version, extensionVersion)
	}
	functions, err := e.spelled(t)
	if err != nil {
		return nil, err
	}
	samples, err := e.Samples.Samples(e.Kinds)
	if err == nil {
		err = e.check(t.samples.stack)
	}
	if err != nil {
		return nil, err
	}
	b := profile.Builder{Meta: e.Meta}
	stacks := t.stacks(&b, functions)
	at := 0
	for i, s := range samples {
		s.Stack = codec.StackAt(stacks, t.samples.stack[at])
		b.Sample(s)
		at += e.rows(i)
	}
	err = codec.AddMarks(&b, e.Marks)
	return b.Profile(), err
}

// rows is how many samples of the file a sample has.
func (e *extension) rows(i int) int {
	if e.Frames != nil {
		return int(e.Samples.Weight[i])
	}
	return 1
}

// spelled are the extension's functions. In a raw file it says which frame is
// of which.
func (e *extension) spelled(t *thread) ([]profile.Function, error) {
	functions := make([]profile.Function, len(e.Functions))
	for i, f := range e.Functions {
		for _, s := range f[:2] {
			if s < 0 || int(s) >= len(t.strings) {
				return nil, fmt.Errorf("fieldprof.functions[%d]: %d is not one of %d strings", i, s, len(t.strings))
			}
		}
		if f[4] < 0 || f[4] > math.MaxUint8 {
			return nil, fmt.Errorf("fieldprof.functions[%d]: flags %d", i, f[4])
		}
		functions[i] = profile.Function{Name: t.strings[f[0]], File: t.strings[f[1]], Line: f[2], Column: f[3], Flags: profile.Flags(f[4])}
	}
	if e.Frames != nil {
		if len(e.Frames) != len(t.frameFunc) {
			return nil, fmt.Errorf("fieldprof.frames: %d for %d frames", len(e.Frames), len(t.frameFunc))
		}
		t.frameFunc = e.Frames
	}
	for i, f := range t.frameFunc {
		if f < 0 || int(f) >= len(functions) {
			return nil, fmt.Errorf("fieldprof: frame %d is of function %d of %d", i, f, len(functions))
		}
	}
	return functions, nil
}

// check says whether the weights belong to the file's samples.
func (e *extension) check(stacks []int32) error {
	at, n := 0, len(stacks)
	for i, w := range e.Samples.Weight {
		if w < 1 || e.rows(i) > n-at {
			return fmt.Errorf("fieldprof.samples.weight[%d]: %d, with %d of %d samples left", i, w, n-at, n)
		}
		for j := range e.rows(i) {
			if stacks[at+j] != stacks[at] {
				return fmt.Errorf("fieldprof.samples.weight[%d]: covers samples of stacks %d and %d", i, stacks[at], stacks[at+j])
			}
		}
		at += e.rows(i)
	}
	if at != n {
		return fmt.Errorf("fieldprof.samples.weight: %d of %d samples are not accounted for", n-at, n)
	}
	return nil
}
