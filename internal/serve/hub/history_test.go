package hub

import (
	"math/rand/v2"
	"testing"

	"github.com/fieldprof/fieldprof/profile/live"
)

// some is a batch with samples of one tick each.
func some(from int64, count int) *live.Batch {
	b := &live.Batch{Account: live.Account{Raised: from + int64(count)}}
	for i := range count {
		delta := int64(10)
		if i == 0 {
			delta = 10 * (from + 1)
		}
		b.Samples.Delta = append(b.Samples.Delta, delta)
		b.Samples.Stack, b.Samples.Weight = append(b.Samples.Stack, int32(i)), append(b.Samples.Weight, 1)
	}
	return b
}

// follower sums what a panel gets.
type follower struct {
	cursor
	t              *testing.T
	ticks, dropped int64
	records        int
}

// next takes a batch, and reports whether there was one.
func (f *follower) next(h *history) bool {
	b := h.next(&f.cursor, "id")
	if b == nil {
		return false
	}
	if b.Seq != f.seq || len(b.Samples.Weight) > maxBatch {
		f.t.Fatalf("batch %d has %d samples", b.Seq, len(b.Samples.Weight))
	}
	f.dropped += b.Dropped.Ticks
	f.records += len(b.Records)
	at := int64(0)
	for i, weight := range b.Samples.Weight {
		f.ticks += int64(weight)
		at += b.Samples.Delta[i]
		if want := 10 * (f.ticks + f.dropped); at != want {
			f.t.Fatalf("tick %d is at %d, want %d", f.ticks+f.dropped, at, want)
		}
	}
	return true
}

// At any pace of source and panel, a panel gets each sample once, at its time, or
// is told that it is gone; and nothing grows.
func TestPanelsFollow(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		h := &history{}
		panels := []*follower{{t: t}, {t: t}, {t: t}}
		sent := int64(0)
		for step := range 60 {
			count := random.IntN(20000)
			b := some(sent, count)
			b.Records = []live.Record{{ID: int32(step)}}
			h.add(b, 1<<17)
			sent += int64(count)
			for i, p := range panels {
				for range random.IntN(1 + 3*i) {
					p.next(h)
				}
			}
			if n := len(h.time); n > 1<<17 {
				t.Fatalf("%d samples are held", n)
			}
		}
		for i, p := range panels {
			for p.next(h) {
			}
			if p.ticks+p.dropped != sent || p.records != 60 {
				t.Errorf("panel %d: %d ticks and %d dropped of %d, %d records", i, p.ticks, p.dropped, sent, p.records)
			}
		}
		if late := (&follower{t: t}); !late.next(h) || late.dropped != h.ticks {
			t.Errorf("one that comes late misses %d ticks, want %d", late.dropped, h.ticks)
		}
	}
}

// A panel that was up to date skips to the present when it lags too far.
func TestPanelSkips(t *testing.T) {
	h := &history{}
	p := &follower{t: t}
	h.add(some(0, 100), maxSamples)
	for p.next(h) {
	}
	h.add(some(100, maxBehind+1), maxSamples)
	p.next(h)
	if p.next(h) || p.dropped != maxBehind+1-maxBatch || p.ticks != 100+maxBatch {
		t.Errorf("%d ticks, %d dropped", p.ticks, p.dropped)
	}
}

// A history that is cleared while a panel still catches up is gone for that panel as well.
func TestClearedBeforePanelHasAll(t *testing.T) {
	s := &source{history: &history{}}
	s.history.add(some(0, 2*maxBatch), maxSamples)
	var c cursor
	if b, renewed := s.next(&c); b == nil || renewed || c.version > 0 {
		t.Fatal("the panel has everything at once")
	}
	s.history = &history{}
	if _, renewed := s.next(&c); !renewed {
		t.Error("it keeps what it had")
	}
}

// Marks and notes are bounded too.
func TestHistoryIsBounded(t *testing.T) {
	h := &history{}
	p := &follower{t: t}
	for i := range 3 * maxMarks {
		b := some(int64(i), 1)
		b.Marks, b.Notes = []live.Mark{{Time: int64(i), What: "mark"}}, []string{string(rune('a' + i%1000))}
		h.add(b, maxSamples)
	}
	if len(h.marks) > maxMarks || len(h.notes) > maxNotes {
		t.Errorf("%d marks, %d notes", len(h.marks), len(h.notes))
	}
	for p.next(h) {
	}
	h.add(&live.Batch{Marks: []live.Mark{{What: "mark", Name: "last"}}}, maxSamples)
	if b := h.next(&p.cursor, "id"); len(b.Marks) != 1 || b.Marks[0].Name != "last" {
		t.Errorf("%+v", b.Marks)
	}
}
