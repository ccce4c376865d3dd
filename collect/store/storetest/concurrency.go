package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// testConcurrency has writers and readers at once. Every batch has the same ticks on two routes and in
// two hours, so an answer in which they differ has seen a part of a batch.
func testConcurrency(t *testing.T, s store.Store) {
	const writers, batches, perRoute = 3, 8, 5
	app := "concurrency"
	b := &profile.Builder{}
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f"}), 1, 1)), Weight: 3})
	sum := record.Sum(b.Profile())
	batch := func(writer, n int) (chunks []*record.Chunk) {
		for i := range perRoute {
			for r, route := range []string{"/a", "/b"} {
				chunks = append(chunks, &record.Chunk{ID: record.IDOf(app, fmt.Sprint(writer, n, i), route), Profile: sum, At: start.Add(time.Duration(r) * time.Hour),
					Series: record.Series{App: app, Rate: 1, Interval: time.Millisecond, Labels: record.Labels{record.Route: route, "x-writer": fmt.Sprint(writer)}}})
			}
		}
		return chunks
	}
	done := make(chan struct{})
	var writing, reading sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for n := range batches {
				for range 2 { // and a retry
					if _, err := s.Write(t.Context(), record.IDOf(app, fmt.Sprint(w, n)), batch(w, n)); err != nil {
						t.Errorf("Write: %v", err)
					}
				}
			}
		})
	}
	for range 2 {
		reading.Go(func() {
			for {
				for _, where := range []map[string][]string{nil, {"x-writer": {"1"}}} {
					selection := day(app)
					selection.Where = where
					wholeBatches(t, s, selection, 3*perRoute)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	answer, err := s.Ticks(t.Context(), day(app), store.Grouping{}, all)
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(writers * batches * perRoute * 2 * 3); len(answer.Sums) != 1 || answer.Sums[0].Ticks != want {
		t.Errorf("at the end the sums are %+v, want %d", answer.Sums, want)
	}
}

// wholeBatches fails if a question sees a part of a batch.
func wholeBatches(t *testing.T, s store.Store, selection store.Selection, unit int64) {
	by := store.Grouping{By: []string{record.Route}}
	answer, err := s.Ticks(t.Context(), selection, by, all)
	if err != nil {
		t.Errorf("Ticks: %v", err)
		return
	}
	of := map[string]int64{}
	for _, sum := range answer.Sums {
		of[answer.Groups[sum.Group].Values[0]] += sum.Ticks
	}
	if of["/a"] != of["/b"] || of["/a"]%unit != 0 {
		t.Errorf("Ticks: a part of a batch was seen: %v", of)
	}
	totals, err := s.Totals(t.Context(), selection, by)
	if err != nil {
		t.Errorf("Totals: %v", err)
		return
	}
	chunks := map[string]int64{}
	for _, total := range totals {
		chunks[total.Values[0]] += total.Chunks
	}
	if chunks["/a"] != chunks["/b"] {
		t.Errorf("Totals: a part of a batch was seen: %v", chunks)
	}
}
