package cpuprofile

import (
	"fmt"

	"github.com/fieldprof/fieldprof/profile"
)

// extension is what stands under the key "fieldprof". The arrays below samples
// have an entry for each sample; an array missing has zeros.
type extension struct {
	Version int          `json:"version"`
	Meta    profile.Meta `json:"meta"`
	Flags   []int        `json:"flags"` // profile.Flags of each node
	Kinds   []string     `json:"kinds"` // what the numbers of Kind mean
	Samples runs         `json:"samples"`
}

// runs are the samples: Weight entries of the file's own list for each.
type runs struct {
	Weight list[int32] `json:"weight"`
	Time   list[int64] `json:"timeDeltasNs"` // from sample to sample, the first from meta.start
	Kind   list[int]   `json:"kind,omitempty"`
	Skid   list[int64] `json:"skidNs,omitempty"`
	Line   list[int32] `json:"line,omitempty"` // position of the top frame, from 1
	Column list[int32] `json:"column,omitempty"`
}

const extensionVersion = 1

func newExtension(p *profile.Profile, t *tree) *extension {
	e := &extension{Version: extensionVersion, Meta: p.Meta, Kinds: []string{}}
	e.Samples.Weight = append([]int32{}, p.Samples.Weight...)
	for i := range t.nodes {
		e.Flags = append(e.Flags, int(t.function(int32(i)).Flags))
	}
	for k := profile.Own; k <= profile.Lost; k++ {
		e.Kinds = append(e.Kinds, k.String())
	}
	n := p.Len()
	kind, line, column := make([]int, n), make([]int32, n), make([]int32, n)
	e.Samples.Time = make([]int64, n)
	last := int64(0)
	for i, s := range p.Samples.Stack {
		e.Samples.Time[i] = p.Samples.Time[i] - last
		last = p.Samples.Time[i]
		kind[i] = int(p.Samples.Kind[i])
		if s != profile.NoStack {
			f := p.Stacks.Frame[s]
			line[i], column[i] = p.Frames.Line[f], p.Frames.Column[f]
		}
	}
	e.Samples.Kind, e.Samples.Skid = unlessZero(kind), unlessZero(p.Samples.Skid)
	e.Samples.Line, e.Samples.Column = unlessZero(line), unlessZero(column)
	return e
}

// unlessZero is nil for a column of nothing but zeros.
func unlessZero[T comparable](column []T) []T {
	var zero T
	for _, v := range column {
		if v != zero {
			return column
		}
	}
	return nil
}

// check compares an extension with the file around it.
func (e *extension) check(f *file) error {
	if e.Version != extensionVersion {
		return fmt.Errorf("fieldprof: version %d is not supported, only %d", e.Version, extensionVersion)
	}
	if len(e.Flags) != len(f.Nodes) {
		return fmt.Errorf("fieldprof.flags: %d entries for %d nodes", len(e.Flags), len(f.Nodes))
	}
	s := &e.Samples
	n := len(s.Weight)
	for name, got := range map[string]int{"timeDeltasNs": len(s.Time), "kind": len(s.Kind), "skidNs": len(s.Skid),
		"line": len(s.Line), "column": len(s.Column)} {
		if got != n && got != 0 {
			return fmt.Errorf("fieldprof.samples.%s: %d entries for %d weights", name, got, n)
		}
	}
	at, time := 0, int64(0)
	for i, w := range s.Weight {
		if w < 1 || int(w) > len(f.Samples)-at {
			return fmt.Errorf("fieldprof.samples.weight[%d]: %d, with %d of %d samples left", i, w, len(f.Samples)-at, len(f.Samples))
		}
		for j := range int(w) {
			if f.Samples[at+j] != f.Samples[at] {
				return fmt.Errorf("fieldprof.samples.weight[%d]: stands for samples of nodes %d and %d", i, f.Samples[at], f.Samples[at+j])
			}
		}
		at += int(w)
		if k := get(s.Kind, i); k < 0 || k >= len(e.Kinds) {
			return fmt.Errorf("fieldprof.samples.kind[%d]: %d of %d", i, k, len(e.Kinds))
		} else if _, ok := profile.ParseKind(e.Kinds[k]); !ok {
			return fmt.Errorf("fieldprof.kinds[%d]: unknown kind %q", k, e.Kinds[k])
		}
		if d := get(s.Time, i); d < 0 || time+d < 0 {
			return fmt.Errorf("fieldprof.samples.timeDeltasNs[%d]: %d", i, d)
		}
		time += get(s.Time, i)
		if get(s.Skid, i) < 0 || get(s.Line, i) < 0 || get(s.Column, i) < 0 {
			return fmt.Errorf("fieldprof.samples: sample %d has a skid, line or column below zero", i)
		}
	}
	if n > 0 && at != len(f.Samples)-1 || n == 0 && len(f.Samples) > 0 {
		return fmt.Errorf("fieldprof.samples.weight: they add up to %d, for %d samples and the closing one", at, len(f.Samples)-1)
	}
	return nil
}

// get is an entry of a column that may be missing.
func get[T any](column []T, i int) (v T) {
	if column != nil {
		v = column[i]
	}
	return v
}
