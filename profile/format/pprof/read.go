package pprof

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	pb "github.com/google/pprof/profile"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
	"github.com/fieldprof/fieldprof/profile/format/internal/gzipped"
)

// Bounds on what Read accepts.
const (
	MaxBytes   = 1 << 30 // unzipped
	MaxSamples = 1 << 22 // made of the counts of aggregated samples
)

// Read reads a profile in profile.proto, gzipped or not.
func Read(r io.Reader) (*profile.Profile, error) { return ReadBounded(r, 0) }

// ReadBounded reads one that has at most so many frames when its stacks are spelled out, and
// makes at most that many samples from counts; 0 means no bound.
func ReadBounded(r io.Reader, frames int64) (*profile.Profile, error) {
	p, err := read(r, frames)
	return codec.Checked("pprof", p, err)
}

func read(r io.Reader, frames int64) (*profile.Profile, error) {
	plain, err := gzipped.Plain(r)
	if err != nil {
		return nil, err
	}
	data, err := codec.Whole(plain, MaxBytes)
	if err != nil {
		return nil, err
	}
	parsed, err := pb.ParseUncompressed(data)
	if err != nil {
		return nil, err
	}
	if err := parsed.CheckValid(); err != nil {
		return nil, err
	}
	return (&reader{in: parsed, functions: make(map[*pb.Function]profile.FunctionID), frames: codec.RoomFor(int64(len(data))).AtMost(frames), samples: cmp.Or(min(frames, MaxSamples), MaxSamples)}).profile()
}

type reader struct {
	in          *pb.Profile
	b           profile.Builder
	functions   map[*pb.Function]profile.FunctionID
	count, time int // which values; -1: none
	unit        int64
	interval    int64
	ticks       durations.Counter // unless times are of whole periods
	own         bool              // it is one of ours
	frames      codec.Room
	samples     int64 // that are made of counts at most
}

func (r *reader) profile() (*profile.Profile, error) {
	if err := r.types(); err != nil {
		return nil, err
	}
	r.meta()
	r.forgetMarks()
	counts, err := r.settle()
	if err != nil {
		return nil, err
	}
	spread := counts <= r.samples
	if spread {
		r.b.Grow(int(counts))
	}
	now := int64(0)
	for i, s := range r.in.Sample {
		count, ticks := r.countOf(s), r.ticksOf(s)
		if ticks == 0 {
			continue
		}
		stack, err := r.stack(s)
		if err != nil {
			return nil, fmt.Errorf("sample %d: %w", i, err)
		}
		kind := kindOf(s)
		if l := s.Label[kindLabel]; len(l) == 1 {
			if k, ok := profile.ParseKind(l[0]); ok {
				kind = k
			}
		}
		if stack == profile.NoStack { // views name samples by their stacks
			if kind.PseudoName() == "" {
				kind = profile.Program
			}
			stack = r.b.Pseudo(profile.NoStack, kind.PseudoName())
		}
		marker := profile.NoMarker
		if l := s.Label[markerLabel]; len(l) == 1 && r.own {
			marker = profile.ParseMarker(l[0])
		}
		if ticks > math.MaxInt64-now || r.interval > 0 && now+ticks > math.MaxInt64/r.interval {
			return nil, fmt.Errorf("sample %d: the sum of times is out of range", i)
		}
		count = min(max(1, count), ticks)
		if !spread {
			count = 1
		}
		if ticks > codec.MaxTicks-now {
			return nil, fmt.Errorf("sample %d: %d ticks after %d are more than a profile holds", i, ticks, now)
		}
		tags := r.tagsOf(s.Label)
		for c := range count {
			part := ticks / count
			if c < ticks%count {
				part++
			}
			now += part
			r.b.Add(profile.Sample{Time: now * r.interval, Stack: stack, Kind: kind, Marker: marker, Tags: tags}, part)
		}
	}
	return r.b.Profile(), nil
}

