package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
)

// hang is a wait that only a hang reaches.
const hang = 5 * time.Minute

const readToken = "fpt_reads_everything"

func settings(t *testing.T) *config.Config {
	return &config.Config{
		Data: t.TempDir(),
		Apps: []config.App{{Name: "shop", Keys: []string{"shop-key-1"}, Origins: []string{"*"}}, {Name: "blog", Keys: []string{"blog-key-1"}}},
		Tokens: []config.Token{
			{Text: readToken, Read: true}, {Text: "fpt_reads_the_blog", Read: true, Apps: []string{"blog"}}, {Text: "fpt_uploads_only", Upload: true},
		},
	}
}

// opened is a collector with a store in memory. change changes what it is made of.
func opened(t *testing.T, o Options, change func(*parts)) *Server {
	t.Helper()
	if o.Store == nil {
		o.Store = memory.New()
	}
	s := must.Get(Open(t.Context(), settings(t), o))(t)
	t.Cleanup(func() { must.Do(t, s.Close()) })
	if change != nil {
		change(&s.parts)
		s.handler = s.routes()
	}
	return s
}

// running is one that serves; ended is its end.
func running(t *testing.T, s *Server) (url string, stop func(), ended chan error) {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	var serving sync.WaitGroup
	serving.Go(func() { ended <- s.Run(ctx, l) })
	t.Cleanup(func() { cancel(); serving.Wait() })
	return "http://" + l.Addr().String(), cancel, ended
}

func get(t *testing.T, h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func says(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) })
}

func TestRoutes(t *testing.T) {
	s := opened(t, Options{}, func(p *parts) { p.ingest, p.api, p.ui = says("ingest"), says("api"), says("ui") })
	for path, want := range map[string]string{
		"/": "ui", "/ui/app.js": "ui", "/api/v1/apps": "api", "/api/v1/files/1.2/a/b.js.map": "api", "/healthz": "ok\n", "/readyz": "ready\n",
		"/v1/profiles": "ingest", "/v1development/profiles": "ingest", "/api/4711/envelope/": "ingest", "/api/v2/profile": "ingest", "/v1/datadog": "ingest",
		"/uix": "ingest", "/nothing": "ingest",
	} {
		if got := get(t, s.Handler(), path); got.Body.String() != want || got.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
}

// The metrics are for tokens that read everything.
func TestMetricsNeedAToken(t *testing.T) {
	s := opened(t, Options{Version: "1.2.3"}, nil)
	for _, header := range []string{"", "Bearer ", "Bearer fpt_uploads_only", "Bearer fpt_reads_the_blog", "Bearer shop-key-1", readToken, "Bearer " + readToken + "x"} {
		if got := get(t, s.Handler(), "/metrics", "Authorization", header); got.Code != http.StatusUnauthorized || strings.Contains(got.Body.String(), "go_goroutines") {
			t.Errorf("%q: %d", header, got.Code)
		}
	}
	get(t, s.Handler(), "/v1/profiles")
	got := get(t, s.Handler(), "/metrics", "Authorization", "Bearer "+readToken).Body.String()
	for _, want := range []string{`fieldprof_build_info{version="1.2.3"} 1`, "go_goroutines", "process_resident_memory_bytes", `fieldprof_http_requests_total{code=`, "fieldprof_http_request_seconds_bucket", "fieldprof_http_panics_total 0"} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s", want)
		}
	}
	if got := get(t, s.privateRoutes(), "/metrics"); got.Code != http.StatusOK {
		t.Errorf("a place of their own: %d", got.Code)
	}
}

// Tokens are not found by trying them on the metrics: wrong ones count as wrong tokens of the API do.
func TestMetricsLimitGuesses(t *testing.T) {
	now := time.Unix(1e9, 0)
	s := opened(t, Options{Now: func() time.Time { return now }}, nil)
	ask := func(path, token string) int { return get(t, s.Handler(), path, "Authorization", "Bearer "+token).Code }
	for i := range 10 {
		if code := ask("/metrics", "guess"); code != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i, code)
		}
	}
	for _, path := range []string{"/metrics", "/api/v1/apps"} {
		if code := ask(path, readToken); code != http.StatusTooManyRequests {
			t.Errorf("%s after ten guesses: %d", path, code)
		}
	}
	now = now.Add(time.Minute)
	if code := ask("/metrics", readToken); code != http.StatusOK {
		t.Errorf("a minute later: %d", code)
	}
	if text := get(t, s.privateRoutes(), "/metrics").Body.String(); !strings.Contains(text, "fieldprof_api_denied_total 12") {
		t.Error("the guesses are not counted")
	}
}

