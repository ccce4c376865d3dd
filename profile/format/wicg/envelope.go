package wicg

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonbytes"
)

// Envelope is what a page sends (docs/sending.md): a trace, or a part of one, and where it
// comes from. Absent fields are zero; numbers may be any.
type Envelope struct {
	Session, View, Page, Route, Release string
	Browser, Connection                 string
	Device                              Device
	Labels                              map[string]string
	Consent                             bool // false only if the envelope says false
	Rate                                float64
	Chunk, Part, Parts                  float64
	Started, Origin                     float64 // milliseconds since 1970; times of the trace count from Origin
	Notes                               []string
	Slice                               bool
	Weight                              float64 // of the slice
	Counts                              *Counts
	// Mark is the first of the trace: the slice's own.
	Mark *profile.Mark

	debugIDs map[string]string // by resource, of a trace without any
	bare     bool              // it is just a trace
	written  bool              // by Write: the start is known, or has been moved
}

// IsBare reports whether there was no envelope, only a trace.
func (e *Envelope) IsBare() bool { return e.bare }

// isUndated reports whether the file does not say when its times began.
func (e *Envelope) isUndated() bool { return e.bare && !e.written }

// Device is the class of a device.
type Device struct {
	Kind          string
	Memory, Cores float64
}

// Counts are totals of a page view.
type Counts struct {
	Interactions float64
	Slow         map[string]float64
	LongTasks    float64
	Dropped      float64
	INP, P75     float64 // milliseconds
}

// ErrOnlyCounts says that an envelope has no trace: nothing was slow in its session.
var ErrOnlyCounts = errors.New("the envelope holds no trace, only counts")

// mostOther bounds what an envelope has apart from the trace, in bytes of each value.
const mostOther = 1 << 20

// member reads a member of the envelope; known says that it is one.
func (e *Envelope) member(r *jsonbytes.Reader, name []byte) (known bool, err error) {
	switch string(name) {
	case "session":
		err = r.String(&e.Session)
	case "view":
		err = r.String(&e.View)
	case "page":
		err = r.String(&e.Page)
	case "route":
		err = r.String(&e.Route)
	case "release":
		err = r.String(&e.Release)
	case "browser":
		err = r.String(&e.Browser)
	case "connection":
		err = r.String(&e.Connection)
	case "device":
		err = optional(r, &e.Device)
	case "labels":
		err = optional(r, &e.Labels)
	case "consent":
		err = r.Bool(&e.Consent)
	case "rate":
		err = r.Float(&e.Rate)
	case "chunk":
		err = r.Float(&e.Chunk)
	case "part":
		err = r.Float(&e.Part)
	case "parts":
		err = r.Float(&e.Parts)
	case "started":
		err = r.Float(&e.Started)
	case "origin":
		err = r.Float(&e.Origin)
	case "notes":
		err = r.Decode(&e.Notes, mostOther)
	case "slice":
		err = r.Bool(&e.Slice)
	case "weight":
		err = r.Float(&e.Weight)
	case "counts":
		err = r.Decode(&e.Counts, mostOther)
	default:
		return false, nil
	}
	return true, err
}

// optional reads a value that may be of another type than it should be.
func optional[T any](r *jsonbytes.Reader, into *T) error {
	text, err := r.Value()
	if err != nil || len(text) > mostOther {
		return err
	}
	var value T
	if json.Unmarshal(text, &value) == nil {
		*into = value
	}
	return nil
}

// describe adds what the envelope says about the trace to its metadata.
func (e *Envelope) describe(m *profile.Meta) {
	if m.DebugIDs == nil {
		m.DebugIDs = profile.DebugIDs(e.debugIDs)
	}
	if m.Program == "" {
		m.Program = e.Page
	}
	if m.Start.IsZero() && e.Origin > 0 && e.Origin < maxOrigin {
		m.Start = time.UnixMicro(int64(math.Round(e.Origin * 1000))).UTC()
	}
	var apart []string
	if e.Parts > 1 && e.Parts < math.MaxInt32 {
		apart = []string{fmt.Sprintf("samples: this is part %.0f of the %.0f of chunk %.0f, the account covers all of them", e.Part+1, e.Parts, e.Chunk)}
	}
	m.Notes = profile.Notes(apart, m.Notes, e.Notes)
}

// maxOrigin is the end of the year 9999, the last that JSON has a date for.
const maxOrigin = 253402300800000
