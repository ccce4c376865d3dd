package gojahost

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/profile"
)

// snapshot is a part of a recording at a moment.
type snapshot struct {
	stretches []stretch
	outside   []coordinator.Outside
	from, to  int64
	bracketed bool
	waiting   int64 // ticks that are not taken yet
	missed    int64 // deadlines
	dropped   int64 // ticks that were not kept
	skid      *coordinator.Histogram
}

// snapshot takes what a query needs.
func (r *recording) snapshot(q query) snapshot {
	s := r.gather(q)
	slices.SortStableFunc(s.outside, func(a, b coordinator.Outside) int { return cmp.Compare(a.Time, b.Time) })
	return s
}

// gather takes it in a moment in which nothing is recorded.
func (r *recording) gather(q query) snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.coordinator.Elapsed()
	since := r.trim(now)
	// Ticks that waited when the clock was stopped are taken later.
	s := snapshot{from: max(q.from, r.base), to: min(q.to, max(now, r.ring.latest())), bracketed: true, skid: r.skid}
	s.stretches = r.ring.between(q.from, q.to)
	s.dropped = r.ring.dropped(q.from, q.to)
	if q.all {
		s.from = max(s.from, since)
	}
	if q.to > now {
		s.missed = r.coordinator.Missed() - r.missed
	} else {
		s.missed = r.ring.missedAt(q.to, r.missed) - r.missed
	}
	if !q.all {
		s.missed -= r.ring.missedAt(q.from, r.missed) - r.missed
	}
	if q.host == 0 {
		s.outside = append(s.outside, r.outside.within(&q)...)
		if out := &r.outside.out; q.all || out.till >= q.from {
			s.dropped += out.ticks
		}
	}
	for id, m := range r.members {
		if q.host == 0 || id == q.host {
			s.member(m, &q, now)
		}
	}
	if q.drains {
		r.empty(now)
	}
	return s
}

// member adds what a runtime's counter knows.
func (s *snapshot) member(m *member, q *query, now int64) {
	s.bracketed = s.bracketed && m.counter.Bracketed()
	dropped, until := m.counter.Forgotten()
	if q.all || until >= q.from && until > 0 {
		s.dropped += dropped - m.dropped
	}
	account, waiting := m.counter.Account()
	if q.host != 0 && q.all {
		s.missed = account.Missed - m.missed
	}
	if q.drains { // ticks that wait will be in the next profile
		s.outside = append(s.outside, m.counter.TakeOutside()...)
		m.missed, m.dropped = account.Missed, dropped
		return
	}
	s.outside = append(s.outside, m.counter.OutsideBetween(q.from, q.to)...)
	if q.to > now {
		s.waiting += waiting
	}
}

// trim drops what is too old by now, although nothing came after it, and the ticks outside the
// program that are older than the samples. It returns from when on everything is kept.
func (r *recording) trim(now int64) (since int64) {
	r.ring.bound(now)
	since = r.ring.since(now)
	r.outside.forget(since)
	for _, m := range r.members {
		m.counter.Forget(since)
	}
	return since
}

// empty forgets what is recorded.
func (r *recording) empty(now int64) {
	r.ring.clear()
	r.outside.empty()
	r.base, r.missed, r.skid = now, r.coordinator.Missed(), &coordinator.Histogram{}
}

// missedAt is how many deadlines the coordinator had missed at a time, as far as the
// sample before it tells; without one, another number.
func (r *recorder) missedAt(at, otherwise int64) int64 {
	missed := otherwise
	for _, s := range r.segments {
		if s.from >= at {
			return missed
		}
		for _, chunk := range s.chunks {
			i, _ := slices.BinarySearchFunc(chunk, at, func(s sample, at int64) int { return cmp.Compare(s.time, at) })
			if i > 0 {
				missed = chunk[i-1].missed
			}
		}
	}
	return missed
}

// profile makes the profile of a part.
func (r *recording) profile(q query) *profile.Profile { return r.profileAbove(q, nil) }

// profileAbove makes one with Go's samples above its own, unless there are none.
func (r *recording) profileAbove(q query, above *goSamples) *profile.Profile {
	s := r.snapshot(q)
	b := &profile.Builder{}
	w := newPart(r, b, &q, &s)
	if above != nil {
		w.spread(above)
	}
	w.write()
	b.Meta = r.meta(&s)
	b.Meta.Ticks, b.Meta.Notes = w.ticks, w.notes
	if !q.all {
		b.Meta.Skid = w.skid.Spread()
	}
	return b.Profile()
}

func (r *recording) meta(s *snapshot) profile.Meta {
	return profile.Meta{
		Start:     r.coordinator.Epoch().Add(time.Duration(s.from)),
		Duration:  time.Duration(max(s.to-s.from, 0)),
		Interval:  r.coordinator.Interval(),
		Engine:    "goja",
		Clock:     "goroutine and checks",
		Seed:      r.coordinator.Seed(),
		IdleKnown: s.bracketed,
		Late:      r.coordinator.Late(),
		Skid:      s.skid.Spread(),
		Coverage:  r.coverage(),
	}
}
