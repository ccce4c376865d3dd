package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
)

// app is an app and what it uses at the moment.
type app struct {
	config.App
	limits config.Limits // with the defaults
	// examplesPerRoute is how many chunks of a route are kept whole in an hour.
	examplesPerRoute int
	keys             [][sha256.Size]byte
	custom           map[string]string // label by the name that pages give it
	rate             *rate.Limiter

	inside   chan struct{} // a place for each request
	decoders chan struct{} // for each that is decoded
	large    chan struct{} // for a large one that is, or waits for handler.large
	held     atomic.Int64  // bytes of bodies

	caps     caps
	examples examples
}

// mostInside is how many requests an app may have at once.
const mostInside = 512

// Bodies beyond these are large, in bytes: of all apps, one is decoded at a time, and each app has
// one that waits for that.
const (
	largeSent  = 256 << 10
	largePlain = 4 << 20
)

func newApp(c *config.App) *app {
	a := &app{App: *c, limits: withDefaults(c.Limits), examplesPerRoute: 10, custom: map[string]string{},
		inside: make(chan struct{}, mostInside), decoders: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), large: make(chan struct{}, 1)}
	if n := c.Limits.ExamplesPerRoute; n != nil {
		a.examplesPerRoute = *n
	}
	a.rate = rate.NewLimiter(rate.Limit(a.limits.PerSecond), burst(a.limits.PerSecond))
	for _, key := range c.Keys {
		a.keys = append(a.keys, sha256.Sum256([]byte(key)))
	}
	for _, name := range c.Labels {
		name = strings.TrimPrefix(name, customPrefix)
		a.custom[name] = customPrefix + name
	}
	a.caps.names = slices.Concat(record.Known, slices.Collect(maps.Values(a.custom)))
	return a
}

func withDefaults(l config.Limits) config.Limits {
	return config.Limits{
		PerSecond: cmp.Or(l.PerSecond, 1000), PerAddress: cmp.Or(l.PerAddress, 20),
		Body: cmp.Or(l.Body, 4<<20), Unzipped: cmp.Or(l.Unzipped, 32<<20),
		Frames: cmp.Or(l.Frames, 100_000), Depth: cmp.Or(l.Depth, 1000),
		Values: cmp.Or(l.Values, 200), Series: cmp.Or(l.Series, 20_000),
	}
}

// appOf finds the app of a key; nil if there is none. It compares all keys in the same time.
func (h *handler) appOf(key string) (found *app) {
	sum := sha256.Sum256([]byte(key))
	for _, a := range h.apps {
		for i := range a.keys {
			if subtle.ConstantTimeCompare(sum[:], a.keys[i][:]) == 1 {
				found = a
			}
		}
	}
	return found
}

// keyOf is the key of a request, where the senders of each format put it.
func keyOf(r *http.Request, query url.Values) string {
	sentry := ""
	for field := range strings.FieldsFuncSeq(r.Header.Get("X-Sentry-Auth"), func(c rune) bool { return c == ' ' || c == ',' }) {
		if key, ok := strings.CutPrefix(field, "sentry_key="); ok {
			sentry = key
		}
	}
	return cmp.Or(query.Get("key"), r.Header.Get("X-Fieldprof-Key"), query.Get("sentry_key"), sentry,
		query.Get("dd-api-key"), r.Header.Get("DD-API-KEY"), r.Header.Get("DD-CLIENT-TOKEN"))
}

// allows says whether pages of an origin may send. A request of no page has none.
func (a *app) allows(origin string) bool {
	return origin == "" || slices.Contains(a.Origins, "*") || slices.Contains(a.Origins, origin)
}

// enter takes a place for a request; leave gives it back.
func (a *app) enter() bool {
	select {
	case a.inside <- struct{}{}:
		return true
	default:
		return false
	}
}

// busy is the refusal of a request that finds no place.
func busy() error {
	return &refusal{http.StatusServiceUnavailable, "busy", "too many requests of this app at once", time.Second}
}

func (a *app) leave() { <-a.inside }

// turn waits for a place in each of several rooms, one after the other; leave gives them back.
func turn(ctx context.Context, rooms ...chan struct{}) (leave func(), err error) {
	entered := 0
	leave = func() {
		for _, room := range rooms[:entered] {
			<-room
		}
	}
	for _, room := range rooms {
		select {
		case room <- struct{}{}:
			entered++
		case <-ctx.Done():
			leave()
			return nil, busy()
		}
	}
	return leave, nil
}
