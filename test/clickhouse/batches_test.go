package clickhouse

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

const app = "batches"

// begun is when the chunks of a batch began: in all of them the same, so that only what tells
// batches apart keeps the server from dropping one as a repetition of another.
var begun = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// batchOf makes a batch: chunks with a tick on each of some sites, spread over both shards.
func batchOf(n int) (id record.ID, chunks []*record.Chunk) {
	for i := range chunksOfBatch {
		b := &profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond}}
		for site := range sitesOfChunk {
			f := b.Function(profile.Function{Name: fmt.Sprint("f", site), File: "https://shop.example/app.js", Line: 1})
			b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Weight: 1})
		}
		chunks = append(chunks, &record.Chunk{ID: record.IDOf(app, fmt.Sprint(n, " ", i)), At: begun, Observed: time.Second, Profile: b.Profile(),
			View: record.IDOf("view", fmt.Sprint(n, i)), Counts: &record.Counts{},
			Series: record.Series{App: app, Rate: 1, Interval: 10 * time.Millisecond, Labels: record.Labels{record.Route: "/"}}})
	}
	return record.IDOf(app, "batch", fmt.Sprint(n)), chunks
}

const chunksOfBatch, sitesOfChunk = 5, 8

// writeAll writes a batch again and again until it is written, as intake does.
func writeAll(ctx context.Context, s store.Store, n int) error {
	id, chunks := batchOf(n)
	for {
		_, err := s.Write(ctx, id, chunks)
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// exact fails if a chunk is missing, or counted twice.
func exact(t *testing.T, s store.Store, chunks int64) {
	t.Helper()
	day := store.Selection{App: app, From: begun.Add(-time.Hour), To: begun.Add(time.Hour)}
	totals := must.Get(s.Totals(t.Context(), day, store.Grouping{}))(t)
	if len(totals) != 1 || totals[0].Chunks != chunks || totals[0].Ticks != chunks*sitesOfChunk || totals[0].Views != chunks || totals[0].Observed != time.Duration(chunks)*time.Second {
		t.Errorf("the totals of %d chunks are %+v", chunks, totals)
	}
	ticks := must.Get(s.Ticks(t.Context(), day, store.Grouping{}, 100))(t)
	if len(ticks.Sums) != sitesOfChunk || ticks.Rest[0] != 0 {
		t.Errorf("there are %d sites, and a rest of %v", len(ticks.Sums), ticks.Rest)
	}
	var hashes []store.Hash
	for _, sum := range ticks.Sums {
		hashes = append(hashes, sum.Site)
		if sum.Ticks != chunks {
			t.Errorf("a site has %d ticks, want %d", sum.Ticks, chunks)
		}
	}
	if sites := must.Get(s.Sites(t.Context(), app, hashes))(t); len(sites) != sitesOfChunk {
		t.Errorf("%d sites have names", len(sites))
	}
}
