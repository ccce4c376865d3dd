package storetest

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// testRandom writes random chunks and compares the answers to random questions with the model's.
// FIELDPROF_SEED chooses others; FIELDPROF_FULL=1 takes many.
func testRandom(t *testing.T, s store.Store) {
	seed, _ := strconv.ParseUint(os.Getenv("FIELDPROF_SEED"), 10, 64)
	rounds := 3
	if os.Getenv("FIELDPROF_FULL") != "" {
		rounds = 100
	}
	p := pairOf(s)
	var apps []*generator
	for i := range uint64(2) {
		apps = append(apps, newGenerator("app "+strconv.Itoa(int(i)), seed+i))
	}
	var earlier []*record.Chunk
	for round := range rounds {
		batch := earlier[:min(len(earlier), 20)] // a retry
		for _, g := range apps {
			batch = append(batch, g.chunks(100, start.Add(time.Duration(round%20)*time.Hour), 4*time.Hour)...)
		}
		p.write(t, batch...)
		earlier = batch
		for _, g := range apps {
			for range 4 {
				selection := g.selection(start, 24*time.Hour, oneOf(g, time.Second, time.Hour, 24*time.Hour))
				p.sameAnswers(t, selection, g.grouping(0, 0, time.Hour, 6*time.Hour), oneOf(g, 5, 50, all))
			}
			p.sameValues(t, g.selection(start, 24*time.Hour, time.Hour))
			p.sameSlices(t, g.selection(start, 24*time.Hour, time.Second), store.SliceQuery{Limit: 20})
		}
		if t.Failed() {
			t.Fatalf("in round %d with FIELDPROF_SEED=%d", round, seed)
		}
	}
}
