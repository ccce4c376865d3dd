package gojahost

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// watch brings the accounts up to date after a sample, and looks at the budgets.
func (h *Host) watch() {
	if !h.counter.Running() || h.meter.waiting {
		return // leave does it
	}
	h.charge()
	h.lookAtBudgets()
}

// lookAtBudgets tells those that are over.
func (h *Host) lookAtBudgets() {
	r := h.recording
	r.meters.mu.Lock()
	budgets := r.meters.budgets
	r.meters.mu.Unlock()
	for _, b := range budgets {
		if over, since := h.over(b); over != nil {
			over.ended = h.meter.ended
			h.blame(over, since)
			b.Act(over)
		}
	}
}

// over returns what is over a budget and was not before, and since when it was counted.
func (h *Host) over(b *budget) (over *Overrun, since int64) {
	m, r := &h.meter, h.recording
	r.meters.mu.Lock()
	defer r.meters.mu.Unlock()
	if slices.ContainsFunc(b.set, func(t profile.Tag) bool { return !slices.Contains(m.set, t) }) {
		return nil, 0
	}
	s := b.of(m.tags)
	if passed := m.since - s.from; b.Per > 0 && passed >= int64(b.Per) {
		s.from += passed / int64(b.Per) * int64(b.Per)
		s.stretch, s.over = min(s.stretch, m.task.work(), time.Duration(m.since-s.from)), false
	}
	limit := time.Duration(b.Share * float64(b.Per))
	switch {
	case b.Task > 0 && m.task.work() > b.Task && !m.fired[b]:
		if m.fired == nil {
			m.fired = map[*budget]bool{}
		}
		m.fired[b] = true
		return &Overrun{host: h, Tags: slices.Clone(m.set), What: "a task", Used: m.task.work(), Limit: b.Task}, m.began
	case limit > 0 && s.stretch > limit && !s.over:
		s.over = true
		return &Overrun{host: h, Tags: slices.Clone(m.set), What: fmt.Sprintf("all tasks in %v", b.Per), Used: s.stretch, Limit: limit}, s.from
	case b.Total > 0 && s.total > b.Total && !s.overAll:
		s.overAll = true
		return &Overrun{host: h, Tags: slices.Clone(m.set), What: "all tasks", Used: s.total, Limit: b.Total}, b.began
	}
	return nil, 0
}

// blame finds the function that used most.
func (h *Host) blame(o *Overrun, since int64) {
	q := query{from: since, to: math.MaxInt64, tags: h.meter.tags}
	if o.What == "a task" {
		q.host = h.id
	}
	p := profile.Attribute(h.recording.profile(q), profile.BySite)
	ticks, all := map[profile.FunctionID]int64{}, int64(0)
	for i := range p.Len() {
		s := p.Sample(i)
		if s.Kind == profile.Lost || s.Stack == profile.NoStack {
			continue
		}
		ticks[p.Frames.Function[p.Stacks.Frame[s.Stack]]] += int64(s.Weight)
		all += int64(s.Weight)
	}
	most := profile.FunctionID(-1)
	for f := range profile.FunctionID(len(p.Functions.Name)) {
		if n := ticks[f]; n > 0 && (most < 0 || n > ticks[most]) {
			most = f
		}
	}
	if most >= 0 {
		o.Function, o.Share = p.Function(most), float64(ticks[most])/float64(all)
	}
}
