package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile/format"
)

// Options say who may send what, and where it goes.
type Options struct {
	Apps []config.App
	// Accept returns once the chunks are durable. After an error the sender should try again.
	Accept  func(context.Context, []*record.Chunk) error
	Metrics prometheus.Registerer // nil: none
	Log     *slog.Logger          // nil: none
	Now     func() time.Time      // nil: time.Now
	// TrustProxy says that X-Forwarded-For names the address.
	TrustProxy bool
}

// New makes the handler of all endpoints that write:
//
//	POST /v1/profiles                 envelopes, traces, pprof, OTLP
//	POST /v1development/profiles      OTLP
//	POST /api/{project}/envelope/     Sentry's SDKs
//	POST /api/v2/{track}              Datadog's SDKs, and GET /api/v2/profiling/quota
//	any  /v1/datadog?ddforward=…      the same, through the SDK's option proxy
//
// and OPTIONS for each.
func New(o Options) http.Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := &handler{Options: o, addresses: newAddresses(), metrics: newMetrics(o.Metrics), large: make(chan struct{}, 1)}
	for i := range o.Apps {
		h.apps = append(h.apps, newApp(&o.Apps[i]))
	}
	return h
}

type handler struct {
	Options
	apps       []*app
	addresses  *addresses
	metrics    *metrics
	large      chan struct{} // a place for the large body that is decoded
	complaints complaints
}

// endpoint is what happens to the requests of a path.
type endpoint struct {
	source string // in metrics
	method string
	// decode makes messages of the body; nil: the request is answered and dropped.
	decode func(*request) ([]*message, error)
	// answer writes the acknowledgement; nil: 202 without a body.
	answer func(*request, http.ResponseWriter)
}

// request is a request that was admitted.
type request struct {
	http     *http.Request
	query    url.Values
	app      *app
	received time.Time
	body     []byte // unzipped
	most     int64  // bytes that it may have, with what is compressed inside
	reply    string // what the acknowledgement names, if the format wants it
	spelled  int64  // frames of the stacks that were read, spelled out
}

// endpointOf finds the endpoint of a path; nil if there is none.
func endpointOf(path string) *endpoint {
	switch {
	case path == "/v1/profiles":
		return &endpoint{"fieldprof", http.MethodPost, decodeAny, nil}
	case path == "/v1development/profiles":
		return &endpoint{"otlp", http.MethodPost, decodeOTLP, answerOTLP}
	case path == quotaPath:
		return &endpoint{"datadog", http.MethodGet, nil, answerQuota}
	case path == "/api/v2/profile":
		return &endpoint{"datadog", http.MethodPost, decodeDatadog, answerDatadog}
	case strings.HasPrefix(path, "/api/v2/"):
		return &endpoint{"datadog", http.MethodPost, nil, answerDatadog}
	case isSentry(path):
		return &endpoint{"sentry", http.MethodPost, decodeSentry, answerSentry}
	}
	return nil
}

// ServeHTTP answers a request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, query := r.URL.Path, r.URL.Query()
	if path == proxyPath {
		path, query = forwarded(query)
	}
	e := endpointOf(path)
	if e == nil {
		h.refuse(w, r, "", "", refused(http.StatusNotFound, "path", "nothing is received at this path"))
		return
	}
	req := &request{http: r, query: query, received: h.Now()}
	key := keyOf(r, query)
	req.app = h.appOf(key)
	h.allowOrigin(w, req, key)
	if r.Method == http.MethodOptions {
		h.preflight(w)
		return
	}
	name, err := "", error(nil)
	if req.app != nil {
		name = req.app.Name
		err = h.serve(w, req, e)
	} else {
		err = refused(http.StatusUnauthorized, "key", "the key is missing or unknown: it belongs in ?key= or in the header X-Fieldprof-Key")
	}
	if err != nil {
		h.refuse(w, r, name, e.source, err)
	}
}

// longest is how long a request may take once its body has arrived. How slowly it may arrive is
// the server's to say.
const longest = 30 * time.Second

