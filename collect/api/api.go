// Package api is the collector's HTTP API: it answers questions in JSON, exports profiles in every
// format, and accepts the files of releases. openapi.json describes it, and the tests check
// responses against that file.
//
// # Access
//
// A token admits to some apps, for reading or for uploading. Page keys admit to nothing here. The
// dashboard exchanges its token for a cookie that scripts cannot see and that can only read. Wrong
// tokens are counted by address, and an address that guesses too often has to wait.
//
// # Refusals
//
// The API refuses unknown parameters, ranges and limits that are too large, and file names other
// than plain relative paths. Each refusal says what is wrong, where, and what would be right.
// Everything that comes from pages is sent as JSON or as an attachment, never as markup.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Options say what the API serves.
type Options struct {
	Answers *answer.Service
	Store   store.Store
	Config  *config.Config
	// Budgets returns the budgets of an app as last checked; nil: no app has any.
	Budgets func(app string) []answer.BudgetRow
	// Address returns the address of the sender; nil: that of the connection. Behind a proxy it
	// must be the one that the proxy names.
	Address func(*http.Request) string
	Metrics prometheus.Registerer // nil: none
	Log     *slog.Logger          // nil: none
	Now     func() time.Time      // nil: time.Now
}

// api answers requests.
type api struct {
	Options
	tokens  *tokens
	metrics *metrics
	routes  map[string]*route

	// Places limit how much is done at a time; own has the places of each token.
	asking, receiving, storing chan struct{}
	own                        []chan struct{}
}

// Bounds on how much is done at a time. A question may need a whole processor and a few hundred
// megabytes. The bounds leave room for ingest, and half of the places for other tokens.
const (
	maxAsking    = 4
	maxOwn       = 2                // with one token
	maxReceiving = 4                // uploads
	maxStoring   = 1                // uploads
	patience     = 30 * time.Second // for an answer, including the wait for a place
)

// Handler answers everything below /api/v1/.
type Handler struct {
	http.Handler
	api *api
}

// New makes the handler.
func New(o Options) *Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Address == nil {
		o.Address = func(r *http.Request) string { return r.RemoteAddr }
	}
	a := &api{Options: o, tokens: newTokens(o.Config, o.Now), metrics: newMetrics(o.Metrics), routes: map[string]*route{},
		asking: make(chan struct{}, maxAsking), receiving: make(chan struct{}, maxReceiving), storing: make(chan struct{}, maxStoring)}
	for range o.Config.Tokens {
		a.own = append(a.own, make(chan struct{}, maxOwn))
	}
	mux := http.NewServeMux()
	for _, e := range a.endpoints() {
		r := a.routes[e.path]
		if r == nil {
			r = &route{api: a, path: e.path, methods: map[string]endpoint{}}
			a.routes[e.path] = r
			mux.Handle(root+e.path, r)
		}
		r.methods[e.method] = e
	}
	mux.HandleFunc(root+"/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, notFound("there is nothing at this address; %s/openapi.json lists what there is", root))
	})
	return &Handler{gzhttp.GzipHandler(plainPaths(mux)), a}
}

const root = "/api/v1"

