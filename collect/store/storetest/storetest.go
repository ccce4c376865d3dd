// Package storetest has the tests that every store must pass.
//
// They compare a store with store/memory, which adds up on request and knows no roll-up. Few calls
// with large batches make them bearable for a store where each call is a round trip.
package storetest

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
)

// Run runs all tests. Each call of open returns an empty store with store.DefaultRetention;
// the test that it is called with closes it.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	// Tests that do not need a store of their own use an app of their own.
	shared := open(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, store.Store)
	}{
		{"minutes", testMinutes},
		{"duplicates", testDuplicates},
		{"views", testViews},
		{"labels", testLabels},
		{"selections", testSelections},
		{"limits", testLimits},
		{"sites", testSites},
		{"slices", testSlices},
		{"examples", testExamples},
		{"files", testFiles},
		{"concurrency", testConcurrency},
		{"ready", testReady},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, shared) })
	}
	t.Run("random", func(t *testing.T) { testRandom(t, open(t)) })
	t.Run("maintenance", func(t *testing.T) { testMaintenance(t, open(t)) })
}

// start is when most chunks begin: recent, so that no store finds them too old.
var start = time.Now().UTC().Truncate(24 * time.Hour).Add(-24 * time.Hour)

// pair is a store and its model. Each write goes to both.
type pair struct {
	store.Store
	model   *memory.Store
	batches int
}

func pairOf(s store.Store) *pair { return &pair{Store: s, model: memory.New()} }

func (p *pair) write(t *testing.T, chunks ...*record.Chunk) store.Written {
	t.Helper()
	p.batches++
	batch := record.IDOf(t.Name(), time.Now().String(), string(rune(p.batches)))
	want, _ := p.model.Write(t.Context(), batch, chunks)
	got, err := p.Write(t.Context(), batch, chunks)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	if got != want {
		t.Errorf("Write says %+v, want %+v", got, want)
	}
	return got
}

func testReady(t *testing.T, s store.Store) {
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("Ready: %v", err)
	}
	if w, err := s.Write(t.Context(), record.IDOf("empty"), nil); err != nil || w != (store.Written{}) {
		t.Errorf("an empty batch: %+v, %v", w, err)
	}
}