// types finds the values that are a count and a time.
func (r *reader) types() error {
	r.count, r.time = -1, -1
	var names []string
	for i, t := range r.in.SampleType {
		names = append(names, t.Type+"/"+t.Unit)
		switch unit := codec.Units[t.Unit]; {
		case unit > 0 && (r.time < 0 || t.Type == r.in.DefaultSampleType):
			r.time, r.unit = i, unit
		case t.Unit == "count" && t.Type == "ticks" && r.time < 0: // a profile of ours without a clock
			r.time, r.unit = i, 1
		case t.Unit == "count" && (t.Type == "samples" || t.Type == "sample") && r.count < 0:
			r.count = i
		}
	}
	if r.time < 0 && r.count < 0 {
		r.count = r.otherCount()
	}
	if r.time < 0 && r.count < 0 {
		return fmt.Errorf("no sample type is a time or a count, or some are of bytes; there is %.80q", strings.Join(names, ", "))
	}
	return nil
}

// otherCount finds a count of anything, as of goroutines or cycles: the one that the file calls its
// default, else the last, which is what go tool pprof shows; -1 for none. Where bytes are
// measured, counts are of objects in memory.
func (r *reader) otherCount() int {
	found := -1
	for i, t := range r.in.SampleType {
		switch {
		case t.Unit == "bytes":
			return -1
		case t.Unit == "count" && (found < 0 || r.in.SampleType[found].Type != r.in.DefaultSampleType):
			found = i
		}
	}
	return found
}

func (r *reader) meta() {
	m := profile.Meta{Duration: time.Duration(max(0, r.in.DurationNanos))}
	if r.in.TimeNanos != 0 {
		m.Start = time.Unix(0, r.in.TimeNanos).UTC()
	}
	for _, c := range r.in.Comments {
		if data, ok := strings.CutPrefix(c, metaComment); ok {
			var own profile.Meta
			if json.Unmarshal([]byte(data), &own) == nil {
				m, r.own = own, true
			}
		}
	}
	r.b.Meta = m
}

// forgetMarks adds up the samples of one of our files that differ only in the marks that
// they fall within.
func (r *reader) forgetMarks() {
	split := false
	for _, s := range r.in.Sample {
		for _, key := range codec.LabelKeys() {
			if _, ok := s.Label[key]; ok && r.own {
				delete(s.Label, key)
				split = true
			}
		}
	}
	if split {
		r.in = r.in.Compact()
	}
}

// settle settles the interval: the period if it is a time, and times are of whole periods, else what fits
// the times. It returns the sum of counts.
func (r *reader) settle() (counts int64, err error) {
	var times int64
	for i, s := range r.in.Sample {
		for _, v := range s.Value {
			if v < 0 {
				return 0, fmt.Errorf("sample %d: value %d: a difference between profiles is not a profile", i, v)
			}
		}
		c, t := max(1, r.countOf(s)), int64(0)
		if r.time >= 0 {
			t = s.Value[r.time]
		}
		if c > math.MaxInt64-counts || t > math.MaxInt64-times {
			return 0, fmt.Errorf("sample %d: the sum of values is out of range", i)
		}
		counts, times = counts+c, times+t
	}
	if r.time >= 0 && r.in.SampleType[r.time].Unit == "count" {
		return counts, nil // ticks, no interval
	}
	switch period := r.period(); {
	case r.time < 0 || counts == 0 || period > 0 && (r.own || times > durations.Limit/r.unit || durations.AreWhole(len(r.in.Sample), r.timeOf, period, r.unit)):
		r.interval = period
	case times == 0:
		return 0, errors.New("no period, and the samples have no time")
	case times > durations.Limit/r.unit:
		return 0, errors.New("no period, and the sum of times is out of range")
	default:
		r.interval = r.divisor(times*r.unit, counts)
		r.ticks.Tick = r.interval
	}
	r.b.Meta.Interval = time.Duration(r.interval)
	r.b.Meta.Exact = r.b.Meta.Exact || !r.own && r.time >= 0 && r.interval > 0
	return counts, nil
}

