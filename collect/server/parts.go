package server

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/alert"
	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/api"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/forward"
	"github.com/fieldprof/fieldprof/collect/ingest"
	"github.com/fieldprof/fieldprof/collect/intake"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/clickhouse"
	"github.com/fieldprof/fieldprof/collect/store/sqlite"
	"github.com/fieldprof/fieldprof/collect/ui"
)

// parts are what the collector is made of.
type parts struct {
	store           store.Store
	alerts          *alert.Watcher
	ingest, api, ui http.Handler
	readers         func(http.Handler) http.Handler // admits those who may read everything
	ready           func(context.Context) error
}

// remembered is for how long an answer is given again: the views of the dashboard ask the
// same question at the same time.
const remembered = 2 * time.Second

// openParts opens the parts from the ground up.
func (s *Server) openParts(ctx context.Context) error {
	c, o, p := s.config, s.options, &s.parts
	var err error
	if p.store = o.Store; p.store == nil {
		if p.store, err = openStore(ctx, c); err != nil {
			return err
		}
	}
	s.closers = append(s.closers, func(context.Context) error { return p.store.Close() })
	if o.AddKeys {
		if s.madeKeys, err = c.AddKeys(); err != nil {
			return err
		}
	}
	answers := answer.New(p.store, answer.Options{FirstParty: firstParty(c.Apps), Remember: remembered})
	onward, err := forward.Open(c.Forward, forward.Options{Dir: filepath.Join(c.Spool.Dir, "forward"), Symbolize: answers.Symbolize, Metrics: s.metrics.registry, Log: o.Log, Now: o.Now})
	if err != nil {
		return fmt.Errorf("forwarding: %w", err)
	}
	s.closers = append(s.closers, onward.Close)
	var accepted func([]*record.Chunk)
	if len(c.Forward) > 0 {
		accepted = onward.Add
	}
	taken, err := intake.Open(intake.Options{Dir: c.Spool.Dir, Bytes: c.Spool.Bytes, Every: c.Spool.Every, Store: p.store, Metrics: s.metrics.registry, Log: o.Log, Accepted: accepted})
	if err != nil {
		return fmt.Errorf("the spool: %w", err)
	}
	s.closers = append(s.closers, taken.Close)
	p.ready = func(ctx context.Context) error {
		if err := taken.Ready(); err != nil {
			return err
		}
		return p.store.Ready(ctx)
	}
	p.alerts, err = alert.New(alert.Options{Apps: c.Apps, Answers: answers, State: filepath.Join(c.Data, "alerts.json"), Metrics: s.metrics.registry, Log: o.Log, Now: o.Now})
	if err != nil {
		return fmt.Errorf("the budgets: %w", err)
	}
	p.ingest = ingest.New(ingest.Options{Apps: c.Apps, Accept: taken.Accept, Metrics: s.metrics.registry, Log: o.Log, Now: o.Now, TrustProxy: c.TrustProxy})
	questions := api.New(api.Options{Answers: answers, Store: p.store, Config: c, Budgets: p.alerts.Rows, Address: s.address, Metrics: s.metrics.registry, Log: o.Log, Now: o.Now})
	p.api, p.readers = questions, questions.Readers
	p.ui = ui.Handler()
	return nil
}

// openStore opens the store that a configuration names.
func openStore(ctx context.Context, c *config.Config) (store.Store, error) {
	var kept store.Store
	var err error
	if file, ok := strings.CutPrefix(c.Store, "sqlite:"); ok {
		kept, err = sqlite.Open(ctx, file, c.Retention)
	} else {
		kept, err = clickhouse.Open(ctx, c.Store, c.Retention)
	}
	if err != nil {
		return nil, fmt.Errorf("the store: %w", err) // kept is not nil then, but holds none
	}
	return kept, nil
}

// firstParty are the hosts of the scripts of apps.
func firstParty(apps []config.App) func(app string) []string {
	hosts := map[string][]string{}
	for _, a := range apps {
		hosts[a.Name] = a.FirstParty
	}
	return func(app string) []string { return hosts[app] }
}

// address is where a request comes from: its connection, or what the proxy in front says in the
// entry that it has added itself.
func (s *Server) address(r *http.Request) string {
	from := r.RemoteAddr
	if said := r.Header.Values("X-Forwarded-For"); s.config.TrustProxy && len(said) > 0 {
		last := said[len(said)-1]
		from = cmp.Or(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:]), from)
	}
	if host, _, err := net.SplitHostPort(from); err == nil {
		return host
	}
	return from
}
