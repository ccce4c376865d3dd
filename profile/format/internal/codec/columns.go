package codec

import (
	"fmt"

	"github.com/fieldprof/fieldprof/profile"
)

// Columns are the samples of a profile without their stacks, as our extensions of
// formats have them in JSON.
type Columns struct {
	Weight []int32 `json:"weight"`                 // ticks; says how many samples there are
	Time   []int64 `json:"timeDeltasNs,omitempty"` // from sample to sample, the first from meta.start
	Kind   []int   `json:"kind,omitempty"`
	Skid   []int64 `json:"skidNs,omitempty"`
	Marker []int   `json:"marker,omitempty"` // profile.Marker
}

// NewColumns is the inverse of Samples, with the kinds in the order of profile.KindNames.
func NewColumns(p *profile.Profile) Columns {
	c := Columns{Weight: append([]int32{}, p.Samples.Weight...), Time: make([]int64, p.Len()), Kind: make([]int, p.Len()), Skid: p.Samples.Skid}
	for _, m := range p.Samples.Marker {
		c.Marker = append(c.Marker, int(m))
	}
	last := int64(0)
	for i, t := range p.Samples.Time {
		c.Time[i], last = t-last, t
		c.Kind[i] = int(p.Samples.Kind[i])
	}
	return c
}

// Samples are the samples, given what the numbers of Kind mean. A column that is missing
// has zeros.
func (c *Columns) Samples(kinds []string) ([]profile.Sample, error) {
	for name, got := range map[string]int{"timeDeltasNs": len(c.Time), "kind": len(c.Kind), "skidNs": len(c.Skid), "marker": len(c.Marker)} {
		if got != len(c.Weight) && got != 0 {
			return nil, fmt.Errorf("fieldprof.samples.%s: %d entries for %d weights", name, got, len(c.Weight))
		}
	}
	samples := make([]profile.Sample, len(c.Weight))
	now := int64(0)
	for i, w := range c.Weight {
		k, delta, skid := get(c.Kind, i), get(c.Time, i), get(c.Skid, i)
		if k < 0 || k >= len(kinds) {
			return nil, fmt.Errorf("fieldprof.samples.kind[%d]: %d of %d", i, k, len(kinds))
		}
		kind, ok := profile.ParseKind(kinds[k])
		switch {
		case !ok:
			return nil, fmt.Errorf("fieldprof.kinds[%d]: unknown kind %q", k, kinds[k])
		case delta < 0 || now+delta < 0:
			return nil, fmt.Errorf("fieldprof.samples.timeDeltasNs[%d]: %d", i, delta)
		case skid < 0:
			return nil, fmt.Errorf("fieldprof.samples.skidNs[%d]: %d", i, skid)
		}
		marker := get(c.Marker, i)
		if marker < 0 || marker > int(profile.MarkerOther) {
			return nil, fmt.Errorf("fieldprof.samples.marker[%d]: %d is not a marker", i, marker)
		}
		now += delta
		samples[i] = profile.Sample{Time: now, Stack: profile.NoStack, Weight: w, Kind: kind, Skid: skid, Marker: profile.Marker(marker)}
	}
	return samples, nil
}

// get is an entry of a column that may be missing.
func get[T any](column []T, i int) (v T) {
	if len(column) > 0 {
		v = column[i]
	}
	return v
}

// StackAt is one of some stacks, NoStack for an index below zero.
func StackAt[T ~int | ~int32](stacks []profile.StackID, i T) profile.StackID {
	if i < 0 {
		return profile.NoStack
	}
	return stacks[i]
}
