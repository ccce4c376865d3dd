package alert_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/alert"
	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/profile"
)

var _ alert.Answers = (*answer.Service)(nil)

// With a store and real answers: an hour of a slow release breaks the budget, and the margin is
// that of the samples.
func TestWatchingAStore(t *testing.T) {
	s, kept := newSite(t), memory.New()
	s.options.Answers = answer.New(kept, answer.Options{})
	w := s.open()
	send := func(parsing, other int64) {
		t.Helper()
		var b profile.Builder
		for file, ticks := range map[string]int64{"src/parse.js": parsing, "app.js": other} {
			f := b.Function(profile.Function{Name: "f", File: file, Line: 1, Column: 1, Flags: profile.Checked})
			b.Add(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Kind: profile.Loop}, ticks)
		}
		p := b.Profile()
		p.Meta.Interval = 10 * time.Millisecond
		var chunks []*record.Chunk
		for i := range 10 {
			id := record.IDOf(fmt.Sprint(s.now, i))
			chunks = append(chunks, &record.Chunk{ID: id, Source: "fieldprof", At: s.now.Add(-time.Duration(i) * time.Minute), Profile: record.Sum(p), View: id,
				Series: record.Series{App: "shop", Rate: 1, Interval: p.Meta.Interval, Labels: record.Labels{record.Release: "1"}}})
		}
		if _, err := kept.Write(t.Context(), record.IDOf(s.now.String()), chunks); err != nil {
			t.Fatal(err)
		}
	}
	later := func(d time.Duration) {
		s.now = s.now.Add(d)
		w.Check(t.Context())
	}
	later(0) // nothing has come yet
	if w.Rows("shop") != nil {
		t.Errorf("%+v", w.Rows("shop"))
	}
	send(10, 90)
	later(time.Minute)
	if rows := w.Rows("shop"); len(rows) != 1 || rows[0].Broken || rows[0].Value != 10 || !(rows[0].Margin > 0) {
		t.Errorf("%+v", rows)
	}
	s.now = s.now.Add(2 * time.Hour) // the first hour is over
	send(60, 40)
	later(time.Minute)
	if rows := w.Rows("shop"); !rows[0].Broken || rows[0].Value != 60 {
		t.Errorf("%+v", rows)
	}
	later(3 * time.Hour) // nothing runs: still broken
	s.now = s.now.Add(time.Hour)
	send(1, 99)
	later(time.Minute)
	if states := s.states(); len(states) != 2 || !states[0] || states[1] {
		t.Errorf("told %v", states)
	}
}
