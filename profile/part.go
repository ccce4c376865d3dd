package profile

import (
	"math"
	"sort"
	"time"
)

// Extent is how long a profile lasts: its duration, or, where that is not known
// or too short, just after its last sample or to the end of its marks. So the part of a
// slow interaction (Between) has all of it, also if nothing was sampled at its end.
func (p *Profile) Extent() time.Duration {
	extent := p.Meta.Duration
	if n := len(p.Samples.Time); n > 0 {
		extent = max(extent, time.Duration(p.Samples.Time[n-1])+1)
	}
	for i := range p.Marks {
		m := &p.Marks[i]
		extent = max(extent, m.End(), m.Time+1)
	}
	return extent
}

// Lead is the time before the first mark of a profile, and before what the first sample stands for.
func (p *Profile) Lead() time.Duration {
	lead := time.Duration(math.MaxInt64)
	if p.Len() > 0 {
		lead = time.Duration(p.Samples.Time[0]) - p.TickTime().Of(int64(p.Samples.Weight[0]))
	}
	if len(p.Marks) > 0 {
		lead = min(lead, p.Marks[0].Time)
	}
	if p.Len()+len(p.Marks) == 0 {
		lead = 0
	}
	return max(0, lead)
}

// BeginAt moves the start of a profile to a moment, if its times count from one before the recording: a page's from its
// navigation. The moment is at most the Lead.
func (p *Profile) BeginAt(moment time.Duration) {
	for i := range p.Samples.Time {
		p.Samples.Time[i] -= int64(moment)
	}
	for i := range p.Marks {
		p.Marks[i].Time -= moment
	}
	p.startLater(moment)
}

// startLater counts the start of a profile from a moment of it.
func (p *Profile) startLater(by time.Duration) {
	if p.Meta.Start.IsZero() {
		p.since += by
	} else {
		p.Meta.Start = p.Meta.Start.Add(by)
	}
}

// Between returns the part of a profile between two moments: the samples taken at or
// after from and before to, both counted from its start. A sample belongs to the
// moment it was taken, with all its ticks, so the parts between consecutive moments
// hold every sample once; Extent is after the last. Marks that reach over a moment are cut
// there.
//
// The part starts at from. Metadata about all ticks and delays do not apply to a part
// and are left out.
func Between(p *Profile, from, to time.Duration) *Profile {
	from = max(from, 0)
	to = min(to, p.Extent())
	at := func(moment time.Duration) int {
		return sort.Search(p.Len(), func(i int) bool { return p.Samples.Time[i] >= int64(moment) })
	}
	first, end := at(from), at(to)
	end = max(end, first)
	part := *p
	s := &p.Samples
	part.Samples = Samples{Stack: s.Stack[first:end:end], Weight: s.Weight[first:end:end],
		Kind: s.Kind[first:end:end], Skid: s.Skid[first:end:end], Time: make([]int64, end-first)}
	if s.Marker != nil {
		part.Samples.Marker = s.Marker[first:end:end]
	}
	if s.Tags != nil {
		part.Samples.Tags = s.Tags[first:end:end]
	}
	part.Marks = marksBetween(p.Marks, from, to)
	for i, t := range s.Time[first:end] {
		part.Samples.Time[i] = t - int64(from)
	}
	part.startLater(from)
	part.Meta.Duration = max(to-from, 0)
	part.tick = p.TickTime()
	part.Meta.forgetAccount()
	return &part
}

// WithoutIdle is a profile without its idle time. The account of its ticks stays.
func WithoutIdle(p *Profile) *Profile {
	account, skid, late := p.Meta.Ticks, p.Meta.Skid, p.Meta.Late
	p = Focus(p, func(f Function) bool { return f.Flags&Pseudo == 0 || f.Name != NameIdle })
	p.Meta.Ticks, p.Meta.Skid, p.Meta.Late = account, skid, late
	return p
}

// Focus returns the samples of a profile with a fitting function on their stack, with
// all their frames, and all marks. As with Between, metadata about all ticks are left out.
func Focus(p *Profile, fits func(Function) bool) *Profile {
	fitting := make([]bool, len(p.Functions.Name))
	for f := range fitting {
		fitting[f] = fits(p.Function(FunctionID(f)))
	}
	within := make([]bool, len(p.Stacks.Parent))
	for s, parent := range p.Stacks.Parent { // parents come first
		within[s] = fitting[p.Frames.Function[p.Stacks.Frame[s]]] || parent != NoStack && within[parent]
	}
	part := *p
	var kept []int
	for i, s := range p.Samples.Stack {
		if s != NoStack && within[s] {
			kept = append(kept, i)
		}
	}
	part.Samples = p.Samples.pick(kept)
	part.tick = p.TickTime()
	part.Meta.forgetAccount()
	return &part
}

// forgetAccount removes what is true only of a whole recording.
func (m *Meta) forgetAccount() {
	m.Ticks, m.Late, m.Skid = Ticks{}, Spread{}, Spread{}
}
