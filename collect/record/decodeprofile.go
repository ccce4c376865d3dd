package record

import (
	"encoding/json"

	"github.com/fieldprof/fieldprof/profile"
)

// profile reads a profile and checks it.
func (r *reader) profile() *profile.Profile {
	p := &profile.Profile{Meta: r.meta()}
	p.Strings = make([]string, r.count(1))
	for i := range p.Strings {
		p.Strings[i] = r.text()
	}
	n := r.count(5)
	f := &p.Functions
	f.Name, f.File = numbers[profile.StringID](r, n), numbers[profile.StringID](r, n)
	f.Line, f.Column = numbers[int32](r, n), numbers[int32](r, n)
	f.Flags = make([]profile.Flags, n)
	for i := range f.Flags {
		f.Flags[i] = profile.Flags(r.uint())
	}
	n = r.count(3)
	p.Frames.Function = numbers[profile.FunctionID](r, n)
	p.Frames.Line, p.Frames.Column = numbers[int32](r, n), numbers[int32](r, n)
	n = r.count(2)
	p.Stacks.Parent = make([]profile.StackID, n)
	for i := range p.Stacks.Parent {
		p.Stacks.Parent[i] = profile.StackID(i - 1 - int(r.int32()))
	}
	p.Stacks.Frame = numbers[profile.FrameID](r, n)
	p.Samples = r.samples()
	p.Marks = r.marks()
	if r.err == nil {
		r.err = p.CheckValid()
	}
	return p
}

// numbers reads a column.
func numbers[T ~int32](r *reader, rows int) []T {
	values := make([]T, rows)
	for i := range values {
		values[i] = T(r.int32())
	}
	return values
}

func (r *reader) meta() (m profile.Meta) {
	start, text := r.time(), r.take(r.uint())
	if r.err == nil && json.Unmarshal(text, &m) != nil {
		r.fail()
	}
	m.Start = start
	return m
}

func (r *reader) samples() (s profile.Samples) {
	n := r.count(3)
	with := r.byte()
	s.Stack, s.Weight, s.Kind = make([]profile.StackID, n), make([]int32, n), make([]profile.Kind, n)
	s.Time, s.Skid = make([]int64, n), make([]int64, n)
	if with&withMarkers != 0 {
		s.Marker = make([]profile.Marker, n)
	}
	for i := range s.Stack {
		s.Stack[i] = profile.StackID(r.int32()) - 1
	}
	last := int64(0)
	for i := range s.Stack {
		s.Weight[i] = r.int32()
		s.Kind[i] = profile.Kind(r.byte())
		if with&withTimes != 0 {
			last += int64(r.uint())
			s.Time[i] = last
		}
		if with&withSkids != 0 {
			s.Skid[i] = int64(r.uint())
		}
		if with&withMarkers != 0 {
			s.Marker[i] = profile.Marker(r.byte())
		}
	}
	return s
}

func (r *reader) marks() []profile.Mark {
	n := r.count(9)
	if n == 0 {
		return nil
	}
	marks := make([]profile.Mark, n)
	for i := range marks {
		marks[i] = r.mark()
	}
	return marks
}

func (r *reader) mark() profile.Mark {
	return profile.Mark{What: profile.What(r.text()), Name: r.text(), Target: r.text(), Detail: r.text(), Time: r.duration(),
		Duration: r.duration(), InputDelay: r.duration(), Processing: r.duration(), Presentation: r.duration()}
}

// end reports the first fault, and that something follows.
func (r *reader) end() error {
	if r.err == nil && len(r.b) > 0 {
		r.fail()
	}
	return r.err
}
