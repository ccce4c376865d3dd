package server

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	sampling "runtime/metrics"
	"sync/atomic"
	"time"
)

// guard keeps the process within its memory. The garbage collector works harder the closer
// the process gets to the limit; if the memory in use nears it anyway, requests that write
// are refused until there is room again. Senders try again later.
type guard struct {
	limit   int64
	metrics *metrics
	inUse   func() inUse
	collect func()
	last    inUse
	old     int // looks that found the figure of the same collection
	full    atomic.Bool
}

// inUse is what the last collection of garbage found in use.
type inUse struct {
	bytes      int64
	collection uint64 // its number
}

// Shares of the limit at which refusing begins, and ends.
const (
	refuseAbove = 0.8
	acceptBelow = 0.7
)

// Looks are so far apart. While requests are refused, little is allocated, and the next collection could be
// minutes away: after so many looks at the same figure the guard collects.
const (
	lookEvery = 200 * time.Millisecond
	oldAfter  = 5
)

func newGuard(configured int64, m *metrics) *guard {
	return &guard{limit: memoryLimit(configured), metrics: m, inUse: live, collect: runtime.GC}
}

// memoryLimit is GOMEMLIMIT, which the runtime has read at the start, or else what is configured.
func memoryLimit(configured int64) int64 {
	if os.Getenv("GOMEMLIMIT") != "" {
		return debug.SetMemoryLimit(-1)
	}
	return configured
}

func live() inUse {
	sample := []sampling.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	sampling.Read(sample)
	return inUse{int64(sample[0].Value.Uint64()), sample[1].Value.Uint64()}
}

// run watches until ctx ends.
func (g *guard) run(ctx context.Context) {
	debug.SetMemoryLimit(g.limit)
	every := time.NewTicker(lookEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			g.look()
		}
	}
}

func (g *guard) look() {
	now := g.inUse()
	if g.old++; now.collection != g.last.collection || !g.full.Load() {
		g.old = 0
	}
	if g.old >= oldAfter {
		g.collect()
		now, g.old = g.inUse(), 0
	}
	g.last = now
	share := float64(now.bytes) / float64(g.limit)
	switch {
	case share > refuseAbove:
		g.full.Store(true)
	case share < acceptBelow:
		g.full.Store(false)
	}
}

// writes refuses requests while there is no room.
func (g *guard) writes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.full.Load() && r.Method == http.MethodPost {
			g.metrics.shed.Inc()
			w.Header().Set("Retry-After", "10")
			// Pages read the status only if they may.
			w.Header().Set("Access-Control-Allow-Origin", "*")
			http.Error(w, "the collector is short of memory: try again later", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}
