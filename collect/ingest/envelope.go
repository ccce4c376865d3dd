package ingest

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
)

// decodeAny decodes whatever a request to /v1/profiles has.
func decodeAny(req *request) ([]*message, error) {
	switch head := bytes.TrimLeft(req.body[:min(len(req.body), 64)], " \t\r\n"); {
	case len(req.body) == 0:
		return nil, refused(http.StatusBadRequest, "format", "the body is empty")
	case !bytes.HasPrefix(head, []byte("{")):
		return decodeBinary(req)
	}
	e, p, err := readTrace(req, req.body)
	if err != nil {
		return nil, err
	}
	if e.IsBare() {
		return bare(req, p)
	}
	return enveloped(req, e, p)
}

// readTrace reads a trace, which may be in an envelope.
func readTrace(req *request, text []byte) (*wicg.Envelope, *profile.Profile, error) {
	return wicg.Limits{Frames: req.app.limits.Frames, Samples: perFrame * req.app.limits.Frames}.Read(text)
}

// enveloped is what our own sender sends (docs/sending.md).
func enveloped(req *request, e *wicg.Envelope, p *profile.Profile) ([]*message, error) {
	if e.Session == "" || e.View == "" {
		return nil, errors.New(`an envelope needs "session" and "view"`)
	}
	m := &message{
		source: "fieldprof", profile: p, rate: e.Rate, custom: e.Labels,
		id:   idOf(req, "fieldprof", e.Session, e.View, number(e.Chunk), number(e.Part)),
		view: idOf(req, "view", e.Session, e.View), number: bounded(e.Chunk),
		began: moment(e.Started), labels: envelopeLabels(e),
	}
	if p != nil {
		p.Meta.Program = originOf(e.Page) // even if a page names itself by something else than a URL
	}
	if !e.Consent {
		m.refused = "consent"
	}
	if c := e.Counts; c != nil {
		m.counts = countsOf(c)
	}
	if e.Slice && p != nil {
		if e.Mark == nil {
			return nil, errors.New(`a slice needs its mark, the first of "fieldprof.marks"`)
		}
		m.mark, m.weight = e.Mark, e.Weight
		m.isRest = e.Parts > 1 && e.Part != e.Parts-1 // the last part is what a page that is left sends first
	}
	return []*message{m}, nil
}

func envelopeLabels(e *wicg.Envelope) record.Labels {
	labels := record.Labels{record.Release: e.Release, record.Route: e.Route, record.Page: originOf(e.Page),
		record.Device: e.Device.Kind, record.Memory: classOf(e.Device.Memory), record.Cores: classOf(e.Device.Cores), record.Connection: e.Connection}
	if name, version, ok := cutLast(e.Browser, " "); ok {
		labels[record.Browser], labels[record.BrowserVersion] = name, version
	}
	if e.Route == "" {
		labels[record.Route] = routeOf(e.Page)
	}
	return labels
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// classOf is one of the classes that the sender knows, "" for anything else.
func classOf(v float64) string {
	switch v {
	case 1, 2, 4, 8:
		return strconv.Itoa(int(v))
	}
	return ""
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// bounded is a number as an int of 31 bits, which holds whatever a page counts.
func bounded(v float64) int {
	if !(v >= 0) {
		return 0
	}
	return int(min(v, math.MaxInt32))
}

// moment is a time in milliseconds since 1970; zero if it cannot be one.
func moment(ms float64) time.Time {
	if !(ms > 0 && ms < 1e14) {
		return time.Time{}
	}
	return time.UnixMicro(int64(ms * 1000)).UTC()
}

// duration is one in milliseconds, of at most an hour; 0 for nonsense.
func duration(ms float64) time.Duration {
	if !(ms > 0) {
		return 0
	}
	return time.Duration(min(ms*float64(time.Millisecond), float64(time.Hour)))
}

// mostCounted bounds each of the counts of a view.
const mostCounted = 1_000_000

func countsOf(c *wicg.Counts) *record.Counts {
	count := func(v float64) int64 { return int64(min(bounded(v), mostCounted)) }
	counts := &record.Counts{Interactions: count(c.Interactions), LongTasks: count(c.LongTasks), Dropped: count(c.Dropped),
		INP: duration(c.INP), P75: duration(c.P75), Slow: map[profile.What]int64{}}
	for _, what := range slow {
		if n := count(c.Slow[string(what)]); n > 0 {
			counts.Slow[what] = n
		}
	}
	return counts
}

// slow are the kinds of mark that can be slices.
var slow = []profile.What{profile.Interaction, profile.LongFrame, profile.LongTask, profile.Load, profile.Navigation, profile.Measure}
