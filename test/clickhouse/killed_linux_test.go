package clickhouse

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	client "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

const app = "killed"

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

// TestReplicaIsKilled kills a replica while collectors write, one of them everything twice, starts it
// again while they go on, and then does the same to the other replica of the shard. In the end
// the sums are exact, and the replicas have the same.
func TestReplicaIsKilled(t *testing.T) {
	c := startCluster(t)
	address := c.address() + "/killed?cluster=field&dial_timeout=1s"
	s := openDatabase(t, address)
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()

	const writers, batches = 3, 24
	var writing sync.WaitGroup
	reached := make(chan int, writers*batches)
	for w := range writers {
		writing.Go(func() {
			for n := range batches {
				if err := writeAll(ctx, s, w*batches+n); err != nil {
					t.Errorf("batch %d was not written: %v", n, err)
				}
				if w == 0 { // its collector crashed before it knew
					if err := writeAll(ctx, s, n); err != nil {
						t.Errorf("batch %d was not written again: %v", n, err)
					}
				}
				reached <- 1
			}
		})
	}
	await := func(n int) {
		for range n {
			<-reached
		}
	}
	for _, replica := range c.servers[:2] {
		await(writers * batches / 6)
		replica.kill(t)
		await(writers * batches / 6)
		c.start(t, replica)
		replica.await(t)
		c.await(t, replica)
	}
	writing.Wait()
	for _, replica := range c.servers {
		c.await(t, replica)
	}
	for _, replica := range c.servers {
		exact(t, openDatabase(t, "clickhouse://"+replica.address()+"/killed?cluster=field"), writers*batches*chunksOfBatch)
	}
	c.replicasAreEqual(t)
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

// await waits until a replica has what the others of its shard have.
func (c *cluster) await(t testing.TB, s *server) {
	conn := must.Get(client.Open(&client.Options{Addr: []string{s.address()}}))(t)
	defer func() { _ = conn.Close() }()
	until(t, "the replica has caught up", func() error {
		var behind uint64
		err := conn.QueryRow(t.Context(), "SELECT count() FROM system.replicas WHERE is_session_expired OR queue_size > 0 OR log_pointer <= log_max_index AND log_max_index > 0").Scan(&behind)
		if err == nil && behind > 0 {
			err = fmt.Errorf("%d tables are behind", behind)
		}
		return err
	})
}

// replicasAreEqual compares the rows that the servers have themselves.
func (c *cluster) replicasAreEqual(t *testing.T) {
	t.Helper()
	for shard := range 2 {
		var of [2]string
		for r := range 2 {
			s := c.servers[2*shard+r]
			conn := must.Get(client.Open(&client.Options{Addr: []string{s.address()}, Auth: client.Auth{Database: "killed"}}))(t)
			var ticks, totals int64
			var views uint64
			must.Do(t, conn.QueryRow(t.Context(), "SELECT sum(ticks) FROM ticks_local").Scan(&ticks))
			must.Do(t, conn.QueryRow(t.Context(), "SELECT sum(ticks) FROM totals_local").Scan(&totals))
			must.Do(t, conn.QueryRow(t.Context(), "SELECT uniqExact(view) FROM views_local").Scan(&views))
			of[r] = fmt.Sprintf("%d ticks, %d in totals, %d views", ticks, totals, views)
			_ = conn.Close()
		}
		if of[0] != of[1] {
			t.Errorf("the replicas of shard %d have %s and %s", shard+1, of[0], of[1])
		}
	}
}
