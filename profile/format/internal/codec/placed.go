package codec

import (
	"encoding/json"
	"sort"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// Extension is the object under "fieldprof" in such formats.
type Extension struct {
	Meta  profile.Meta
	Marks []Mark // as they were placed
}

// Extension is the extension of a profile, in JSON.
func (o *Outgoing) Extension(p *profile.Profile) []byte {
	text := append([]byte(`{"meta":`), o.Meta...)
	if marks := NewMarks(o.Placed(p)); len(marks) > 0 {
		list, _ := json.Marshal(marks) // strings and times always have a JSON form
		text = append(append(text, `,"marks":`...), list...)
	}
	return append(text, '}')
}

// ReadExtension is the inverse of Extension; nil if it has no metadata.
func ReadExtension(in *jsonstream.Reader) (*Extension, error) {
	e, known := new(Extension), false
	err := in.Members(jsonstream.Members{
		{"meta", func() error { known = true; return in.Decode("fieldprof.meta", &e.Meta) }},
		{"marks", func() error { return in.Decode("fieldprof.marks", &e.Marks) }},
	})
	if !known {
		e = nil
	}
	return e, err
}

// Placed are the marks of a profile in a format whose samples follow each other without
// gaps, each as long as its ticks: a mark is where the samples of its stretch are.
func (o *Outgoing) Placed(p *profile.Profile) []profile.Mark {
	if len(p.Marks) == 0 {
		return nil
	}
	interval, inPlace := max(1, int64(o.Interval)), true
	ends := make([]int64, p.Len()+1) // of the samples before
	for i, w := range p.Samples.Weight {
		ends[i+1] = ends[i] + int64(w)*interval
		inPlace = inPlace && p.Samples.Time[i] == ends[i+1]
	}
	if inPlace { // it was read from such a format
		return p.Marks
	}
	place := func(at time.Duration) time.Duration {
		i := sort.Search(p.Len(), func(i int) bool { return p.Samples.Time[i] >= int64(at) })
		if i == p.Len() {
			return time.Duration(ends[i])
		}
		// A sample was taken at the end of its ticks; before them there may be a gap.
		return time.Duration(max(ends[i], ends[i+1]-(p.Samples.Time[i]-int64(at))))
	}
	placed := make([]profile.Mark, len(p.Marks))
	for i, m := range p.Marks {
		start := place(m.Time)
		m.Time, m.Duration = start, place(m.End())-start
		placed[i] = m
	}
	return placed
}