// A panic ends one request, and is reported to the operator only.
func TestPanicIsContained(t *testing.T) {
	var log bytes.Buffer
	s := opened(t, Options{Log: slog.New(slog.NewJSONHandler(&log, nil))}, func(p *parts) {
		p.ingest = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret detail") })
		p.api = says("api")
	})
	got := get(t, s.Handler(), "/v1/profiles")
	if got.Code != http.StatusInternalServerError || strings.Contains(got.Body.String(), "secret") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	if !strings.Contains(log.String(), "secret detail") || !strings.Contains(log.String(), "server_test.go") {
		t.Errorf("the log says %s", log.String())
	}
	if got := get(t, s.Handler(), "/api/v1/apps"); got.Body.String() != "api" {
		t.Error(got.Body)
	}
	metrics := get(t, s.privateRoutes(), "/metrics").Body.String()
	for _, want := range []string{"fieldprof_http_panics_total 1", `fieldprof_http_requests_total{code="500",part="ingest"} 1`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("there is no %s", want)
		}
	}
}

// faulty is a store that says that it is not ready.
type faulty struct{ store.Store }

func (faulty) Ready(context.Context) error { return errors.New("no route to 10.1.2.3") }

func TestNotReady(t *testing.T) {
	s := opened(t, Options{Store: faulty{memory.New()}}, nil)
	if got := get(t, s.Handler(), "/readyz"); got.Code != http.StatusServiceUnavailable || strings.Contains(got.Body.String(), "10.1.2.3") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
	if got := get(t, s.Handler(), "/healthz"); got.Code != http.StatusOK {
		t.Error("a restart would not help: the process is healthy")
	}
}

// However many ask, the store is asked once a second.
func TestReadinessIsRemembered(t *testing.T) {
	var r readiness
	now, asked, answer := time.Unix(1e9, 0), 0, errors.New("away")
	get := func() error {
		return r.get(now, func(context.Context) error { asked++; return answer })
	}
	for range 100 {
		if get() != answer {
			t.Error("it was away")
		}
	}
	answer = nil
	now = now.Add(time.Second)
	for range 100 {
		if get() != nil {
			t.Error("it is there again")
		}
	}
	if asked != 2 {
		t.Errorf("it was asked %d times", asked)
	}
}

func TestOneCollectorPerFolder(t *testing.T) {
	c := settings(t)
	first := must.Get(Open(t.Context(), c, Options{Store: memory.New()}))(t)
	if _, err := Open(t.Context(), c, Options{Store: memory.New()}); err == nil || !strings.Contains(err.Error(), "another collector uses "+c.Data) {
		t.Error(err)
	}
	must.Do(t, first.Close())
	must.Do(t, must.Get(Open(t.Context(), c, Options{Store: memory.New()}))(t).Close())
}

// Requests that have begun are finished at the end, and none begin any more.
func TestEnd(t *testing.T) {
	began, finish := make(chan bool), make(chan bool)
	s := opened(t, Options{Drain: hang}, func(p *parts) {
		p.ingest = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { close(began); <-finish; io.WriteString(w, "kept") })
	})
	url, stop, ended := running(t, s)
	answered := make(chan string)
	go func() {
		response, err := http.Post(url+"/v1/profiles", "text/plain", strings.NewReader("x"))
		if err != nil {
			answered <- err.Error()
			return
		}
		text, _ := io.ReadAll(response.Body)
		answered <- string(text)
	}()
	<-began
	stop()
	for deadline := time.Now().Add(hang); ; { // until it does not listen any more
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			break
		}
		conn.Close()
		if time.Now().After(deadline) {
			t.Fatal("it still listens")
		}
	}
	if got := get(t, s.Handler(), "/readyz"); got.Code != http.StatusServiceUnavailable {
		t.Error("it is ready for more")
	}
	close(finish)
	if got := <-answered; got != "kept" {
		t.Errorf("the request that had begun got %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Requests that do not finish in time are cut off.
func TestEndIsBounded(t *testing.T) {
	began := make(chan bool)
	s := opened(t, Options{Drain: time.Millisecond}, func(p *parts) {
		p.ingest = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { close(began); <-r.Context().Done() })
	})
	url, stop, ended := running(t, s)
	go http.Get(url + "/v1/profiles")
	<-began
	stop()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "not finished in time") {
		t.Error(err)
	}
}

// Behind a proxy the address is what the proxy added; without one no header is believed.
func TestAddress(t *testing.T) {
	for _, c := range []struct {
		trust bool
		said  []string
		want  string
	}{
		{false, nil, "192.0.2.1"}, {false, []string{"6.6.6.6"}, "192.0.2.1"}, {true, nil, "192.0.2.1"}, {true, []string{"6.6.6.6, 198.51.100.7"}, "198.51.100.7"},
		{true, []string{"6.6.6.6", "198.51.100.7:443"}, "198.51.100.7"}, {true, []string{"6.6.6.6,"}, "192.0.2.1"},
	} {
		s := &Server{config: &config.Config{TrustProxy: c.trust}}
		r := httptest.NewRequest(http.MethodGet, "/", nil) // from 192.0.2.1
		r.Header["X-Forwarded-For"] = c.said
		if got := s.address(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
