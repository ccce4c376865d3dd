package live

import "github.com/fieldprof/fieldprof/profile"

// BatchOf is a whole profile as one batch of an attributed source, such as one to
// compare with.
func BatchOf(p *profile.Profile) *Batch {
	p = profile.Attribute(p, profile.BySite)
	m := &p.Meta
	b := &Batch{Type: TypeBatch, Profile: 1, Seq: 1, Ended: true, Notes: profile.Notes(m.Notes),
		Began: &Began{Interval: m.Interval.Seconds() * 1000, Clock: m.Clock},
		Account: Account{Raised: m.Ticks.Raised, Missed: m.Ticks.Missed, Taken: m.Ticks.Taken, Idle: m.Ticks.Idle,
			GC: m.Ticks.GC, Lost: m.Ticks.Lost},
	}
	if !m.Start.IsZero() {
		b.Began.Time = float64(m.Start.UnixMicro()) / 1000
	}
	for i := range p.Functions.Name {
		b.Records = append(b.Records, recordOf(FirstID+int32(i), p.Function(profile.FunctionID(i))))
	}
	for i, parent := range p.Stacks.Parent {
		frame := p.Stacks.Frame[i]
		b.Stacks = append(b.Stacks, int32(parent), FirstID+int32(p.Frames.Function[frame]), p.Frames.Line[frame], p.Frames.Column[frame])
	}
	s := &b.Samples
	last := int64(0)
	for i, time := range p.Samples.Time {
		s.Delta, s.Stack, last = append(s.Delta, time/1000-last), append(s.Stack, int32(p.Samples.Stack[i])), time/1000
	}
	s.Weight = p.Samples.Weight
	return b
}
