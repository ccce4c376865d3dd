package api

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds on the wrong tokens of an address.
const (
	guessesAtOnce = 10
	guessesEach   = 10 * time.Second // after that, the time between two
	maxAddresses  = 10_000
)

// guesses limits how often an address may try tokens. A token that has worked from an address keeps
// working there, so guessing does not lock out users on the same network.
type guesses struct {
	mu   sync.Mutex
	from map[string]*guesser
}

type guesser struct {
	limit *rate.Limiter
	right map[int]bool // tokens that have worked
}

func newGuesses() *guesses { return &guesses{from: map[string]*guesser{}} }

// check judges an attempt with a token, -1 if it is wrong.
func (g *guesses) check(address string, token int, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.of(networkOf(address))
	switch {
	case token >= 0 && at.right[token]:
	case at.limit.TokensAt(now) < 1: // refuses right tokens, too: otherwise guessing could go on
		return &problem{http.StatusTooManyRequests, "too many wrong tokens came from this address: wait a minute"}
	case token < 0:
		at.limit.AllowN(now, 1)
		return &problem{http.StatusUnauthorized, "the token is wrong, or the session is over: sign in again"}
	default:
		at.right[token] = true
	}
	return nil
}

func (g *guesses) of(network string) *guesser {
	at := g.from[network]
	if at == nil {
		if len(g.from) >= maxAddresses {
			g.forget()
		}
		at = &guesser{limit: rate.NewLimiter(rate.Every(guessesEach), guessesAtOnce), right: map[int]bool{}}
		g.from[network] = at
	}
	return at
}

// forget drops an arbitrary address. A sender with thousands of addresses has thousands of guesses
// anyway.
func (g *guesses) forget() {
	for network := range g.from {
		delete(g.from, network)
		return
	}
}

// networkOf returns the IPv4 address or, since one subscriber has all of it, the IPv6 network of
// 64 bits.
func networkOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return host
	}
	return network.String()
}