// plainPaths refuses paths that a ServeMux would clean and redirect: an upload must not end up
// under another name than it was sent with.
func plainPaths(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers(w)
		if p := r.URL.EscapedPath(); path.Clean(p) != strings.TrimSuffix(p, "/") {
			fail(w, wrong("the path has empty segments, or . or ..: write it plainly"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// headers sets the headers of every response.
func headers(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// An endpoint answers one method of one path.
type endpoint struct {
	method, path string
	may          scope
	// takes lists the parameters that it accepts.
	takes []string
	serve func(*request) error
}

// request is an admitted request with its parameters.
type request struct {
	*http.Request
	*parameters
	ctx   context.Context
	api   *api
	w     http.ResponseWriter
	grant grant
}

// endpoints lists all endpoints.
func (a *api) endpoints() []endpoint {
	selected := []string{"app", "from", "to", "where", "slow"}
	with := func(more ...string) []string { return append(slices.Clone(selected), more...) }
	return []endpoint{
		{"GET", "/openapi.json", anybody, nil, serveOpenAPI},
		{"POST", "/session", anybody, nil, signIn},
		{"DELETE", "/session", anybody, nil, signOut},
		{"GET", "/apps", reading, nil, serveApps},
		{"GET", "/values", reading, selected, serveValues},
		{"GET", "/overview", reading, with("by"), serveOverview},
		{"GET", "/functions", reading, with("limit", "ignored"), serveFunctions},
		{"GET", "/profile", reading, with("format", "ignored", "deployed"), serveProfile},
		{"GET", "/diff", reading, with("before", "after", "before-from", "before-to", "limit", "format", "ignored", "deployed"), serveDiff},
		{"GET", "/trend", reading, with("name", "file", "line", "step"), serveTrend},
		{"GET", "/slices", reading, with("what", "name", "target", "limit"), serveSlices},
		{"GET", "/slices/{id}", reading, []string{"app"}, serveSlice},
		{"GET", "/slices/{id}/profile", reading, []string{"app", "format"}, serveSliceProfile},
		{"GET", "/examples", reading, with("limit"), serveExamples},
		{"GET", "/examples/{id}/profile", reading, []string{"app", "format"}, serveExampleProfile},
		{"GET", "/budgets", reading, []string{"app"}, serveBudgets},
		{"GET", "/files", readingOrUploading, []string{"app", "release"}, serveFiles},
		{"GET", "/files/{release}/{name...}", readingOrUploading, []string{"app"}, serveFile},
		{"PUT", "/files/{release}/{name...}", uploading, []string{"app"}, putFile},
		{"GET", "/grafana/flamegraph", reading, with("ignored"), grafanaFlame},
		{"GET", "/grafana/table", reading, with("by"), grafanaTable},
		{"GET", "/grafana/functions", reading, with("limit", "ignored"), grafanaFunctions},
		{"GET", "/grafana/timeseries", reading, with("measure", "name", "file", "line", "step"), grafanaSeries},
	}
}

// route is a path with its methods.
type route struct {
	api     *api
	path    string
	methods map[string]endpoint
}

// allowed is the value of the Allow header.
func (r *route) allowed() string {
	all := []string{"OPTIONS"}
	for method := range r.methods {
		all = append(all, method)
		if method == "GET" {
			all = append(all, "HEAD")
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// ServeHTTP finds the endpoint, and counts the request.
func (r *route) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	begun := r.api.Now()
	status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	defer func() { r.api.metrics.served(r.path, status.status, r.api.Now().Sub(begun)) }()
	method := q.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	e, known := r.methods[method]
	switch {
	case q.Method == http.MethodOptions:
		w.Header().Set("Allow", r.allowed())
		status.WriteHeader(http.StatusNoContent)
	case !known:
		w.Header().Set("Allow", r.allowed())
		fail(status, &problem{http.StatusMethodNotAllowed, "this address takes " + r.allowed()})
	default:
		if err := r.api.serve(status, q, e); err != nil {
			r.api.refuse(status, q, err)
		}
	}
}

// serve admits a request, reads its parameters and answers it.
func (a *api) serve(w http.ResponseWriter, q *http.Request, e endpoint) error {
	ctx, cancel := context.WithTimeout(q.Context(), patience)
	defer cancel()
	r := &request{Request: q, ctx: ctx, api: a, w: w}
	var err error
	if e.may != anybody {
		if r.grant, err = a.tokens.admit(q, a.Address(q), e.may); err != nil {
			a.metrics.denied()
			return err
		}
	}
	if r.parameters, err = readParameters(q.URL, e.takes); err != nil {
		return err
	}
	if e.may == reading {
		for _, places := range []chan struct{}{a.own[r.grant.token], a.asking} {
			done, err := enter(ctx, places)
			if err != nil {
				return err
			}
			defer done()
		}
	}
	return e.serve(r)
}

// reply writes an answer.
func (r *request) reply(answer any) error { return r.replyWith(http.StatusOK, answer) }

func (r *request) replyWith(status int, answer any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text) // which escapes <, > and &
	if err := encoder.Encode(answer); err != nil {
		return err
	}
	r.w.Header().Set("Content-Type", "application/json")
	r.w.WriteHeader(status)
	_, err := r.w.Write(text.Bytes())
	return gone(err)
}

// statusWriter remembers the status of a response.
type statusWriter struct {
	http.ResponseWriter
	status  int
	written bool
}

func (w *statusWriter) WriteHeader(status int) {
	if !w.written {
		w.status, w.written = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(b []byte) (int, error) {
	w.written = true
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
