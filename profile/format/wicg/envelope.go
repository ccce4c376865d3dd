package wicg

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// envelope is what a page sends (docs/sending.md): a trace, or a part of one, and
// where it comes from.
type envelope struct {
	Session string   `json:"session"`
	Page    string   `json:"page"`
	Chunk   float64  `json:"chunk"`
	Part    float64  `json:"part"`
	Parts   float64  `json:"parts"`
	Origin  float64  `json:"origin"` // of the trace's times, in milliseconds since 1970
	Notes   []string `json:"notes"`
	// DebugIDs are by resource, of a trace without any.
	DebugIDs map[string]string `json:"debugIds"`
	Trace    *trace            `json:"trace"`

	Counts json.RawMessage `json:"counts"` // of a session, also without a trace
}

// ErrOnlyCounts says that an envelope has no trace: nothing was slow in its session.
var ErrOnlyCounts = errors.New("the envelope holds no trace, only counts")

func (e *envelope) profile() (*profile.Profile, error) {
	if e.Trace.Samples == nil {
		return nil, fmt.Errorf(`trace: "samples" is missing`)
	}
	p, err := e.Trace.profile()
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	m := &p.Meta
	if m.DebugIDs == nil {
		m.DebugIDs = profile.DebugIDs(e.DebugIDs)
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
	return p, nil
}

// maxOrigin is the end of the year 9999, the last that JSON has a date for.
const maxOrigin = 253402300800000
