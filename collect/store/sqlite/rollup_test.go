package sqlite

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// TestFileThatCannotBeReadAgain lets a transaction fail, and the file be unreadable then: the store is not
// written by levels that it does not know, and goes on when the file can be read.
func TestFileThatCannotBeReadAgain(t *testing.T) {
	s, now := openForTest(t), time.Unix(0, 0).Add(50*time.Hour)
	var batch []*record.Chunk
	for i := range 60 {
		batch = append(batch, testChunk(i, time.Unix(0, 0).Add(time.Duration(i%40)*time.Hour)))
	}
	write := func(id byte, chunks ...*record.Chunk) error {
		_, err := s.Write(t.Context(), record.ID{id}, chunks)
		return err
	}
	rename := func(from, to string) {
		t.Helper()
		if err := s.w.run(t.Context(), "ALTER TABLE "+from+" RENAME TO "+to); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(1, batch...); err != nil {
		t.Fatal(err)
	}
	if err := s.Maintain(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	rename("level", "away")
	if err := s.transact(t.Context(), func() error { return errors.New("the disk is away") }); err == nil || !strings.Contains(err.Error(), "level") {
		t.Errorf("a transaction fails with %v", err)
	}
	late := testChunk(60, time.Unix(0, 0).Add(2*time.Hour))
	if err := write(2, late); err == nil {
		t.Error("a chunk is written by levels that are not known")
	}
	rename("away", "level")
	if err := s.Maintain(t.Context(), now); err != nil {
		t.Error(err)
	}
	if err := write(2, late); err != nil {
		t.Error(err)
	}
	if chunks, ticks, views := sumsOf(t, s); chunks != 61 || ticks != 610 || views != 21 {
		t.Errorf("there are %d chunks with %d ticks and %d views", chunks, ticks, views)
	}
}

// TestClockThatWasAhead maintains the store once by a clock that is ahead. Chunks written later are kept as
// usual, and everything counts once.
func TestClockThatWasAhead(t *testing.T) {
	for _, ahead := range []int{60, 500} { // days
		s, now := openForTest(t), time.Unix(0, 0).Add(1000*24*time.Hour+10*time.Hour)
		written, want := 0, int64(0)
		write := func(at time.Time) {
			t.Helper()
			if _, err := s.Write(t.Context(), record.ID{byte(written)}, []*record.Chunk{testChunk(3*written, at)}); err != nil {
				t.Fatal(err)
			}
			if at.Unix()/86400 > 1000 || ahead < 400 { // else nothing of that day was to be kept
				want++
			}
			written++
		}
		maintain := func(at time.Time) {
			t.Helper()
			if err := s.Maintain(t.Context(), at); err != nil {
				t.Fatal(err)
			}
		}
		write(now.Add(-3 * time.Hour))
		maintain(now.Add(time.Duration(ahead) * 24 * time.Hour))
		write(now)
		maintain(now.Add(time.Minute))
		write(now.Add(2 * time.Minute))
		for range 30 { // of hours
			now = now.Add(time.Hour)
			maintain(now)
			write(now)
		}
		if chunks, ticks, views := sumsOf(t, s); chunks != want || ticks != 10*chunks || views != chunks {
			t.Errorf("%d days ahead: there are %d chunks with %d ticks and %d views, want %d", ahead, chunks, ticks, views, want)
		}
		last := store.Selection{App: "shop", From: now.Add(-time.Minute), To: now.Add(10 * time.Minute)}
		totals, err := s.Totals(t.Context(), last, store.Grouping{Step: time.Minute})
		if err != nil || len(totals) != 1 || totals[0].Chunks != 1 || !totals[0].At.Equal(now) {
			t.Errorf("%d days ahead: the last minutes have %+v, %v", ahead, totals, err)
		}
	}
}

// TestQuestionsDuringRollUp asks while cells are rolled up and removed, and while late chunks arrive: no
// answer misses any or has any twice.
func TestQuestionsDuringRollUp(t *testing.T) {
	s := openForTest(t)
	n, late := 3000, 300 // chunks
	if testing.Short() {
		n, late = 600, 60
	}
	at := func(i int) time.Time { return time.Unix(0, 0).Add(time.Duration(i%50) * time.Hour) }
	var batch []*record.Chunk
	for i := range n {
		batch = append(batch, testChunk(i, at(i)))
	}
	if _, err := s.Write(t.Context(), record.ID{}, batch); err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	working.Go(func() {
		for _, now := range []time.Duration{30 * time.Hour, 60 * time.Hour, 45 * 24 * time.Hour} {
			if err := s.Maintain(t.Context(), time.Unix(0, 0).Add(now)); err != nil {
				t.Error(err)
			}
		}
	})
	working.Go(func() {
		for i := n; i < n+late; i += 30 {
			var batch []*record.Chunk
			for j := range 30 {
				batch = append(batch, testChunk(i+j, at(i+j)))
			}
			if _, err := s.Write(t.Context(), record.ID{}, batch); err != nil {
				t.Error(err)
			}
		}
	})
	done := make(chan struct{})
	go func() {
		working.Wait()
		close(done)
	}()
	for last := int64(n); ; {
		chunks, _, views := sumsOf(t, s)
		if chunks < last || chunks%30 != 0 || views != (chunks+2)/3 {
			t.Fatalf("there are %d chunks and %d views, after %d chunks", chunks, views, last)
		}
		last = chunks
		select {
		case <-done:
			if chunks, ticks, _ := sumsOf(t, s); chunks != int64(n+late) || ticks != 10*chunks {
				t.Errorf("at the end there are %d chunks and %d ticks", chunks, ticks)
			}
			return
		default:
		}
	}
}
