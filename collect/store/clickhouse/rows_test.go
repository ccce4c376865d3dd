package clickhouse

import (
	"reflect"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// A batch that comes again must make the same blocks, or it counts twice.
func TestRowsHaveAnOrder(t *testing.T) {
	keys := func() []tickKey {
		r := newRows(kept{})
		for i := range 50 {
			for site := range 20 {
				r.ticks[tickKey{totalKey{"app", uint64(i % 7), 60, int64(i)}, store.Hash(1000 - 7*site)}]++
			}
		}
		return sorted(r.ticks, tickKey.compare)
	}
	first := keys()
	for range 5 {
		if !reflect.DeepEqual(keys(), first) {
			t.Fatal("equal rows have two orders")
		}
	}
}

func TestClasses(t *testing.T) {
	for _, d := range []time.Duration{1, time.Microsecond, time.Millisecond, 200 * time.Millisecond, time.Hour} {
		h := record.Histogram{}
		h.Add(d, 1)
		if h[classOf(d)] != 1 {
			t.Errorf("%v is in class %d of %v", d, classOf(d), h)
		}
	}
	if classOf(0) != unknownClass {
		t.Error("an unknown duration has a class")
	}
}

func TestOddMoments(t *testing.T) {
	for _, at := range []time.Time{{}, time.Date(1901, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
		r := newRows(kept{})
		r.add(&record.Chunk{At: at, Series: record.Series{App: "app"}})
		for key := range r.totals {
			if bucket := time.Unix(key.bucket, 0); bucket.Before(firstMoment) || bucket.After(lastMoment) {
				t.Errorf("a chunk of %v is in the bucket %v", at, bucket)
			}
		}
	}
}
