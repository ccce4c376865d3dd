// Package serve is the server of `instrument serve`. It serves pages that profile
// themselves (package site) and the panel that shows their profiles (package hub) at one
// address, and answers only requests that use one of its own host names.
package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/internal/connections"
	"github.com/fieldprof/fieldprof/internal/serve/address"
	"github.com/fieldprof/fieldprof/internal/serve/hub"
	"github.com/fieldprof/fieldprof/internal/serve/site"
	"github.com/fieldprof/fieldprof/profile/report"
)

// maxConnections bounds those that are open at a time.
const maxConnections = 1024

// Options say what is served, where and how.
type Options struct {
	Place       *address.Place
	Certificate *tls.Certificate // for HTTPS; nil is HTTP
	Site        site.Options     // without Source
	Hub         hub.Options      // without Page
}

// Server serves a site and the panel.
type Server struct {
	options Options
	hub     *hub.Hub
	http    *http.Server
}

// New prepares a server, which listens already. The site works until ctx ends.
func New(ctx context.Context, o Options) (*Server, error) {
	s := &Server{options: o}
	o.Hub.Page = s.writePanel
	var err error
	if s.hub, err = hub.New(o.Hub); err != nil {
		return nil, err
	}
	o.Site.Source = s.hub.SourceToken()
	pages, err := site.New(ctx, o.Site)
	if err != nil {
		return nil, errors.Join(err, s.hub.Close())
	}
	s.hub.Restore(pages)
	s.http = &http.Server{
		Handler: hostsOf(o.Place).only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s.hub.Owns(r) {
				s.hub.ServeHTTP(w, r)
			} else {
				pages.ServeHTTP(w, r)
			}
		})),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    256 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // of connections, such as a browser's that does not know the certificate yet
	}
	if o.Certificate != nil {
		s.http.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*o.Certificate}}
	}
	return s, nil
}

func (s *Server) writePanel(w io.Writer, token string) error {
	site := "" // where the panel is, also if its port is forwarded
	if s.options.Place.Beyond {
		site = s.Site()
	}
	return report.WritePanel(w, report.PanelOptions{Token: token, Site: site, Formats: hub.Formats(), Before: s.options.Hub.Before != nil})
}

func (s *Server) scheme() string {
	if s.options.Certificate != nil {
		return "https"
	}
	return "http"
}

// Site is the address of the site.
func (s *Server) Site() string {
	return s.options.Place.Origin(s.scheme(), s.options.Place.Hosts[0]) + "/"
}

// Panel is the address of the panel, with its key if other machines need it.
func (s *Server) Panel() string {
	panel := s.Site() + hub.Prefix[1:]
	if !hub.IsLoopbackName(s.options.Place.Hosts[0]) {
		panel += "?key=" + url.QueryEscape(s.hub.PanelToken())
	}
	return panel
}

// Run serves until ctx ends, tells all clients, and returns.
func (s *Server) Run(ctx context.Context) error {
	limit := &connections.Limit{Most: maxConnections}
	listeners := s.options.Place.Listeners
	failed := make(chan error, len(listeners))
	var serving sync.WaitGroup
	for _, l := range listeners {
		serving.Go(func() { failed <- s.serve(limit.Listen(l)) })
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	err = errors.Join(err, s.hub.Close())
	ending, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if s.http.Shutdown(ending) != nil {
		s.http.Close() // a dev server's event streams never end
	}
	serving.Wait()
	return err
}

func (s *Server) serve(l net.Listener) error {
	var err error
	if s.options.Certificate != nil {
		err = s.http.ServeTLS(l, "", "")
	} else {
		err = s.http.Serve(l)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
