package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

const hour = time.Hour

// testMaintenance writes chunks of the last weeks, lets the store roll them up, and compares
// selections that are as fine as what it must still have.
func testMaintenance(t *testing.T, s store.Store) {
	p, g := pairOf(s), newGenerator("maintenance", 9)
	now := start.Add(24*hour + 5*time.Minute) // the end of the day
	maintain := func() {
		t.Helper()
		for range 2 { // again: nothing counts twice
			if err := s.Maintain(t.Context(), now); err != nil {
				t.Fatalf("Maintain: %v", err)
			}
		}
	}
	same := func() {
		t.Helper()
		for _, span := range []struct{ ago, step time.Duration }{{46 * hour, time.Minute}, {28 * 24 * hour, hour}, {60 * 24 * hour, 24 * hour}} {
			from := now.Truncate(span.step).Add(-span.ago)
			for range 3 {
				p.sameAnswers(t, g.selection(from, span.ago, span.step), g.grouping(0, max(hour, span.step), 24*hour), oneOf(g, 20, all))
			}
		}
		whole := store.Selection{App: g.app, From: start.Add(-90 * 24 * hour), To: now.Add(hour)}
		p.sameAnswers(t, whole, store.Grouping{By: []string{record.Device}}, all)
		p.sameValues(t, whole)
	}
	days := func(n int, length time.Duration) time.Time {
		return now.Truncate(24 * hour).Add(-time.Duration(n)*24*hour - length)
	}
	p.write(t, g.chunks(150, days(0, 6*hour), 6*hour)...)
	p.write(t, g.chunks(150, days(1, 20*hour), 20*hour)...)
	p.write(t, append(g.chunks(100, days(9, 0), 48*hour), g.chunks(100, days(50, 0), 72*hour)...)...)
	same()
	maintain()
	same()
	// Late: into what is rolled up already. Stores may know nothing of views so old.
	g.views = nil
	p.write(t, append(g.chunks(80, days(9, 0), 48*hour), g.chunks(80, days(50, 0), 90*24*hour)...)...)
	same()
	maintain()
	same()
	now = now.Add(27 * hour)
	maintain()
	same()
	testRetention(t, p, g, now)
}

// testRetention lets everything become old.
func testRetention(t *testing.T, p *pair, g *generator, now time.Time) {
	for _, f := range []store.File{{App: g.app, Release: "1.0", Name: "a.map", Kind: store.FileMap, Uploaded: start}, {App: g.app, Release: "unused", Name: "b.map", Kind: store.FileMap, Uploaded: now}} {
		if err := p.PutFile(t.Context(), f, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	whole := store.Selection{App: g.app, From: now.Add(-1000 * 24 * hour), To: now.Add(hour)}
	slices, err := p.Slices(t.Context(), whole, store.SliceQuery{Limit: all})
	if err != nil || len(slices) == 0 {
		t.Fatalf("before retention there are %d slices, %v", len(slices), err)
	}
	if err := p.Maintain(t.Context(), now.Add(32*24*hour)); err != nil {
		t.Fatal(err)
	}
	if found, err := p.Slices(t.Context(), whole, store.SliceQuery{Limit: all}); err != nil || len(found) != 0 {
		t.Errorf("after 32 days there are %d slices, %v", len(found), err)
	}
	if found, err := p.Examples(t.Context(), whole, all); err != nil || len(found) != 0 {
		t.Errorf("after 32 days there are %d examples, %v", len(found), err)
	}
	whole.From, whole.To = now.Add(-90*24*hour).Truncate(24*hour), now.Truncate(24*hour).Add(24*hour)
	p.sameAnswers(t, whole, store.Grouping{By: []string{record.Route}, Step: 24 * hour}, all)
	if files, err := p.Files(t.Context(), g.app, ""); err != nil || len(files) != 2 {
		t.Errorf("after 32 days there are the files %v, %v", files, err)
	}
	if err := p.Maintain(t.Context(), now.Add(600*24*hour)); err != nil {
		t.Fatal(err)
	}
	found, err := p.Totals(t.Context(), store.Selection{App: g.app, From: now.Add(-1000 * 24 * hour), To: now.Add(1000 * 24 * hour)}, store.Grouping{})
	if err != nil || len(totals(t, found)) != 0 {
		t.Errorf("after 600 days there are the totals %v, %v", found, err)
	}
	if files, err := p.Files(t.Context(), g.app, ""); err != nil || len(files) != 0 {
		t.Errorf("after 600 days there are the files %v, %v", files, err)
	}
	if _, err := p.FileContent(t.Context(), g.app, "1.0", "a.map"); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("the content of a removed file: %v", err)
	}
	// It goes on.
	after := newGenerator("after", 10)
	p.write(t, after.chunks(30, now.Add(599*24*hour), hour)...)
	p.sameAnswers(t, store.Selection{App: after.app, From: now.Add(598 * 24 * hour), To: now.Add(601 * 24 * hour)}, store.Grouping{}, all)
}
