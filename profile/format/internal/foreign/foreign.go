// Package foreign is what readers of formats that know neither pseudo-functions
// nor threads as the model does have in common.
package foreign

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/fieldprof/fieldprof/profile"
)

// Function is what a format says of a function that has room for a name and a
// place: see profile.Function.Label for how nameless ones are called.
func Function(name, file string, line, column int32) profile.Function {
	f := profile.Function{Name: name, File: file, Line: line, Column: column}
	switch {
	case file == "" && profile.IsPseudoName(name):
		return profile.Function{Name: name, Flags: profile.Pseudo}
	case name == (profile.Function{File: file, Flags: profile.TopLevel}).Label():
		f.Name, f.Flags = "", profile.TopLevel
	case name == (profile.Function{File: file, Line: line}).Label(), name == profile.DisplayAnonymous:
		f.Name = ""
	case file == profile.NameNative:
		f.Flags = profile.NativeCode
	}
	return f
}

// Kind is the kind that a function on top of a stack speaks for.
func Kind(top profile.Function) profile.Kind {
	if top.Flags&profile.Pseudo != 0 {
		return profile.KindOfPseudo(top.Name)
	}
	return profile.Own
}

// LoneName is what a sample without a stack is called.
func LoneName(k profile.Kind) string {
	if name := k.PseudoName(); name != "" {
		return name
	}
	return profile.NameProgram
}

// Place is a line or column, 0 when it is none.
func Place(v float64) int32 {
	if v >= 1 && v <= math.MaxInt32 {
		return int32(v)
	}
	return 0
}

// Clamp is the same of a whole number.
func Clamp(v int64) int32 { return int32(min(max(0, v), math.MaxInt32)) }

// Busiest is the profile of the first thread with the most time in functions: what a
// reader chooses of several.
func Busiest[T any](threads []T, of func(T) *profile.Profile) *profile.Profile {
	best, most := of(threads[0]), -1.0
	for _, t := range threads {
		if b := busy(of(t)); b > most {
			best, most = of(t), b
		}
	}
	return best
}

// MaxTicks bounds the ticks of all samples: a sample of more than 31 bits becomes
// several.
const MaxTicks = math.MaxInt32 << 10

// Frames bounds how many frames a reader spells out. Where a file writes a stack or
// a part of one once and names it often, what it stands for grows as a product.
type Frames struct{ left, most int64 }

// FramesOf is the bound of a file of so many bytes: more than it can hold where
// each frame of each stack is written.
func FramesOf(bytes int64) Frames {
	most := 1<<18 + 8*bytes
	return Frames{most, most}
}

// Take takes room for some more frames.
func (f *Frames) Take(n int) error {
	if f.left -= int64(n); f.left < 0 {
		return fmt.Errorf("its stacks have more than %d frames when they are spelled out, far more than the file has", f.most)
	}
	return nil
}

// Checked is what a reader returns: a profile that is known to be valid, or an error
// that names the format.
func Checked(format string, p *profile.Profile, err error) (*profile.Profile, error) {
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	return p, nil
}

// Whole is all that is to be read, for formats that cannot be read in parts.
func Whole(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) == 0:
		return nil, errors.New("the file is empty")
	case int64(len(data)) > most:
		return nil, fmt.Errorf("more than %d bytes", most)
	}
	return data, nil
}

func busy(p *profile.Profile) float64 {
	ticks := int64(0)
	for i, w := range p.Samples.Weight {
		if k := p.Samples.Kind[i]; k != profile.Idle && k != profile.Program {
			ticks += int64(w)
		}
	}
	return float64(ticks) * math.Max(1, float64(p.Meta.Interval))
}
