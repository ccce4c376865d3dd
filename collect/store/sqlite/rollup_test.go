package sqlite

import (
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

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
