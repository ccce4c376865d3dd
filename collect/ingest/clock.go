package ingest

import "time"

// Bounds on when a chunk began, from when it was received.
const (
	latest   = 24 * time.Hour     // in the future
	earliest = 7 * 24 * time.Hour // in the past
	slack    = time.Minute        // that clocks may differ by
)

// placed is when a message began, by our clock. The page's may be wrong. Where the format says
// when the request was sent, its difference is known. Otherwise a chunk that ends in the future
// has ended now, and one from the past is believed for a week: it may have waited for a network.
func (h *handler) placed(req *request, m *message, observed time.Duration) time.Time {
	now := req.received.UTC()
	at := m.began.UTC()
	if m.skew.Abs() > slack {
		at = at.Add(-m.skew)
	}
	switch {
	case m.began.IsZero():
		return now
	case at.After(now.Add(latest)), at.Before(now.Add(-earliest)):
		h.dropped(req.app, "clock", 1)
		return now
	case at.Add(observed).After(now.Add(slack)):
		return now.Add(-min(observed, latest))
	}
	return at
}
