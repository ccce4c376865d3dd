package coordinator

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestHistogramAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 100, 10_000} {
		var h Histogram
		values := make([]int64, n)
		for i := range values {
			values[i] = r.Int64N(1 << r.IntN(40))
			h.Add(values[i])
		}
		slices.Sort(values)
		s := h.Spread()
		must.Equal(t, s.Count, int64(n), n)
		must.Equal(t, s.Max, time.Duration(values[n-1]), n)
		for _, q := range []struct {
			name    string
			got     time.Duration
			percent int
		}{{"median", s.Median, 50}, {"p95", s.P95, 95}} {
			want := values[(n*q.percent+99)/100-1]
			if diff := max(int64(q.got)-want, want-int64(q.got)); diff*10 > want {
				t.Errorf("%d values: %s %d, want %d within a tenth", n, q.name, q.got, want)
			}
		}
	}
}

func TestHistogramEdges(t *testing.T) {
	var h Histogram
	if s := h.Spread(); s.Count != 0 || s.Median != 0 || s.P95 != 0 || s.Max != 0 {
		t.Errorf("an empty histogram has the spread %+v", s)
	}
	h.Add(-5)
	h.Add(1<<63 - 1)
	if s := h.Spread(); s.Count != 2 || s.Median != 0 || s.Max != 1<<63-1 {
		t.Errorf("spread %+v", s)
	}
	for bucket, before := 0, int64(-1); bucket < 60*subBuckets; bucket++ {
		middle := middleOf(bucket)
		if middle <= before || bucketOf(middle) != bucket {
			t.Fatalf("bucket %d has the middle %d, which is in bucket %d", bucket, middle, bucketOf(middle))
		}
		before = middle
	}
}
