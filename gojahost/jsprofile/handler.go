package jsprofile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
	"github.com/fieldprof/fieldprof/profile/report"
)

// Source is what has profiles: a gojahost.Pool, or one Host.
type Source interface {
	Coordinator() *coordinator.Coordinator
	Between(from, to time.Time) *profile.Profile
	State() gojahost.State
}

// Options of a Handler. The zero value is valid.
type Options struct {
	// Allow reports whether a request may have profiles; nil: those from this machine may.
	Allow func(*http.Request) bool
	// Program is the name by which profiles call what was profiled.
	Program string

	wait func(context.Context, time.Duration) error // sleep, but for tests
}

// Handler answers with profiles, as the package's documentation says.
func Handler(source Source, options Options) http.Handler {
	if options.Allow == nil {
		options.Allow = FromThisMachine
	}
	if options.wait == nil {
		options.wait = sleep
	}
	return &handler{source, options}
}

type handler struct {
	source  Source
	options Options
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case !h.options.Allow(r):
		http.Error(w, "jsprofile: profiles are for this machine only, unless Options.Allow says otherwise", http.StatusForbidden)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "jsprofile: GET a profile; there is nothing to "+r.Method, http.StatusMethodNotAllowed)
		return
	}
	asked, err := parse(r.URL.Query())
	if err != nil {
		http.Error(w, "jsprofile: "+err.Error(), http.StatusBadRequest)
		return
	}
	p, err := h.profile(w, r, asked)
	switch {
	case r.Context().Err() != nil:
		return // the client is gone
	case err != nil:
		http.Error(w, "jsprofile: "+err.Error(), http.StatusConflict)
		return
	}
	var body bytes.Buffer // an error must not come after half a profile
	if err := asked.format.write(&body, p); err != nil {
		http.Error(w, fmt.Sprintf("jsprofile: writing the profile: %v", err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", asked.format.mime)
	if asked.format.file != "" {
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", asked.format.file))
	}
	_, _ = body.WriteTo(w)
}

// profile returns the part of the recording that is asked for, attributed.
func (h *handler) profile(w http.ResponseWriter, r *http.Request, asked request) (*profile.Profile, error) {
	clock := h.source.Coordinator()
	now := func() time.Time { return clock.Epoch().Add(time.Duration(clock.Now())) }
	to := now()
	from := to.Add(-asked.duration)
	if asked.waits {
		// The server's limit for a response does not know how long this one takes. Not every
		// ResponseWriter can be told.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(asked.duration + time.Minute))
		leave := clock.Join(0)
		defer leave()
	}
	var part *profile.Profile
	var err error
	switch {
	case asked.goSide:
		part, err = h.withGo(r.Context(), asked.duration)
	case asked.waits:
		from = now()
		err = h.options.wait(r.Context(), asked.duration)
		part = h.source.Between(from, now().Add(1))
	default:
		part = h.source.Between(from, to.Add(1))
	}
	if err != nil {
		return nil, err
	}
	p := profile.Attribute(part, profile.BySite)
	if !asked.idle {
		p = profile.WithoutIdle(p)
	}
	p.Meta.Program = h.options.Program
	return p, nil
}

// withGo records with Go's profiler, too.
func (h *handler) withGo(ctx context.Context, d time.Duration) (*profile.Profile, error) {
	source, ok := h.source.(interface {
		RecordGo() (stop func() (*profile.Profile, error), err error)
	})
	if !ok {
		return nil, errors.New("this source does not record Go: go=1 is for pools and hosts of gojahost")
	}
	stop, err := source.RecordGo()
	if err != nil {
		return nil, err
	}
	err = h.options.wait(ctx, d)
	p, stopped := stop()
	return p, errors.Join(err, stopped)
}

// sleep waits, unless the client goes away.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// format is a form of the answer.
type format struct {
	name, mime, file string
	write            func(io.Writer, *profile.Profile) error
}

var formats = []format{
	{"pprof", "application/octet-stream", "js.pb.gz", pprof.Write},
	{"cpuprofile", "application/json", "js.cpuprofile", cpuprofile.Write},
	{"html", "text/html; charset=utf-8", "", func(w io.Writer, p *profile.Profile) error { return report.Write(w, p, report.Options{}) }},
}
