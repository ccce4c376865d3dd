package clickhouse

import (
	"context"
	"fmt"
	"sync"
	"testing"

	client "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/fieldprof/fieldprof/internal/must"
)

// testKilled kills a replica while collectors write, one of them everything twice, starts it
// again while they go on, and then does the same to the other replica of the shard. In the end
// the sums are exact, and the replicas have the same.
func testKilled(t *testing.T, c *cluster) {
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

// await waits until a replica has what the others of its shard have. After a kill its tables are
// read-only until ZooKeeper has ended the former session; until then they know of nothing to fetch.
func (c *cluster) await(t testing.TB, s *server) {
	conn := must.Get(client.Open(&client.Options{Addr: []string{s.address()}}))(t)
	defer func() { _ = conn.Close() }()
	until(t, "the replica has caught up", func() error {
		var behind uint64
		err := conn.QueryRow(t.Context(), "SELECT count() FROM system.replicas WHERE is_session_expired OR is_readonly OR queue_size > 0 OR log_pointer <= log_max_index AND log_max_index > 0").Scan(&behind)
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
