package profile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Merge joins profiles into one: equal functions, frames and stacks are merged, and
// samples are in order of time, each profile's shifted by its start. Profiles without a
// start lie as far apart as their clocks say, which are taken for one: those of parts of
// a profile, and of profiles that a page made one after the other. The Duration is the time in which any of them was recorded.
//
// Weights add up only if a tick means the same everywhere, so profiles must be Alike. Those with
// exact ticks are counted in one tick if all have such (SameTicks); the interval is the mean where measured ones differ. Ticks and coverage are sums (the coverage
// of one program counts once, but is lost as such in a profile of several); the
// median and 95th percentile of a merged spread are means weighted by count, because
// the delays themselves are gone. Idle time is known if it is in all of them. A script has a
// debug id if all profiles that have the script agree on it.
func Merge(ps ...*Profile) (*Profile, error) {
	if len(ps) == 0 {
		return nil, errors.New("profile: merge: nothing to merge")
	}
	for i, p := range ps {
		if p == nil {
			return nil, fmt.Errorf("profile: merge: profile %d is nil", i)
		}
		if err := p.CheckValid(); err != nil {
			return nil, fmt.Errorf("merge: profile %d: %w", i, err)
		}
	}
	if !slices.ContainsFunc(ps, func(p *Profile) bool { return !p.isTimed() }) {
		ps = SameTicks(ps...)
	}
	for i, p := range ps {
		if !addUp(p, ps[0]) {
			return nil, fmt.Errorf("profile: merge: profile %d has interval %v, profile 0 has %v: their ticks do not add up: record them with one interval",
				i, p.Meta.Interval, ps[0].Meta.Interval)
		}
	}
	var b Builder
	b.Meta, b.p.tick = mergeMeta(ps), mergeTick(ps)
	if differ(ps) {
		b.Meta.Interval = time.Duration(math.Round(meanOf(ps, func(p *Profile) float64 { return float64(p.Meta.Interval) })))
	}
	b.p.since = earliest(ps)
	b.Meta.Duration = recorded(ps, &b)
	for _, p := range ps {
		shift := int64(p.after(&b))
		stacks, tags := newCopier(p, &b), make([]TagsID, max(1, len(p.Tags)))
		for i, set := range p.Tags {
			tags[i] = b.Tags(set)
		}
		for i := range p.Len() {
			s := p.Sample(i)
			s.Time += shift
			s.Stack = stacks.stack(s.Stack)
			if p.Samples.Tags != nil {
				s.Tags = tags[s.Tags]
			}
			b.Sample(s)
		}
		for _, m := range p.Marks {
			m.Time += time.Duration(shift)
			b.Mark(m)
		}
	}
	return b.Profile(), nil
}

// atMost is how much measured intervals may differ.
const atMost = 0.1

// Alike reports whether the ticks of two profiles add up: their intervals are equal, or their ticks exact, or the intervals
// were measured and are nearly equal. Other tools' files say when each sample was taken, and the mean gap is never the
// same; they have no account of ticks.
func Alike(a, b *Profile) bool { return addUp(a, b) || a.isTimed() && b.isTimed() }

// addUp reports whether ticks of two profiles mean the same as they are.
func addUp(a, b *Profile) bool {
	x, y := a.Meta.Interval, b.Meta.Interval
	isMeasured := a.Meta.Ticks == Ticks{} && b.Meta.Ticks == Ticks{}
	return x == y || isMeasured && min(x, y) > 0 && float64(max(x, y)-min(x, y)) <= atMost*float64(min(x, y))
}

func differ(ps []*Profile) bool {
	return slices.ContainsFunc(ps, func(p *Profile) bool { return p.Meta.Interval != ps[0].Meta.Interval })
}

// mixed reports whether the ticks of only some profiles are exact.
func mixed(ps []*Profile) bool {
	return slices.ContainsFunc(ps, func(p *Profile) bool { return p.Meta.Exact != ps[0].Meta.Exact })
}

