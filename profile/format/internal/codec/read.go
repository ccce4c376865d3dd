// Package codec is what readers and writers of profiles have in common.
package codec

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// Function is the function that a format describes by a name and the position of its
// definition. Function.Label says how functions without a name are called.
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

// Kind is the kind of a sample, judged by the function on top of its stack.
func Kind(top profile.Function) profile.Kind {
	if top.Flags&profile.Pseudo != 0 {
		return profile.KindOfPseudo(top.Name)
	}
	return profile.Own
}

// Position is a line or column, 0 if v cannot be one.
func Position(v float64) int32 {
	if v >= 1 && v <= math.MaxInt32 {
		return int32(v)
	}
	return 0
}

// Clamp is a whole number as a line or column.
func Clamp(v int64) int32 { return int32(min(max(0, v), math.MaxInt32)) }

// Thread is what a file of several threads has of one.
type Thread struct {
	Name    string // "" when the file does not tell
	Profile *profile.Profile
}

// Busiest is the profile that a reader chooses of several threads, unless reading them
// failed: the first with the most time in functions.
func Busiest(threads []Thread, err error) (*profile.Profile, error) {
	if err != nil {
		return nil, err
	}
	return slices.MaxFunc(threads, func(x, y Thread) int { return cmp.Compare(busy(x.Profile), busy(y.Profile)) }).Profile, nil
}

// MaxTicks bounds the ticks of all samples: a sample whose ticks need more than 31 bits
// becomes several.
const MaxTicks = math.MaxInt32 << 10

// Room bounds how many frames a reader spells out. A file that writes a stack, or part
// of one, once and refers to it often represents far more frames than it has.
type Room struct{ left, most int64 }

// RoomFor is the bound for a file of so many bytes: more frames than it can hold if it
// writes each frame of each stack.
func RoomFor(bytes int64) Room {
	most := 1<<18 + 8*bytes
	return Room{most, most}
}

// AtMost is the room, but of no more than most frames; 0 means no bound.
func (f Room) AtMost(most int64) Room {
	if most > 0 && most < f.most {
		return Room{most, most}
	}
	return f
}

// Take takes room for n more frames.
func (f *Room) Take(n int) error {
	if f.left -= int64(n); f.left < 0 {
		return &TooMany{"frames when its stacks are spelled out", f.most}
	}
	return nil
}

// TooMany is the error, somewhere in its chain, of a file with more of something than the
// reader accepts.
type TooMany struct {
	What string
	Most int64
}

func (e *TooMany) Error() string { return fmt.Sprintf("more than %d %s", e.Most, e.What) }

// Checked is the result of a reader: a valid profile, or an error that names the
// format.
func Checked(format string, p *profile.Profile, err error) (*profile.Profile, error) {
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	return p, nil
}

// Whole reads everything, for formats that cannot be read in parts.
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

// Decode reads one JSON value of at most so many bytes.
func Decode(r io.Reader, most int64, into any) error {
	limit := &io.LimitedReader{R: r, N: most}
	dec := json.NewDecoder(limit)
	err := dec.Decode(into)
	switch {
	case err == nil:
		return nil
	case err == io.EOF:
		err = errors.New("the file is empty")
	case limit.N <= 0:
		err = fmt.Errorf("more than %d bytes", most)
	}
	return fmt.Errorf("byte %d: %w", dec.InputOffset(), err)
}

// Units of time in nanoseconds.
var Units = map[string]int64{"nanoseconds": 1, "ns": 1, "microseconds": 1e3, "us": 1e3, "milliseconds": 1e6, "ms": 1e6, "seconds": 1e9, "s": 1e9}

// CallersFirst orders things that name their parents by index (−1: none), parents
// first. If one is its own ancestor, cycle is that one, else −1.
func CallersFirst[T ~int | ~int32](parents []T) (order []T, cycle T) {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(parents))
	order = make([]T, 0, len(parents))
	var path []T
	for i := range parents {
		path = path[:0]
		at := T(i)
		for ; at >= 0 && state[at] == fresh; at = parents[at] {
			state[at] = open
			path = append(path, at)
		}
		if at >= 0 && state[at] == open {
			return nil, at
		}
		for j := len(path) - 1; j >= 0; j-- {
			state[path[j]] = done
			order = append(order, path[j])
		}
	}
	return order, -1
}
