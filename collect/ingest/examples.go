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
	tries        int   // chunks that were too large
	before, busy int64 // the busiest of the window before, and of this one
}

// mostRoutes bounds the table of an hour. mostTries bounds the chunks of a window that are encoded only to find
// them too large: a route whose chunks all are has no example.
const (
	mostRoutes = 2000
	mostTries  = 3
)

// want says whether a chunk is to be an example. If it cannot be one, giveBack lets another be it.
func (e *examples) want(c *record.Chunk, perHour int, now time.Time) (wanted bool, giveBack func()) {
	if perHour <= 0 || c.Profile == nil {
		return false, nil
	}
	busy := record.BusyTicks(c.Profile)
	if c.Interval > 0 { // one that claims an hour would keep all others out
		busy = min(busy, int64(time.Minute/c.Interval))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if hour := now.Unix() / 3600; hour != e.hour || e.routes == nil {
		e.hour, e.routes = hour, map[[2]string]*window{}
	}
	key := routeKey(c)
	w := e.routes[key]
	if w == nil {
		if len(e.routes) >= mostRoutes {
			return false, nil
		}
		w = &window{number: -1}
		e.routes[key] = w
	}
	if number := int(now.Unix() % 3600 * int64(perHour) / 3600); number != w.number {
		*w = window{number: number, before: w.busy}
	}
	w.busy = max(w.busy, busy)
	if w.taken || busy == 0 || 2*busy < w.before {
		return false, nil
	}
	w.taken = true
	number := w.number
	return true, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if w.number == number { // the window is not over
			w.tries++
			w.taken = w.tries >= mostTries
		}
	}
}

func routeKey(c *record.Chunk) [2]string {
	return [2]string{c.Labels[record.Release], c.Labels[record.Route]}
}
