package ingest

import (
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// examples chooses the chunks that are kept whole. An hour has as many windows as each route of a
// release has examples; in each, the first chunk that is at least half as busy as the busiest
// of the window before is an example.
type examples struct {
	mu     sync.Mutex
	hour   int64
	routes map[[2]string]*window
}

type window struct {
	number       int
	taken        bool
	before, busy int64 // the busiest of the window before, and of this one
}

// mostRoutes bounds the table of an hour.
const mostRoutes = 2000

func (e *examples) want(c *record.Chunk, perHour int, now time.Time) bool {
	if perHour <= 0 || c.Profile == nil {
		return false
	}
	busy := record.BusyTicks(c.Profile)
	e.mu.Lock()
	defer e.mu.Unlock()
	if hour := now.Unix() / 3600; hour != e.hour || e.routes == nil {
		e.hour, e.routes = hour, map[[2]string]*window{}
	}
	key := routeKey(c)
	w := e.routes[key]
	if w == nil {
		if len(e.routes) >= mostRoutes {
			return false
		}
		w = &window{number: -1}
		e.routes[key] = w
	}
	if number := int(now.Unix() % 3600 * int64(perHour) / 3600); number != w.number {
		*w = window{number: number, before: w.busy}
	}
	w.busy = max(w.busy, busy)
	if w.taken || busy == 0 || 2*busy < w.before {
		return false
	}
	w.taken = true
	return true
}

// giveBack lets another chunk be the example that this one was to be.
func (e *examples) giveBack(c *record.Chunk) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.routes[routeKey(c)]; w != nil {
		w.taken = false
	}
}

func routeKey(c *record.Chunk) [2]string {
	return [2]string{c.Labels[record.Release], c.Labels[record.Route]}
}
