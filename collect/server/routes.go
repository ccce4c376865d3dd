package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// routes is the handler of all requests. Sentry's and Datadog's paths begin like those of the
// API, so what is not one of ours by its whole prefix is for ingest to know.
func (s *Server) routes() http.Handler {
	ingest := s.metrics.measured("ingest", s.guard.writes(s.contained(s.parts.ingest)))
	api := s.metrics.measured("api", s.contained(s.parts.api))
	ui := s.metrics.measured("ui", s.contained(s.parts.ui))
	health := http.NewServeMux()
	s.addHealth(health)
	health.Handle("/metrics", s.readers(s.metricsHandler()))
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

// readers admits requests with a token that reads all apps.
func (s *Server) readers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		hash := sha256.Sum256([]byte(given))
		for _, token := range s.config.Tokens {
			// Hashes are as long as each other, so the comparison tells nothing about the token.
			want := sha256.Sum256([]byte(token.Text))
			if ok && token.Read && len(token.Apps) == 0 && subtle.ConstantTimeCompare(hash[:], want[:]) == 1 {
				next.ServeHTTP(w, r)
				return
			}
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "metrics need a token that reads all apps (Authorization: Bearer TOKEN), or a place of their own (--metrics)", http.StatusUnauthorized)
	})
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
