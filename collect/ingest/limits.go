package ingest

import (
	"crypto/rand"
	"hash/maphash"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// burst is how many requests may come at once: those of two seconds.
func burst(perSecond float64) int { return int(math.Ceil(max(1, 2*perSecond))) }

// withinRates says whether a request exceeds the rate of its address or its app.
func (h *handler) withinRates(req *request) error {
	now := req.received
	if wait := h.addresses.wait(h.addressOf(req.http), req.app, now); wait > 0 {
		return &refusal{http.StatusTooManyRequests, "address-rate", "too many requests from this address", wait}
	}
	if wait := reserve(req.app.rate, now); wait > 0 {
		return &refusal{http.StatusTooManyRequests, "app-rate", "too many requests of this app", wait}
	}
	return nil
}

// reserve takes a request from a limiter, or says how long to wait for one.
func reserve(l *rate.Limiter, now time.Time) time.Duration {
	r := l.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// mostAddresses bounds the table of addresses. If it is full the oldest half is forgotten.
const mostAddresses = 1 << 16

// addresses limits the rate of each address of an app. It knows them only as hashes with a salt of
// this process, and only as long as their rate matters.
type addresses struct {
	mu    sync.Mutex
	seed  maphash.Seed
	salt  [16]byte
	young map[uint64]*rate.Limiter
	old   map[uint64]*rate.Limiter
}

func newAddresses() *addresses {
	a := &addresses{seed: maphash.MakeSeed(), young: map[uint64]*rate.Limiter{}}
	rand.Read(a.salt[:])
	return a
}

func (t *addresses) wait(address string, a *app, now time.Time) time.Duration {
	var h maphash.Hash
	h.SetSeed(t.seed)
	h.Write(t.salt[:])
	h.WriteString(a.Name)
	h.WriteByte(0)
	h.WriteString(address)
	key := h.Sum64()
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.young[key]
	if l == nil {
		if l = t.old[key]; l == nil {
			l = rate.NewLimiter(rate.Limit(a.limits.PerAddress), burst(a.limits.PerAddress))
		}
		if len(t.young) >= mostAddresses/2 {
			t.old, t.young = t.young, map[uint64]*rate.Limiter{}
		}
		t.young[key] = l
	}
	return reserve(l, now)
}

// addressOf is the address of a request: of IPv6 the network, since a client has all of it.
func (h *handler) addressOf(r *http.Request) string {
	text := r.RemoteAddr
	if forwarded := r.Header.Values("X-Forwarded-For"); h.TrustProxy && len(forwarded) > 0 {
		last := forwarded[len(forwarded)-1]
		text = strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:]) // the proxy's own entry
	}
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	ip := net.ParseIP(text)
	switch {
	case ip == nil:
		return ""
	case ip.To4() != nil:
		return string(ip.To4())
	}
	return string(ip.Mask(net.CIDRMask(64, 128)))
}
