package coordinator

import (
	"math/bits"
	"sync/atomic"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Histogram counts delays in buckets of logarithmic width, eight per power of two, so
// that a percentile is right to within a tenth. It allocates nothing, and many
// goroutines may add to it.
type Histogram struct {
	buckets [64 * subBuckets]atomic.Int64
	largest atomic.Int64
}

const (
	subBits    = 3
	subBuckets = 1 << subBits
)

// Add counts one delay, in nanoseconds.
func (h *Histogram) Add(ns int64) {
	ns = max(ns, 0)
	h.buckets[bucketOf(ns)].Add(1)
	for {
		largest := h.largest.Load()
		if ns <= largest || h.largest.CompareAndSwap(largest, ns) {
			return
		}
	}
}

func bucketOf(ns int64) int {
	if ns < subBuckets {
		return int(ns)
	}
	exponent := bits.Len64(uint64(ns)) - 1 - subBits
	return (exponent+1)*subBuckets + int(ns>>exponent)&(subBuckets-1)
}

// middleOf returns the middle of a bucket.
func middleOf(bucket int) int64 {
	if bucket < subBuckets {
		return int64(bucket)
	}
	exponent := bucket/subBuckets - 1
	return int64(subBuckets+bucket%subBuckets)<<exponent + int64(1)<<exponent/2
}

// Spread summarizes the delays.
func (h *Histogram) Spread() profile.Spread {
	var s profile.Spread
	for i := range h.buckets {
		s.Count += h.buckets[i].Load()
	}
	s.Max = time.Duration(h.largest.Load())
	s.Median = h.percentile(s.Count, 50)
	s.P95 = h.percentile(s.Count, 95)
	return s
}

func (h *Histogram) percentile(count, percent int64) time.Duration {
	rank, seen := (count*percent+99)/100, int64(0)
	for i := range h.buckets {
		if seen += h.buckets[i].Load(); seen >= rank && seen > 0 {
			return time.Duration(min(middleOf(i), h.largest.Load()))
		}
	}
	return 0
}
