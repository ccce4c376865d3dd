// Package record holds what field sessions send, as the collector keeps it: decoded,
// bounded, with its times summed away.
package record

import (
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Chunk is the content of one request, or of one profile in it.
type Chunk struct {
	// ID identifies the content: a request that is sent twice has the same.
	ID ID
	Series
	// Source is the format that it came in: fieldprof, trace, sentry, datadog, pprof, otlp.
	Source string
	// At is when it began, by the collector's clock if the page's cannot be right.
	At time.Time
	// Observed is how long the page was observed.
	Observed time.Duration
	// View identifies the page view, and Number counts its requests; both are zero if unknown.
	View   ID
	Number int
	// Profile has the ticks of each stack, in deployed positions, as Sum makes it; nil if
	// there are none.
	Profile *profile.Profile
	// Slices are what was slow.
	Slices []Slice
	// Counts are the totals of the view since it began; nil if they are unknown.
	Counts *Counts
	// Example is a whole profile, as EncodeProfile writes it, if this chunk is to be kept
	// as one; nil for most chunks.
	Example []byte
}

// Series is what chunks must have in common for their ticks to be added up.
type Series struct {
	App    string
	Labels Labels
	// Slow says that this is the time of slices, and not all time.
	Slow bool
	// Rate is the share of what happened that is represented, above 0 and at most 1: the sample
	// rate of sessions, divided by the weight of a slice.
	Rate float64
	// Interval is what a tick stands for; 0 if there are no samples.
	Interval time.Duration
}

// Slice is something slow that one session had.
type Slice struct {
	ID     ID // of the slice, derived from its chunk's ID
	Series    // Rate includes its weight
	At     time.Time
	View   ID
	Mark   profile.Mark // Time is from the start of Trace
	// Cause is the function to look at first in deployed coordinates, and its group and time; the
	// zero Function if there is none. The answer computes it again from Trace, with the maps
	// that exist by then.
	Cause      profile.Function
	CauseGroup string
	CauseTime  time.Duration
	// Trace is the profile of its time, as EncodeProfile writes it.
	Trace []byte
}

// Counts are totals of a page view (docs/sending.md).
type Counts struct {
	Interactions int64
	Slow         map[profile.What]int64
	LongTasks    int64
	Dropped      int64
	INP          time.Duration // 0 if unknown
	P75          time.Duration // 0 if unknown
}

// Sum returns the ticks of each stack, kind and marker of a profile, without times, skids
// and marks.
func Sum(p *profile.Profile) *profile.Profile {
	type site struct {
		stack  profile.StackID
		kind   profile.Kind
		marker profile.Marker
	}
	index := map[site]int{}
	var order []site
	var ticks []int64
	last := 0 // the same site often comes again
	for i := range p.Len() {
		s := p.Sample(i)
		at := site{s.Stack, s.Kind, s.Marker}
		if i == 0 || at != order[last] {
			known := false
			if last, known = index[at]; !known {
				last = len(order)
				index[at] = last
				order, ticks = append(order, at), append(ticks, 0)
			}
		}
		ticks[last] += int64(s.Weight)
	}
	// The tables stay as they are: a Builder would intern them again for nothing.
	sum := *p
	sum.Marks, sum.Samples = nil, profile.Samples{}
	for i, at := range order {
		s := &sum.Samples
		s.Time = append(s.Time, 0)
		s.Stack = append(s.Stack, at.stack)
		s.Weight = append(s.Weight, int32(min(ticks[i], 1<<31-1)))
		s.Kind = append(s.Kind, at.kind)
		s.Skid = append(s.Skid, 0)
		s.Marker = append(s.Marker, at.marker)
	}
	return &sum
}

// BusyTicks are the ticks of a profile in which something ran.
func BusyTicks(p *profile.Profile) (busy int64) {
	for i := range p.Len() {
		if s := p.Sample(i); s.Kind != profile.Idle && s.Kind != profile.Lost && p.IsBusy(s.Stack) {
			busy += int64(s.Weight)
		}
	}
	return busy
}
