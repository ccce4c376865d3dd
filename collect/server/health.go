package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// addHealth adds what supervisors and load balancers ask.
func (s *Server) addHealth(mux *http.ServeMux) {
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) {
		err := s.ready()
		switch was := s.unready.Swap(err != nil); { // whoever asks does so every few seconds
		case err != nil && !was:
			s.options.Log.Warn("not ready", "error", err)
		case err == nil && was:
			s.options.Log.Info("ready again")
		}
		if err != nil {
			http.Error(w, "not ready", http.StatusServiceUnavailable) // the reason may name hosts
			return
		}
		fmt.Fprintln(w, "ready")
	})
}

// ready says why the collector should get no requests.
func (s *Server) ready() error {
	if s.draining.Load() {
		return errors.New("ending")
	}
	return s.readiness.get(s.options.Now(), s.parts.ready)
}

// readiness remembers for a second whether the store can be written. Anybody may ask, and
// finding out is a write to a disk.
type readiness struct {
	mu    sync.Mutex
	until time.Time
	err   error
}

func (r *readiness) get(now time.Time, find func(context.Context) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Before(r.until) {
		return r.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r.err, r.until = find(ctx), now.Add(time.Second)
	return r.err
}