func (h *handler) serve(w http.ResponseWriter, req *request, e *endpoint) error {
	r, a := req.http, req.app
	if r.Method != e.method {
		w.Header().Set("Allow", e.method+", OPTIONS")
		return refused(http.StatusMethodNotAllowed, "method", "only "+e.method+" is known here")
	}
	if !a.allows(r.Header.Get("Origin")) {
		return refused(http.StatusForbidden, "origin", "pages of this origin may not send to this app: add it to the app's origins")
	}
	if r.Header.Get("DNT") == "1" || r.Header.Get("Sec-GPC") == "1" {
		h.dropped(a, "do-not-track", 1)
		h.metrics.request(a.Name, e.source, "dropped")
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err := h.withinRates(req); err != nil {
		return err
	}
	if !a.enter() {
		return busy()
	}
	defer a.leave()
	if e.decode == nil {
		h.dropped(a, "not-a-profile", 1)
	} else if err := h.take(w, req, e); err != nil {
		return err
	}
	h.metrics.request(a.Name, e.source, "accepted")
	if e.answer == nil {
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	e.answer(req, w)
	return nil
}

// take reads and decodes a request, and returns when its content is durable.
func (h *handler) take(w http.ResponseWriter, req *request, e *endpoint) error {
	sent, release, err := h.read(w, req)
	defer release()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(req.http.Context(), longest)
	defer cancel()
	h.metrics.bytes.WithLabelValues(req.app.Name, "sent").Add(float64(sent.Len()))
	chunks, err := h.decode(ctx, req, e, sent)
	if err != nil || len(chunks) == 0 {
		return err
	}
	if err := h.Accept(ctx, chunks); err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			return refused(http.StatusRequestTimeout, "gone", "the sender did not wait for the answer") // which counts
		}
		h.complain(req, err)
		return &refusal{http.StatusServiceUnavailable, "full", "it cannot be stored now", 5 * time.Second}
	}
	return nil
}

// decode makes chunks of a body when it has its turn: only so many requests of an app are decoded
// at once, and of the large ones a single one. How long a content is shows when it is unzipped: one
// that turns out to be large begins again with the large ones.
func (h *handler) decode(ctx context.Context, req *request, e *endpoint, sent *buffer) (chunks []*record.Chunk, err error) {
	most := req.app.limits.Unzipped
	if sent.Len() <= largeSent {
		chunks, err = h.decodeOf(ctx, req, e, sent, min(most, largePlain), req.app.decoders)
		if !errors.Is(err, errLong) || most <= largePlain {
			return chunks, refusedIfLong(err, most)
		}
	}
	chunks, err = h.decodeOf(ctx, req, e, sent, most, req.app.large, h.large)
	return chunks, refusedIfLong(err, most)
}

// decodeOf decodes a body of at most so many bytes that has its turn in rooms.
func (h *handler) decodeOf(ctx context.Context, req *request, e *endpoint, sent *buffer, most int64, rooms ...chan struct{}) ([]*record.Chunk, error) {
	leave, err := turn(ctx, rooms...)
	if err != nil {
		return nil, err
	}
	defer leave()
	begun := time.Now()
	plain, err := unzip(req, sent, most)
	if err != nil {
		return nil, err
	}
	defer plain.free()
	req.body, req.most = plain.Bytes(), most
	h.metrics.bytes.WithLabelValues(req.app.Name, "unzipped").Add(float64(len(req.body)))
	messages, err := e.decode(req)
	if err != nil {
		return nil, err
	}
	var chunks []*record.Chunk
	for _, m := range messages {
		made, err := h.finish(req, m)
		if err != nil {
			return nil, err
		}
		chunks = append(chunks, made...)
	}
	h.metrics.decode.WithLabelValues(e.source).Observe(time.Since(begun).Seconds())
	return chunks, nil
}

// refusal is why a request is refused.
type refusal struct {
	status int
	reason string // in metrics
	text   string // for the sender
	retry  time.Duration
}

func (r *refusal) Error() string { return r.text }

func refused(status int, reason, text string) *refusal { return &refusal{status, reason, text, 0} }

// refuse answers a request that is not taken in.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, app, source string, err error) {
	var why *refusal
	var many *format.TooMany
	switch {
	case errors.As(err, &why):
	case errors.As(err, &many):
		why = refused(http.StatusRequestEntityTooLarge, "frames", err.Error())
	default:
		why = refused(http.StatusBadRequest, "format", err.Error())
	}
	h.metrics.request(app, source, why.reason)
	h.Log.Debug("a request was refused", "app", app, "path", clean(r.URL.Path, 100), "reason", why.reason, "error", clean(why.text, 300))
	if why.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(why.retry.Seconds()+0.999)))
	}
	answerJSON(w, why.status, map[string]string{"error": clean(why.text, 300), "reason": why.reason})
}

func answerJSON(w http.ResponseWriter, status int, content any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(content) // the sender may be gone
}

// dropped counts what is acknowledged and not kept.
func (h *handler) dropped(a *app, reason string, n int) {
	h.metrics.dropped.WithLabelValues(a.Name, reason).Add(float64(n))
}
