package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/store"
)

// problem is a refusal: what is wrong, where, and what to do.
type problem struct {
	status int
	text   string
}

func (p *problem) Error() string { return p.text }

func wrong(format string, args ...any) error {
	return &problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func notFound(format string, args ...any) error {
	return &problem{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

func forbidden(format string, args ...any) error {
	return &problem{http.StatusForbidden, fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &problem{http.StatusRequestEntityTooLarge, fmt.Sprintf(format, args...)}
}

func unusable(format string, args ...any) error {
	return &problem{http.StatusUnprocessableEntity, fmt.Sprintf(format, args...)}
}

func busy(text string) error { return &problem{http.StatusServiceUnavailable, text} }

// errGone says that the asker does not listen any more.
var errGone = errors.New("the connection is gone")

// gone is what an error of writing a response means.
func gone(err error) error {
	if err != nil {
		return errGone
	}
	return nil
}

// refuse answers with an error. What is not the asker's fault goes to the log; the response does
// not tell, as it might name what is nobody's business.
func (a *api) refuse(w *statusWriter, q *http.Request, err error) {
	var p *problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, errGone), errors.Is(q.Context().Err(), context.Canceled):
		if w.written {
			// The asker must not take half an export for a whole one.
			panic(http.ErrAbortHandler)
		}
		return
	case errors.Is(err, store.ErrUnknown):
		p = &problem{http.StatusNotFound, "this does not exist, or no longer: it may be older than what is kept"}
	case errors.Is(err, answer.ErrNothing):
		p = &problem{http.StatusUnprocessableEntity, err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		p = &problem{http.StatusServiceUnavailable, fmt.Sprintf("the answer takes more than %v: ask for a shorter range, or for fewer labels", patience)}
	default:
		a.Log.Error("a question was not answered", "path", q.URL.Path, "error", err)
		p = &problem{http.StatusInternalServerError, "the collector failed to answer; its log says why"}
	}
	if w.written {
		panic(http.ErrAbortHandler)
	}
	fail(w, p)
}

// fail writes an error.
func fail(w http.ResponseWriter, err error) {
	var p *problem
	if !errors.As(err, &p) {
		p = &problem{http.StatusInternalServerError, "the collector failed to answer; its log says why"}
	}
	w.Header().Del("Content-Disposition")
	w.Header().Set("Content-Type", "application/json")
	switch p.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="fieldprof"`)
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "5")
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "60")
	}
	w.WriteHeader(p.status)
	// A text and nothing else can be encoded; an error of writing is the asker's.
	_ = json.NewEncoder(w).Encode(struct {
		Error string `json:"error"`
	}{p.text})
}