func mergeMeta(ps []*Profile) Meta {
	m := ps[0].Meta
	programs := map[string]bool{m.Program: m.Program != ""}
	for i, p := range ps {
		o := p.Meta
		if !o.Start.IsZero() && (m.Start.IsZero() || o.Start.Before(m.Start)) {
			m.Start = o.Start
		}
		if i == 0 {
			continue
		}
		if !programs[o.Program] {
			m.Coverage = Coverage{
				m.Coverage.Functions + o.Coverage.Functions, m.Coverage.CheckedFunctions + o.Coverage.CheckedFunctions,
				m.Coverage.Statements + o.Coverage.Statements, m.Coverage.CheckedStatements + o.Coverage.CheckedStatements,
			}
			programs[o.Program] = o.Program != "" // those without a name may be different ones
		}
		m.Program = common(m.Program, o.Program)
		m.Summed, m.IdleKnown, m.Exact = m.Summed && o.Summed, m.IdleKnown && o.IdleKnown, m.Exact && o.Exact
		m.Engine, m.Preset, m.Clock = common(m.Engine, o.Engine), common(m.Preset, o.Preset), common(m.Clock, o.Clock)
		if m.Seed != o.Seed {
			m.Seed = 0
		}
		m.Ticks = Ticks{
			m.Ticks.Raised + o.Ticks.Raised, m.Ticks.Missed + o.Ticks.Missed, m.Ticks.Taken + o.Ticks.Taken,
			m.Ticks.Idle + o.Ticks.Idle, m.Ticks.GC + o.Ticks.GC, m.Ticks.Lost + o.Ticks.Lost, m.Ticks.Dropped + o.Ticks.Dropped,
		}
		m.Notes = Notes(m.Notes, o.Notes)
		m.Late, m.Skid = mergeSpread(m.Late, o.Late), mergeSpread(m.Skid, o.Skid)
	}
	m.DebugIDs = mergeDebugIDs(ps)
	return m
}

// earliest is where the first of the profiles without a Start begins.
func earliest(ps []*Profile) (first time.Duration) {
	found := false
	for _, p := range ps {
		if p.Meta.Start.IsZero() && (!found || p.since < first) {
			first, found = p.since, true
		}
	}
	return first
}

// recorded is the total time during which at least one of the profiles was being recorded. The gaps between profiles have no ticks.
func recorded(ps []*Profile, merged *Builder) (sum time.Duration) {
	inOrder := slices.SortedFunc(slices.Values(ps), func(p, q *Profile) int { return cmp.Compare(p.after(merged), q.after(merged)) })
	end := time.Duration(0)
	for _, p := range inOrder {
		begin := max(p.after(merged), end)
		end = max(end, p.after(merged)+p.Meta.Duration)
		sum += end - begin
	}
	return sum
}

// after is how long a profile begins after what it is merged into.
func (p *Profile) after(merged *Builder) time.Duration {
	if p.Meta.Start.IsZero() {
		return p.since - merged.p.since
	}
	return min(p.Meta.Start.Sub(merged.Meta.Start), math.MaxInt64-p.Extent()) // hostile starts may be centuries apart
}

// mergeTick is the time of a tick in a merged profile that has parts of others, or whose intervals differ or are not all exact:
// the mean, so that the time of all ticks is the sum of the profiles' times. Otherwise the account says it.
func mergeTick(ps []*Profile) TickTime {
	if !differ(ps) && !mixed(ps) && !slices.ContainsFunc(ps, func(p *Profile) bool { return p.tick > 0 }) {
		return 0
	}
	return TickTime(meanOf(ps, func(p *Profile) float64 { return float64(p.TickTime()) }))
}

// meanOf is a mean weighted by ticks; 0 without any.
func meanOf(ps []*Profile, of func(*Profile) float64) float64 {
	var sum, ticks float64
	for _, p := range ps {
		n := float64(p.Samples.Ticks())
		sum, ticks = sum+n*of(p), ticks+n
	}
	if ticks == 0 {
		return 0
	}
	return sum / ticks
}

// common is what two profiles agree on, "" when they do not.
func common(a, b string) string {
	if a == b {
		return a
	}
	return ""
}

func mergeSpread(a, b Spread) Spread {
	n := a.Count + b.Count
	if n <= 0 {
		return Spread{}
	}
	mean := func(x, y time.Duration) time.Duration {
		return time.Duration((float64(x)*float64(a.Count) + float64(y)*float64(b.Count)) / float64(n))
	}
	return Spread{Count: n, Median: mean(a.Median, b.Median), P95: mean(a.P95, b.P95), Max: max(a.Max, b.Max)}
}
