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

// errGone says that the client has closed the connection.
var errGone = errors.New("the connection is gone")

// gone turns an error of writing a response into errGone.
func gone(err error) error {
	if err != nil {
		return errGone
	}
	return nil
}

// refuse answers with an error. Details of the collector's own failures go to the log only, because
// they might name hosts and files.
func (a *api) refuse(w *statusWriter, q *http.Request, err error) {
	var p *problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, errGone), errors.Is(q.Context().Err(), context.Canceled):
		if w.written {
			// The client must not mistake half an export for a whole one.
			panic(http.ErrAbortHandler)
		}
		return
	case errors.Is(err, store.ErrUnknown):
		p = &problem{http.StatusNotFound, "this does not exist, or no longer: it may be older than what is kept"}
	case errors.Is(err, store.ErrNoRoom):
		p = &problem{http.StatusInsufficientStorage, store.ErrNoRoom.Error()}
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
	// A struct with one text always encodes, and a failing write means that the client is gone.
	_ = json.NewEncoder(w).Encode(struct {
		Error string `json:"error"`
	}{p.text})
}
