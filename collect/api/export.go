package api

import (
	"io"
	"net/http"
	"strings"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/report"
)

// Formats of exports in addition to the formats of profiles.
const (
	asPage    = "html"    // a report
	asColumns = "columns" // what the dashboard draws
)

// An export writes a profile, or a comparison of two, as the response.
type export = func(result, before *answer.Result) error

// export finds the format that a request asks for, before any work is done.
func (r *request) export(name string) (export, error) {
	switch asked := r.text("format"); asked {
	case "":
		return nil, wrong("format: name one of %s, %s, %s", formatNames(), asPage, asColumns)
	case asPage, asColumns:
		return r.comparison(name)
	default:
		f, err := format.ByName(asked)
		if err != nil {
			return nil, wrong("format: %v, %s, %s", err, asPage, asColumns)
		}
		return func(result, _ *answer.Result) error {
			r.attach(name+f.Extensions[0], "application/octet-stream")
			return r.stream(func(w io.Writer) error { return f.Write(w, result.Profile) })
		}, nil
	}
}

// comparison is an export in a format that can hold two profiles.
func (r *request) comparison(name string) (export, error) {
	write, page := report.Write, r.text("format") == asPage
	if !page {
		if r.text("format") != asColumns {
			return nil, wrong("format: %s or %s, which hold two profiles", asPage, asColumns)
		}
		write = report.WriteColumns
	}
	return func(result, before *answer.Result) error {
		options := report.Options{Title: name, Source: result.Source, Scale: result.Scale, Notes: result.Notes}
		if before != nil {
			options.Before = before.Profile
		}
		if page {
			r.attach(name+".html", "text/html; charset=utf-8")
		} else {
			r.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		}
		return r.stream(func(w io.Writer) error { return write(w, result.Profile, options) })
	}, nil
}

func formatNames() string {
	var names []string
	for _, f := range format.All() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// attach makes the response a file to save. Characters that could confuse a header or a file
// system are replaced in its name.
func (r *request) attach(name, kind string) {
	plain := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' {
			return c
		}
		return '_'
	}, name)
	r.w.Header().Set("Content-Type", kind)
	r.w.Header().Set("Content-Disposition", `attachment; filename="`+strings.TrimLeft(plain, ".")+`"`)
}

// stream writes the response. A format that cannot hold a profile, for instance one without
// samples, reports that before the first byte.
func (r *request) stream(write func(io.Writer) error) error {
	if r.Method == http.MethodHead {
		return nil
	}
	out := &listener{w: r.w}
	if err := write(out); err != nil {
		if out.err != nil {
			return errGone
		}
		return unusable("format: the profile cannot be written in it: %v", err)
	}
	return nil
}

// listener remembers errors of the connection, to tell them apart from errors of a format.
type listener struct {
	w   io.Writer
	err error
}

func (l *listener) Write(b []byte) (int, error) {
	n, err := l.w.Write(b)
	if err != nil {
		l.err = err
	}
	return n, err
}
