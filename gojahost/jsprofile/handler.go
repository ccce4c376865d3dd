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
	"github.com/fieldprof/fieldprof/gojahost/accounts"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
	"github.com/fieldprof/fieldprof/profile/report"
)

// Source is what has profiles: a Pool of gojahost or sobekhost, or one Host.
type Source interface {
	Coordinator() *coordinator.Coordinator
	Between(from, to time.Time) *profile.Profile
	State() accounts.State
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
	return &handler{source, options, make(chan struct{}, 1)}
}

type handler struct {
	source  Source
	options Options
	one     chan struct{} // has room for the request whose profile is being made
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
	asked, err := parse(r.URL.RawQuery)
	if err != nil {
		http.Error(w, "jsprofile: "+err.Error(), http.StatusBadRequest)
		return
	}
	if r.Method == http.MethodHead { // nobody reads the profile: none is made
		asked.format.describe(w.Header())
		return
	}
	part, err := h.record(w, r, asked)
	if r.Context().Err() != nil {
		return // the client is gone
	}
	if err != nil {
		http.Error(w, "jsprofile: "+err.Error(), http.StatusConflict)
		return
	}
	body, err := h.answer(r.Context(), asked, part)
	switch {
	case r.Context().Err() != nil:
		return
	case err != nil:
		http.Error(w, fmt.Sprintf("jsprofile: writing the profile: %v", err), http.StatusInternalServerError)
		return
	}
	asked.format.describe(w.Header())
	_, _ = body.WriteTo(w)
}

// record waits for what is asked for, and returns what makes it a profile.
func (h *handler) record(w http.ResponseWriter, r *http.Request, asked request) (part func() *profile.Profile, err error) {
	clock := h.source.Coordinator()
	now := func() time.Time { return clock.Epoch().Add(time.Duration(clock.Now())) }
	from := now().Add(-asked.duration)
	if asked.waits {
		// The server's limit for a response does not know how long this one takes. Not every
		// ResponseWriter can be told.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(asked.duration + time.Minute))
		leave := clock.Join(0)
		defer leave()
		from = now()
	}
	switch {
	case asked.goSide:
		p, err := h.withGo(r.Context(), asked.duration)
		return func() *profile.Profile { return p }, err
	case asked.waits:
		err = h.options.wait(r.Context(), asked.duration)
	}
	to := now().Add(1)
	return func() *profile.Profile { return h.source.Between(from, to) }, err
}

// answer is a part of the recording, attributed, in the form that is asked for. One is made at
// a time: each takes memory for all of its samples. An error must not come after half a
// profile.
func (h *handler) answer(ctx context.Context, asked request, part func() *profile.Profile) (*bytes.Buffer, error) {
	select {
	case h.one <- struct{}{}:
		defer func() { <-h.one }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p := profile.Attribute(part(), profile.BySite)
	if !asked.idle {
		p = profile.WithoutIdle(p)
	}
	p.Meta.Program = h.options.Program
	var body bytes.Buffer
	return &body, asked.format.write(&body, p)
}

// withGo records with Go's profiler, too.
func (h *handler) withGo(ctx context.Context, d time.Duration) (*profile.Profile, error) {
	source, ok := h.source.(interface {
		RecordGo() (stop func() (*profile.Profile, error), err error)
	})
	if !ok {
		return nil, errors.New("this source does not record Go: go=1 is for pools and hosts of gojahost and sobekhost")
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

func (f *format) describe(header http.Header) {
	header.Set("Content-Type", f.mime)
	if f.file != "" {
		header.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", f.file))
	}
}

var formats = []format{
	{"pprof", "application/octet-stream", "js.pb.gz", pprof.Write},
	{"cpuprofile", "application/json", "js.cpuprofile", cpuprofile.Write},
	{"html", "text/html; charset=utf-8", "", func(w io.Writer, p *profile.Profile) error { return report.Write(w, p, report.Options{}) }},
}
