package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/connections"
)

// Options are what a configuration does not say.
type Options struct {
	Log     *slog.Logger     // nil: none
	Version string           // of the program, for a metric
	Store   store.Store      // instead of the one that the configuration names; Close closes it
	AddKeys bool             // give a configuration without apps or tokens those in the folder of data
	Now     func() time.Time // nil: time.Now
	// Drain is how long Run may take to end.
	Drain time.Duration // default 25 s, less than most supervisors wait
	// Patience is how long a request may make the collector wait for its next bytes.
	Patience time.Duration // default 10 s
}

// Server is a collector.
type Server struct {
	config    *config.Config
	options   Options
	metrics   *metrics
	guard     *guard
	limit     *connections.Limit
	parts     parts
	handler   http.Handler
	tls       *tls.Config  // nil: HTTP
	aside     net.Listener // for those who watch the collector; nil: none
	madeKeys  bool
	draining  atomic.Bool
	unready   atomic.Bool // as it was last told
	readiness readiness
	closers   []func(context.Context) error // the last one opened is the first to be closed
}

// Open opens what a collector needs. It fills in the defaults of the configuration.
func Open(ctx context.Context, c *config.Config, o Options) (*Server, error) {
	c.SetDefaults()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Drain == 0 {
		o.Drain = 25 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	s := &Server{config: c, options: o, metrics: newMetrics(o.Version)}
	s.guard = newGuard(c.Memory, s.metrics)
	s.limit = &connections.Limit{Most: maxConnections, Refused: s.metrics.refused.Inc}
	if !c.TrustProxy { // all connections are the proxy's
		s.limit.PerAddress = maxPerAddress
	}
	if err := s.open(ctx); err != nil {
		if s.madeKeys { // nobody has seen them: the start that succeeds is the first
			err = errors.Join(err, os.Remove(filepath.Join(c.Data, config.KeysFile)))
		}
		return nil, errors.Join(err, s.Close())
	}
	s.handler = s.routes()
	return s, nil
}

func (s *Server) open(ctx context.Context) error {
	if err := s.config.MakeFolder(); err != nil {
		return err
	}
	unlock, err := lock(s.config.Data)
	if err != nil {
		return err
	}
	s.closers = append(s.closers, func(context.Context) error { return unlock() })
	if err := s.openPlaces(); err != nil {
		return err
	}
	return s.openParts(ctx)
}

// openPlaces opens what Run needs, so that a server that was opened can be run.
func (s *Server) openPlaces() (err error) {
	if s.config.Cert != "" {
		keeper := &certificateKeeper{cert: s.config.Cert, key: s.config.Key, now: s.options.Now, log: s.options.Log}
		if _, err := keeper.get(nil); err != nil {
			return err
		}
		s.tls = &tls.Config{GetCertificate: keeper.get, MinVersion: tls.VersionTLS12}
	}
	if s.config.Metrics == "" {
		return nil
	}
	if s.aside, err = net.Listen("tcp", s.config.Metrics); err != nil {
		return fmt.Errorf("metrics: %w: choose another place with --metrics", err)
	}
	s.closers = append(s.closers, func(context.Context) error {
		if err := s.aside.Close(); !errors.Is(err, net.ErrClosed) { // it is closed if it served
			return err
		}
		return nil
	})
	return nil
}

// MadeKeys says whether Open made the keys in the folder of data, which it does at the first start.
func (s *Server) MadeKeys() bool { return s.madeKeys }

// Handler is everything that the collector answers.
func (s *Server) Handler() http.Handler { return s.handler }

// Metrics are the collector's.
func (s *Server) Metrics() prometheus.Gatherer { return s.metrics.registry }

// Close stores what is in the spool, and closes everything. It may take as long as Run may
// take to end.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), s.options.Drain)
	defer cancel()
	return s.close(ctx)
}

func (s *Server) close(ctx context.Context) error {
	var all error
	for len(s.closers) > 0 {
		last := len(s.closers) - 1
		closer := s.closers[last]
		s.closers = s.closers[:last]
		all = errors.Join(all, closer(ctx))
	}
	return all
}
