package memory

import (
	"context"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// view is what is known of a page view.
type view struct {
	first  time.Time
	latest *record.Chunk
	counts *record.Chunk // the latest that has counts
}

// Totals are the sums of groups.
func (m *Store) Totals(_ context.Context, s store.Selection, by store.Grouping) ([]store.Total, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := groups{by: by}
	var totals []store.Total
	of := func(at time.Time, series *record.Series) *store.Total {
		i := g.of(at, series)
		if i == len(totals) {
			totals = append(totals, store.Total{Group: g.all[i], INP: record.Histogram{}, P75: record.Histogram{}})
		}
		return &totals[i]
	}
	for _, c := range m.selected(s) {
		t := of(c.At, &c.Series)
		t.Chunks++
		t.Observed += c.Observed
		if c.Profile != nil {
			t.Ticks += c.Profile.Samples.Ticks()
			t.Busy += record.BusyTicks(c.Profile)
		}
	}
	for _, v := range m.views(s) {
		t := of(v.first, &v.latest.Series)
		t.Views++
		if v.counts == nil {
			continue
		}
		t.Counted++
		counts := v.counts.Counts
		t.Interactions += counts.Interactions
		t.Slow += counts.Slow[profile.Interaction]
		t.LongTasks += counts.LongTasks
		if counts.INP > 0 {
			t.INP.Add(counts.INP, 1)
		}
		if counts.P75 > 0 {
			t.P75.Add(counts.P75, 1)
		}
	}
	return totals, nil
}

// views are the page views that began in a selection.
func (m *Store) views(s store.Selection) (found []*view) {
	all := map[record.ID]*view{}
	for _, c := range m.chunks {
		if c.App != s.App || c.View.IsZero() {
			continue
		}
		v := all[c.View]
		if v == nil {
			v = &view{first: c.At, latest: c}
			all[c.View] = v
		}
		if c.At.Before(v.first) {
			v.first = c.At
		}
		if c.Number >= v.latest.Number {
			v.latest = c
		}
		if c.Counts != nil && (v.counts == nil || c.Number >= v.counts.Number) {
			v.counts = c
		}
	}
	whole := s
	for _, v := range all {
		from, to := whole.From.Truncate(time.Minute), whole.To.Add(time.Minute-1).Truncate(time.Minute)
		if v.latest.Slow == s.Slow && !v.first.Before(from) && v.first.Before(to) && fits(&v.latest.Series, s) {
			found = append(found, v)
		}
	}
	return found
}
