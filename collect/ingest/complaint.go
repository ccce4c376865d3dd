package ingest

import (
	"sync"
	"time"
)

// complainEvery is how far lines are apart that say why requests are not taken in. On a full disk there are thousands of
// these requests in a second, and a line for each would fill what room comes.
const complainEvery = 10 * time.Second

// complaints are when the last line was written, and how many requests had none since.
type complaints struct {
	mu     sync.Mutex
	at     time.Time
	unsaid int
}

// complain says why a request is not taken in, unless another line has just said so.
func (h *handler) complain(req *request, why error) {
	h.complaints.mu.Lock()
	defer h.complaints.mu.Unlock()
	if since := req.received.Sub(h.complaints.at); since >= 0 && since < complainEvery {
		h.complaints.unsaid++
		return
	}
	h.Log.Warn("a request was not taken in", "app", req.app.Name, "error", why, "others", h.complaints.unsaid)
	h.complaints.at, h.complaints.unsaid = req.received, 0
}
