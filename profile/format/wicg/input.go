package wicg

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonbytes"
)

// Limits bound what is read of a file from a stranger. Zero means no bound.
type Limits struct {
	Frames  int // and resources and stacks, each
	Samples int
}

// input is a file, decoded.
type input struct {
	envelope Envelope
	version  float64
	traced   bool // the trace was in an envelope
	trace    inTrace
}

// inTrace is a trace as it is read. Numbers that are absent are NaN.
type inTrace struct {
	resources []string
	frames    []inFrame
	stacks    []inStack
	samples   []inSample
	texts     []string // of samples; 0 is ""
	sampled   bool     // there are samples, if only an empty list
	fieldprof *extension
	// The fields that Datadog's SDK adds.
	interval float64
	debugIDs map[string]string
}

type inFrame struct {
	name                   string
	resource, line, column float64
	ignored                bool
}

type inStack struct{ parent, frame float64 }

// inSample has no pointers, which the garbage collector would have to follow.
type inSample struct {
	at, stack    float64
	weight, skid float64
	kind, marker int32 // in inTrace.texts
}

// input reads a file.
func (limits Limits) input(data []byte) (*input, error) {
	in := &input{envelope: Envelope{Consent: true}, trace: inTrace{interval: math.NaN()}}
	r := jsonbytes.New(data)
	err := r.Object(func(name []byte) error {
		if known, err := in.envelope.member(r, name); known {
			return under(name, err)
		}
		switch string(name) {
		case "version":
			return r.Float(&in.version)
		case "trace":
			in.traced = !r.Null()
			if !in.traced {
				return nil
			}
			return r.Object(func(name []byte) error { return in.trace.member(r, name, limits) })
		case "debugIds":
			if r.Kind() == '{' {
				return r.Decode(&in.envelope.debugIDs, mostOther)
			}
		}
		return in.trace.member(r, name, limits)
	})
	if in.trace.fieldprof != nil {
		in.envelope.Mark = firstMark(in.trace.fieldprof)
	}
	return in, err
}

// under is a fault of the value that has this name.
func under(name []byte, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// member reads a member of a trace.
func (t *inTrace) member(r *jsonbytes.Reader, name []byte, limits Limits) error {
	switch string(name) {
	case "resources":
		return r.Array(func(i int) error {
			t.resources = append(t.resources, "")
			return limits.after(i, "resources", r.String(&t.resources[i]))
		})
	case "frames":
		return t.readFrames(r, limits)
	case "stacks":
		return t.readStacks(r, limits)
	case "samples":
		t.sampled = !r.Null()
		if !t.sampled {
			return nil
		}
		return t.readSamples(r, limits)
	case "fieldprof":
		most := math.MaxInt
		if limits.Frames > 0 {
			most = mostOther
		}
		return r.Decode(&t.fieldprof, most)
	case "sampleInterval":
		return r.Float(&t.interval)
	case "debugIds":
		return t.readDebugIDs(r)
	}
	return r.Skip()
}

// after is the fault of entry i of a list, if it has one.
func (limits Limits) after(i int, list string, err error) error {
	if err == nil && limits.Frames > 0 && i >= limits.Frames {
		return &codec.TooMany{What: list, Most: int64(limits.Frames)}
	}
	return err
}

func (t *inTrace) readFrames(r *jsonbytes.Reader, limits Limits) error {
	var f *inFrame
	member := func(name []byte) error {
		switch string(name) {
		case "name":
			return r.String(&f.name)
		case "resourceId":
			return r.Float(&f.resource)
		case "line":
			return r.Float(&f.line)
		case "column":
			return r.Float(&f.column)
		case "ignored":
			return r.Bool(&f.ignored)
		}
		return r.Skip()
	}
	return r.Array(func(i int) error {
		t.frames = append(t.frames, inFrame{resource: math.NaN()})
		f = &t.frames[i]
		return limits.after(i, "frames", r.Object(member))
	})
}

func (t *inTrace) readStacks(r *jsonbytes.Reader, limits Limits) error {
	var s *inStack
	member := func(name []byte) error {
		switch string(name) {
		case "parentId":
			return r.Float(&s.parent)
		case "frameId":
			return r.Float(&s.frame)
		}
		return r.Skip()
	}
	return r.Array(func(i int) error {
		t.stacks = append(t.stacks, inStack{math.NaN(), math.NaN()})
		s = &t.stacks[i]
		return limits.after(i, "stacks", r.Object(member))
	})
}

// perSample is about how many bytes one of our samples takes.
const perSample = 64

// mostTexts bounds the kinds and markers of a trace: the standard and we have few.
const mostTexts = 100

func (t *inTrace) readSamples(r *jsonbytes.Reader, limits Limits) error {
	most := limits.Samples
	if most <= 0 {
		most = math.MaxInt
	}
	t.samples = make([]inSample, 0, min(r.Left()/perSample, most))
	t.texts = []string{""}
	known := map[string]int32{} // texts, which are few, in quotes
	text := func(into *int32) error {
		if r.Null() {
			return nil
		}
		quoted, err := r.Value()
		if err != nil {
			return err
		}
		id, ok := known[string(quoted)]
		if !ok {
			var text string
			if err := json.Unmarshal(quoted, &text); err != nil {
				return r.Errorf("%w", err)
			}
			if id = int32(len(t.texts)); id > mostTexts {
				return &codec.TooMany{What: "kinds and markers", Most: mostTexts}
			}
			t.texts = append(t.texts, text)
			known[string(quoted)] = id
		}
		*into = id
		return nil
	}
	var s *inSample
	member := func(name []byte) error {
		switch string(name) {
		case "timestamp":
			return under(name, r.Float(&s.at))
		case "stackId":
			return r.Float(&s.stack)
		case "weight":
			return r.Float(&s.weight)
		case "skid":
			return r.Float(&s.skid)
		case "kind":
			return text(&s.kind)
		case "marker":
			return text(&s.marker)
		}
		return r.Skip()
	}
	return r.Array(func(i int) error {
		t.samples = append(t.samples, inSample{at: math.NaN(), stack: math.NaN()})
		s = &t.samples[i]
		if err := r.Object(member); err != nil {
			return fmt.Errorf("samples[%d]: %w", i, err)
		}
		if i >= most {
			return &codec.TooMany{What: "samples", Most: int64(most)}
		}
		return nil
	})
}

// readDebugIDs reads the ids that Datadog's SDK finds: by the index of a resource.
func (t *inTrace) readDebugIDs(r *jsonbytes.Reader) error {
	var ids []struct {
		ResourceID int    `json:"resourceId"`
		DebugID    string `json:"debugId"`
	}
	if err := r.Decode(&ids, mostOther); err != nil {
		return err
	}
	t.debugIDs = map[string]string{}
	for _, id := range ids {
		if id.ResourceID >= 0 && id.ResourceID < len(t.resources) {
			t.debugIDs[t.resources[id.ResourceID]] = id.DebugID
		}
	}
	return nil
}
