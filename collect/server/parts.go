package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
)

// parts are what the collector is made of.
type parts struct {
	store           store.Store
	ingest, api, ui http.Handler
	ready           func(context.Context) error
}

// openParts opens the parts from the ground up.
func (s *Server) openParts(ctx context.Context) error {
	kept := s.options.Store
	if kept == nil {
		var err error
		if kept, err = openStore(ctx, s.config); err != nil {
			return err
		}
	}
	s.parts.store = kept
	s.closers = append(s.closers, func(context.Context) error { return kept.Close() })
	s.parts.ready = kept.Ready
	s.parts.ingest, s.parts.api, s.parts.ui = http.NotFoundHandler(), http.NotFoundHandler(), http.NotFoundHandler()
	return nil
}

// openStore opens the store that a configuration names.
func openStore(ctx context.Context, c *config.Config) (store.Store, error) {
	scheme, _, _ := strings.Cut(c.Store, ":")
	switch scheme {
	case "sqlite":
		return memory.New(), nil
	}
	return nil, fmt.Errorf("no store %s", scheme)
}