// period is the time between two samples, 0 if the file does not say it.
func (r *reader) period() int64 {
	if t := r.in.PeriodType; t != nil && codec.Units[t.Unit] > 0 && r.in.Period > 0 && r.in.Period < math.MaxInt64/codec.Units[t.Unit] {
		return r.in.Period * codec.Units[t.Unit]
	}
	return 0
}

// timeOf is the time of a sample in nanoseconds.
func (r *reader) timeOf(i int) int64 { return r.in.Sample[i].Value[r.time] * r.unit }

// divisor is the interval of a file without a period, or with times that are not of whole periods: the
// mean time of what was counted, if all times are multiples of it, else a tick that divides all. A mean
// alone would make a tick of the shortest time.
func (r *reader) divisor(times, counts int64) int64 {
	if mean := times / counts; r.count >= 0 && mean > 0 {
		isMultiple := true
		for i := range r.in.Sample {
			isMultiple = isMultiple && r.timeOf(i)%mean == 0
		}
		if isMultiple {
			return mean
		}
	}
	return durations.Tick(len(r.in.Sample), r.timeOf)
}

func (r *reader) countOf(s *pb.Sample) int64 {
	if r.count < 0 {
		return 1
	}
	return s.Value[r.count]
}

// ticksOf is the next sample's time in intervals, with a period at least one if it has any.
func (r *reader) ticksOf(s *pb.Sample) int64 {
	if r.time < 0 {
		return s.Value[r.count]
	}
	v := s.Value[r.time]
	if v == 0 || r.interval == 0 {
		return v
	}
	if r.ticks.Tick > 0 {
		return r.ticks.Count(v * r.unit)
	}
	if r.unit == 1 {
		ticks, rest := v/r.interval, v%r.interval
		if rest >= r.interval-rest {
			ticks++
		}
		return max(1, ticks)
	}
	return max(1, int64(math.Round(float64(v)*float64(r.unit)/float64(r.interval))))
}

// stack builds a stack, whose top the format has first.
func (r *reader) stack(s *pb.Sample) (profile.StackID, error) {
	stack := profile.NoStack
	for i := len(s.Location) - 1; i >= 0; i-- {
		l := s.Location[i]
		if err := r.frames.Take(max(1, len(l.Line))); err != nil {
			return 0, err
		}
		if len(l.Line) == 0 {
			f := profile.Function{Name: fmt.Sprintf("0x%x", l.Address)}
			if l.Mapping != nil {
				f.File = l.Mapping.File
			}
			stack = r.b.Stack(stack, r.b.Frame(r.b.Function(f), 0, 0))
		}
		for j := len(l.Line) - 1; j >= 0; j-- { // the innermost of inlined functions first
			line := l.Line[j]
			stack = r.b.Stack(stack, r.b.Frame(r.function(line.Function), codec.Clamp(line.Line), codec.Clamp(line.Column)))
		}
	}
	return stack, nil
}

func (r *reader) function(in *pb.Function) profile.FunctionID {
	if in == nil {
		return r.b.Function(profile.Function{})
	}
	id, ok := r.functions[in]
	if !ok {
		f := profile.Function{Name: in.Name, File: in.Filename, Line: codec.Clamp(in.StartLine)}
		switch {
		case f.File == "" && profile.IsPseudoName(f.Name):
			f.Flags = profile.Pseudo
		case f.Name == (profile.Function{File: f.File, Flags: profile.TopLevel}).Label():
			f.Name, f.Flags = "", profile.TopLevel
		case f.Name == (profile.Function{File: f.File, Line: f.Line}).Label():
			f.Name = ""
		case f.File == profile.NameNative:
			f.Flags = profile.NativeCode
		}
		id = r.b.Function(f)
		r.functions[in] = id
	}
	return id
}

// kindOf is the kind that the function on top of a stack speaks for.
func kindOf(s *pb.Sample) profile.Kind {
	if len(s.Location) > 0 && len(s.Location[0].Line) > 0 {
		if f := s.Location[0].Line[0].Function; f != nil && f.Filename == "" {
			return profile.KindOfPseudo(f.Name)
		}
	}
	return profile.Own
}
