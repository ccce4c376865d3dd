package server

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// routes is the handler of all requests. Sentry's and Datadog's paths begin like those of the
// API, so a path that is not one of ours by its whole prefix is left to ingest.
func (s *Server) routes() http.Handler {
	ingest := s.metrics.measured("ingest", s.guard.writes(s.contained(s.parts.ingest)))
	api := s.metrics.measured("api", s.contained(s.parts.api))
	ui := s.metrics.measured("ui", s.contained(s.parts.ui))
	health := http.NewServeMux()
	s.addHealth(health)
	health.Handle("/metrics", s.parts.readers(s.metricsHandler()))
	return paced(s.options.Patience, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if s.limit.Open() > maxConnections/2 {
			w.Header().Set("Connection", "close") // make room for others
		}
		switch path := r.URL.Path; {
		case path == "/healthz" || path == "/readyz" || path == "/metrics":
			health.ServeHTTP(w, r)
		case path == "/" || strings.HasPrefix(path, "/ui/"):
			ui.ServeHTTP(w, r)
		case strings.HasPrefix(path, "/api/v1/"):
			api.ServeHTTP(w, r)
		default:
			ingest.ServeHTTP(w, r)
		}
	}))
}

func (s *Server) metricsHandler() http.Handler {
	return promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{})
}

// contained ends a request that panics, and only that one.
func (s *Server) contained(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			what := recover()
			if what == nil {
				return
			}
			if what == http.ErrAbortHandler {
				panic(what)
			}
			s.metrics.panics.Inc()
			s.options.Log.Error("a request panicked", "path", r.URL.Path, "panic", fmt.Sprint(what), "stack", string(debug.Stack()))
			if seen, ok := w.(*statusWriter); ok && !seen.written {
				http.Error(w, "the collector made a mistake", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}
