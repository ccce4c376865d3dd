package clickhouse

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	client "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/clickhouse"
	"github.com/fieldprof/fieldprof/internal/must"
)

// testRivals has several collectors that receive the same chunks at the same time, in batches of
// their own.
func testRivals(t *testing.T, address, parameters string) {
	const rivals, rounds = 4, 4
	var collectors []store.Store
	for range rivals {
		collectors = append(collectors, openDatabase(t, address+"/rivals"+parameters))
	}
	for round := range rounds {
		var writing sync.WaitGroup
		for r, s := range collectors {
			writing.Go(func() {
				_, chunks := batchOf(round)
				if r%2 == 1 { // only some of them
					chunks = chunks[1:]
				}
				for {
					if _, err := s.Write(t.Context(), record.IDOf("rival", fmt.Sprint(round, r)), chunks); err == nil || t.Context().Err() != nil {
						return
					}
				}
			})
		}
		writing.Wait()
	}
	exact(t, collectors[0], rounds*chunksOfBatch)
}

// testStarts has several collectors that start at once, on an empty server.
func testStarts(t *testing.T, address, parameters string) {
	var starting sync.WaitGroup
	for range 3 {
		starting.Go(func() {
			s, err := clickhouse.Open(t.Context(), address+"/starts"+parameters, store.DefaultRetention())
			if err != nil {
				t.Errorf("a collector that starts with others: %v", err)
				return
			}
			must.Do(t, s.Close())
		})
	}
	starting.Wait()
}

// testRepeated has batches come again after all of their rows were written, by a collector that
// crashed before it could note that.
func testRepeated(t *testing.T, address, parameters string) {
	s := openDatabase(t, address+"/repeated"+parameters)
	const batches = 3
	for range 2 {
		for n := range batches {
			id, chunks := batchOf(n)
			must.Get(s.Write(t.Context(), id, chunks))(t)
		}
		o := must.Get(client.ParseDSN(strings.TrimPrefix(address, "clickhouse+") + "/repeated"))(t)
		conn := must.Get(client.Open(o))(t)
		must.Do(t, conn.Exec(t.Context(), "ALTER TABLE batches DROP PARTITION "+time.Now().UTC().Format("20060102")))
		must.Do(t, conn.Close())
	}
	exact(t, s, batches*chunksOfBatch)
}
