package chrometrace

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"
)

// Thread is what V8 sampled of one thread.
type Thread = codec.Thread

// Read reads the thread with the most time in functions.
func Read(r io.Reader) (*profile.Profile, error) {
	threads, err := ReadAll(r)
	return codec.Busiest(threads, err)
}

// ReadAll reads all threads, in the order in which they appear. Events may come in any order.
func ReadAll(r io.Reader) ([]Thread, error) {
	t := &trace{profiles: make(map[profileKey]*sampled), names: make(map[threadKey]string), marks: newTimeline()}
	if err := t.read(jsonstream.NewReader(r)); err != nil {
		return nil, fmt.Errorf("chrometrace: %w", err)
	}
	t.marks.settle()
	threads, err := t.threads()
	if err != nil {
		return nil, fmt.Errorf("chrometrace: %w", err)
	}
	return threads, nil
}

type profileKey struct {
	process int64
	id      string
}

type threadKey struct{ process, thread int64 }

// trace is what is known of a trace so far.
type trace struct {
	events   int
	profiles map[profileKey]*sampled
	order    []*sampled
	names    map[threadKey]string
	own      *extension
	marks    timeline

	current timed // event, and its arguments
	args    []byte
}

// extension is "fieldprof" in the trace's metadata.
type extension struct {
	profile.Meta
	Marks []codec.Mark `json:"marks,omitempty"`
}

// sampled is one profile of a thread.
type sampled struct {
	file       cpuprofile.File
	thread     threadKey // of the Profile event; chunks come from the sampler's own
	source     string
	start, end float64 // microseconds
	begun      bool    // start is known
	sum        float64 // of deltas
}

func (t *trace) read(in *jsonstream.Reader) error {
	if in.Kind() == '[' {
		err := in.Array(func(int) error { return t.event(in) })
		if len(t.profiles) > 0 && in.IsEnd(err) { // by the format's definition, so that whoever writes it can be interrupted
			return nil
		}
		return err
	}
	return in.Members(jsonstream.Members{
		{"traceEvents", func() error { return in.Array(func(int) error { return t.event(in) }) }},
		{"metadata", func() error { return t.metadata(in) }},
	})
}

func (t *trace) metadata(in *jsonstream.Reader) error {
	if in.Kind() != '{' {
		return in.Skip()
	}
	return in.Members(jsonstream.Members{{"fieldprof", func() error {
		t.own = new(extension)
		return in.Decode("fieldprof", t.own)
	}}})
}

// event reads one event. Its arguments mostly come before its name, so they are
// set aside until it is known what they mean.
func (t *trace) event(in *jsonstream.Reader) error {
	if in.Kind() != '{' { // some tools end the array with null or a string
		return in.Skip()
	}
	t.events++
	t.current = timed{}
	t.args = t.args[:0]
	err := in.Object(func(key string) error { return t.member(in, key) })
	if err != nil {
		return err
	}
	if err := t.meaning(&t.current); err != nil {
		return fmt.Errorf("event %d, %s, before byte %d: args: %w", t.events-1, t.current.name, in.Offset(), err)
	}
	return nil
}

// member reads a member of the current event.
func (t *trace) member(in *jsonstream.Reader, key string) (err error) {
	e := &t.current
	switch key {
	case "name":
		e.name, err = text(in)
	case "pid":
		e.thread.process, err = number(in)
	case "tid":
		e.thread.thread, err = number(in)
	case "cat":
		e.category, err = text(in)
	case "ph":
		e.phase, err = text(in)
	case "ts":
		e.at, err = decimal(in)
	case "dur":
		e.lasted, err = decimal(in)
	case "id", "id2":
		var raw []byte
		raw, err = in.Raw()
		if e.id == "" {
			e.id = string(raw)
		}
	case "args":
		if e.name != "" && !wanted(e.name) {
			return in.Skip()
		}
		var raw []byte
		raw, err = in.Raw()
		t.args = append(t.args, raw...)
	default:
		return in.Skip()
	}
	return err
}

// meaning is what an event with its arguments brings.
func (t *trace) meaning(e *timed) (err error) {
	switch {
	case mayBeMark(e.name, e.category):
		if e.name == eventTiming && len(t.args) > 0 {
			e.input, err = readInput(jsonstream.NewReader(bytes.NewReader(t.args)))
		}
		t.marks.add(*e)
		return err
	case !wanted(e.name) || len(t.args) == 0:
		return nil
	}
	args := jsonstream.NewReader(bytes.NewReader(t.args))
	if e.name != "thread_name" {
		return t.sampled(profileKey{e.thread.process, e.id}, e.thread, e.name).read(args, e.at)
	}
	return args.Object(func(key string) (err error) {
		if key != "name" {
			return args.Skip()
		}
		t.names[e.thread], err = text(args)
		return err
	})
}

func wanted(name string) bool {
	return name == "Profile" || name == "ProfileChunk" || name == "CpuProfile" || name == "thread_name" || name == eventTiming
}

// text and number are of events that we know nothing of: another type is none.
func text(in *jsonstream.Reader) (string, error) {
	if in.Kind() != '"' {
		return "", in.Skip()
	}
	return in.String()
}

func number(in *jsonstream.Reader) (int64, error) {
	v, err := decimal(in)
	return int64(max(math.MinInt32, min(v, 1<<53))), err
}

