package server

import (
	"context"
	"net/http"
	"os"
	"runtime/debug"
	sampling "runtime/metrics"
	"sync/atomic"
	"time"
)

// guard keeps the process within its memory. The garbage collector works harder the closer
// the process gets to the limit; if what is in use nears it anyway, requests that write
// are refused until there is room again. Senders try again later.
type guard struct {
	limit   int64
	metrics *metrics
	inUse   func() int64 // bytes that the last collection found in use
	full    atomic.Bool
}

// Shares of the limit at which refusing begins, and ends.
const (
	refuseAbove = 0.8
	acceptBelow = 0.7
)

func newGuard(limit int64, m *metrics) *guard {
	return &guard{limit: limit, metrics: m, inUse: liveBytes}
}

func liveBytes() int64 {
	sample := []sampling.Sample{{Name: "/gc/heap/live:bytes"}}
	sampling.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// run watches until ctx ends.
func (g *guard) run(ctx context.Context) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(g.limit)
	}
	every := time.NewTicker(200 * time.Millisecond)
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
	share := float64(g.inUse()) / float64(g.limit)
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
