package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync"
	"time"
)

// Bounds on connections.
const (
	maxConnections = 8192
	maxPerAddress  = 512
)

// Run serves until ctx ends, then ends in order and closes the server. A nil error means that
// everything that had begun was finished.
func (s *Server) Run(ctx context.Context, listener net.Listener) error {
	main := s.server(s.handler)
	main.TLSConfig = s.tls
	servers, failed := []*http.Server{main}, make(chan error, 2)
	var serving sync.WaitGroup
	serving.Go(func() { failed <- serve(main, s.limit.Listen(listener)) })
	if s.aside != nil {
		private := s.server(s.privateRoutes())
		servers = append(servers, private)
		serving.Go(func() { failed <- serve(private, s.aside) })
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	serving.Go(func() { s.guard.run(background) })
	serving.Go(func() { s.maintain(background) })
	serving.Go(func() { s.parts.alerts.Run(background) })
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	s.options.Log.Info("ending", "within", s.options.Drain)
	s.draining.Store(true)
	ending, cancel := context.WithTimeout(context.Background(), s.options.Drain)
	defer cancel()
	finishing, finished := context.WithTimeout(ending, s.options.Drain/5*3) // the rest is for the spool
	defer finished()
	for _, server := range servers {
		if server.Shutdown(finishing) != nil {
			err = errors.Join(err, errors.New("some requests were not finished in time"), server.Close())
		}
	}
	stop()
	serving.Wait()
	return errors.Join(err, s.close(ending))
}

func serve(server *http.Server, l net.Listener) error {
	var err error
	if server.TLSConfig != nil {
		err = server.ServeTLS(l, "", "")
	} else {
		err = server.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// server is one with the bounds that hostile clients need. Bodies have their own (paced).
func (s *Server) server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: s.options.Patience,
		WriteTimeout:      5 * time.Minute,
		IdleTimeout:       15 * time.Second, // pages send once a minute
		MaxHeaderBytes:    64 << 10,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 64},
		ErrorLog:          slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug), // of connections; any client can fill it
	}
}

// privateRoutes are for clients that reach the place of the metrics.
func (s *Server) privateRoutes() http.Handler {
	mux := http.NewServeMux()
	s.addHealth(mux)
	mux.Handle("/metrics", s.metricsHandler())
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	return mux
}

// maintain lets the store keep house until ctx ends.
func (s *Server) maintain(ctx context.Context) {
	every := time.NewTicker(time.Minute)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		if err := s.parts.store.Maintain(ctx, s.options.Now()); err != nil && ctx.Err() == nil {
			s.metrics.failures.WithLabelValues("maintain").Inc()
			s.options.Log.Error("the store cannot be maintained", "error", err)
		}
	}
}