func decimal(in *jsonstream.Reader) (float64, error) {
	if in.Kind() != '0' {
		return 0, in.Skip()
	}
	return in.Float()
}

func (t *trace) sampled(key profileKey, thread threadKey, event string) *sampled {
	s := t.profiles[key]
	if s == nil {
		s = &sampled{thread: thread}
		t.profiles[key] = s
		t.order = append(t.order, s)
	}
	if event != "ProfileChunk" {
		s.thread = thread
	}
	return s
}

// read reads the arguments of an event of some time.
func (s *sampled) read(in *jsonstream.Reader, at float64) error {
	err := in.Members(jsonstream.Members{{"data", func() error {
		if in.Kind() != '{' {
			return in.Skip()
		}
		return s.data(in)
	}}})
	s.file.EndChunk(at)
	return err
}

// data reads the members of "data", and in its "cpuProfile".
func (s *sampled) data(in *jsonstream.Reader) error {
	f := &s.file
	return in.Members(jsonstream.Members{
		{"cpuProfile", func() error { return s.data(in) }},
		{"nodes", func() error { return f.ReadNodes(in) }},
		{"samples", func() error { return f.ReadSamples(in) }},
		{"timeDeltas", func() error {
			return in.Floats(func(v float64) error {
				s.sum += v
				f.AddDelta(v)
				return nil
			})
		}},
		{"lines", func() error { return in.Floats(func(v float64) error { f.AddLine(codec.Position(v)); return nil }) }},
		{"columns", func() error { return in.Floats(func(v float64) error { f.AddColumn(codec.Position(v)); return nil }) }},
		{"startTime", func() (err error) {
			s.begun = true
			s.start, err = decimal(in)
			return err
		}},
		{"endTime", &s.end},
		{"source", func() (err error) {
			s.source, err = text(in)
			return err
		}},
	})
}

// threads makes a profile of each thread. A buffer that was full may have lost the beginning
// of some: they are left out, and a note says so.
func (t *trace) threads() ([]Thread, error) {
	profiles := make(map[threadKey][]*sampled)
	var order []threadKey
	for _, s := range t.order {
		if len(s.file.Nodes) == 0 {
			continue
		}
		if profiles[s.thread] == nil {
			order = append(order, s.thread)
		}
		profiles[s.thread] = append(profiles[s.thread], s)
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("none of %d events is a ProfileChunk with nodes: the trace was recorded without JavaScript samples", t.events)
	}
	var threads []Thread
	var faults []error
	for _, key := range order {
		p, err := t.thread(profiles[key])
		if err != nil {
			faults = append(faults, fmt.Errorf("process %d, thread %d: %w", key.process, key.thread, err))
			continue
		}
		if t.own == nil {
			p.Meta.Program = t.names[key]
		}
		threads = append(threads, Thread{Name: t.names[key], Profile: p})
	}
	if len(threads) == 0 {
		return nil, faults[0]
	}
	var notes []string
	for _, fault := range faults {
		notes = append(notes, "a thread of the trace was left out: "+fault.Error())
	}
	for _, thread := range threads {
		thread.Profile.Meta.Notes = profile.Notes(thread.Profile.Meta.Notes, notes)
	}
	return threads, nil
}

// thread makes a profile of the best one of a thread that is whole.
func (t *trace) thread(profiles []*sampled) (p *profile.Profile, err error) {
	slices.SortStableFunc(profiles, func(a, b *sampled) int { return cmp.Compare(rank(a.source), rank(b.source)) })
	for _, s := range profiles {
		one, fault := s.profile(t)
		if fault == nil {
			return one, nil
		}
		err = cmp.Or(err, fault)
	}
	return nil, err
}

func rank(source string) int {
	switch source {
	case "Internal":
		return 0
	case "Inspector":
		return 1
	}
	return 2
}

func (s *sampled) profile(t *trace) (*profile.Profile, error) {
	f := &s.file
	f.SortChunks()
	n := f.Samples()
	switch lasts := s.end - s.start; {
	case n > 0 && f.Deltas() == 0:
		return nil, errors.New("samples without timeDeltas")
	case s.end > 0 && lasts >= s.sum && (s.begun || t.own != nil): // else it is a time of the machine
		f.EndTime = lasts
	case n > 1: // the last one lasts for the mean
		f.EndTime = math.Max(0, s.sum+(s.sum-f.FirstDelta())/float64(n-1))
	default:
		f.EndTime = math.Max(0, s.sum)
	}
	if t.own != nil {
		f.Tick = int64(max(0, t.own.Interval))
	}
	p, err := f.Profile(cpuprofile.ToNext)
	if err != nil {
		return nil, err
	}
	var b profile.Builder
	if t.own != nil {
		p.Meta = t.own.Meta
		err = codec.AddMarks(&b, t.own.Marks)
	} else if s.start > 0 && inRange(s.start) {
		t.marks.addTo(&b, s.thread, s.start, s.start+f.EndTime)
		p.Meta.Notes = b.Meta.Notes
		t.marks.markSamples(p, s.thread, s.start)
	}
	if p.Marks = b.Profile().Marks; err == nil {
		err = p.CheckValid()
	}
	return p, err
}
