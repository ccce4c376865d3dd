package otlp

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/durations"
)

// MaxBytes bounds what Read accepts.
const MaxBytes = 1 << 30

// maxObjects bounds the objects and arrays of a file in JSON; each takes a hundred bytes and more.
const maxObjects = 1 << 24

// Read reads a profile, in protocol buffers or in JSON.
func Read(r io.Reader) (*profile.Profile, error) {
	p, err := read(r)
	return codec.Checked("otlp", p, err)
}

func read(r io.Reader) (*profile.Profile, error) {
	data, err := codec.Whole(r, MaxBytes)
	if err == nil && isJSON(data) {
		data, err = fromJSON(data, maxObjects)
	}
	if err != nil {
		return nil, err
	}
	in, message, err := open(data, 0)
	if err != nil {
		return nil, err
	}
	of, err := first(message)
	if err != nil {
		return nil, err
	}
	return in.recording(of)
}

// open decodes a message, whose stacks may have so many frames; 0 means no bound.
func open(data []byte, frames int64) (*reader, pprofile.Profiles, error) {
	if err := checkDepth(data); err != nil {
		return nil, pprofile.Profiles{}, err
	}
	message, err := new(pprofile.ProtoUnmarshaler).UnmarshalProfiles(data)
	if err != nil {
		return nil, message, err
	}
	return &reader{dictionary: message.Dictionary(), functions: map[int32]profile.Function{}, frames: codec.RoomFor(int64(len(data))).AtMost(frames)}, message, nil
}

type reader struct {
	b          profile.Builder
	in         pprofile.Profile
	dictionary pprofile.ProfilesDictionary
	scale      int64 // nanoseconds of a value; 0: it is a count
	own        bool  // it is one of ours
	start      uint64
	functions  map[int32]profile.Function
	stacks     map[int32]stack
	frames     codec.Room // of all recordings
}

type stack struct {
	id  profile.StackID
	top profile.Function
}

// recording reads a recording.
func (r *reader) recording(of candidate) (*profile.Profile, error) {
	r.b, r.in, r.scale, r.own, r.stacks = profile.Builder{Meta: profile.Meta{Program: of.program}}, of.profile, of.scale, false, map[int32]stack{}
	if err := r.describe(); err != nil {
		return nil, err
	}
	if err := r.samples(); err != nil {
		return nil, err
	}
	return r.b.Profile(), nil
}

// describe reads the metadata of a recording.
func (r *reader) describe() error {
	m := &r.b.Meta
	m.Duration = time.Duration(min(r.in.DurationNano(), math.MaxInt64))
	if t := uint64(r.in.Time()); t > 0 && t < math.MaxInt64 {
		m.Start = time.Unix(0, int64(t)).UTC()
	}
	if scale := codec.Units[r.string(r.in.PeriodType().UnitStrindex())]; scale > 0 && r.in.Period() > 0 && r.in.Period() < math.MaxInt64/scale {
		m.Interval = time.Duration(r.in.Period() * scale)
	}
	if text, ok := r.attribute(r.in.AttributeIndices().AsRaw(), metaAttribute); ok {
		var own profile.Meta
		if err := json.Unmarshal([]byte(text), &own); err != nil {
			return fmt.Errorf("attribute %s: %w", metaAttribute, err)
		}
		*m, r.own = own, true
	}
	r.begin()
	if text, ok := r.attribute(r.in.AttributeIndices().AsRaw(), marksAttribute); ok {
		var marks []codec.Mark
		if err := json.Unmarshal([]byte(text), &marks); err != nil {
			return fmt.Errorf("attribute %s: %w", marksAttribute, err)
		}
		return codec.AddMarks(&r.b, marks)
	}
	return nil
}

// aYear is in nanoseconds since 1970: earlier timestamps count from some other moment.
const aYear = uint64(365 * 24 * time.Hour)

// begin settles the moment from which times count. A foreign profile that does not say when it began (its time is
// 0) began a tick before its first timestamp.
func (r *reader) begin() {
	if r.start = uint64(r.in.Time()); r.start > 0 || r.own {
		return
	}
	first := uint64(math.MaxUint64)
	for _, s := range r.in.Samples().All() {
		for _, at := range s.TimestampsUnixNano().All() {
			if at > 0 {
				first = min(first, at)
			}
		}
	}
	if first >= aYear && first < math.MaxInt64 {
		r.start = first - min(uint64(r.b.Meta.Interval), first)
		r.b.Meta.Start = time.Unix(0, int64(r.start)).UTC()
	}
}

func (r *reader) string(i int32) string { return text(r.dictionary, i) }

// text is an entry of the string table; "" for none.
func text(d pprofile.ProfilesDictionary, i int32) string {
	if i < 0 || int(i) >= d.StringTable().Len() {
		return ""
	}
	return d.StringTable().At(int(i))
}

func (r *reader) attribute(indices []int32, key string) (string, bool) {
	table := r.dictionary.AttributeTable()
	for _, i := range indices {
		if i > 0 && int(i) < table.Len() && r.string(table.At(int(i)).KeyStrindex()) == key {
			return table.At(int(i)).Value().AsString(), true
		}
	}
	return "", false
}

// samples reads the samples. A tick is the period, or else, also where values are not
// of whole periods, what all values are whole numbers of.
func (r *reader) samples() error {
	var values []int64
	for i, s := range r.in.Samples().All() {
		if n, times := s.Values().Len(), s.TimestampsUnixNano().Len(); n > 0 && times > 0 && n != times {
			return fmt.Errorf("sample %d: %d values and %d timestamps", i, n, times)
		}
		for _, v := range s.Values().All() {
			if v < 0 || v > durations.Limit/max(1, r.scale) {
				return fmt.Errorf("sample %d: value %d is out of range", i, v)
			}
			values = append(values, v*max(1, r.scale))
		}
	}
	tick, count := int64(1), durations.Counter{}
	if r.scale > 0 {
		value := func(i int) int64 { return values[i] }
		if tick = int64(r.b.Meta.Interval); tick == 0 || !r.own && !durations.AreWhole(len(values), value, tick, r.scale) {
			tick = max(1, durations.Tick(len(values), value))
			count.Tick = tick
		}
		r.b.Meta.Interval = time.Duration(tick)
	}
	r.b.Meta.Exact = r.b.Meta.Exact || !r.own && r.scale > 0 && r.b.Meta.Interval > 0
	ticks, span := int64(0), max(1, int64(r.b.Meta.Interval))
	for i, s := range r.in.Samples().All() {
		at, err := r.stack(s.StackIndex())
		if err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
		one := profile.Sample{Stack: at.id, Kind: r.kind(s, at), Marker: r.marker(s)}
		for j := 0; j < max(s.Values().Len(), s.TimestampsUnixNano().Len()); {
			n, entries := int64(1), 1
			switch {
			case s.Values().Len() > 0 && count.Tick > 0:
				n = count.Count(s.Values().At(j) * r.scale)
			case s.Values().Len() > 0:
				// Periods are nominal; a sample that lasted for less is still one.
				n = s.Values().At(j) * max(1, r.scale) / tick
				if rest := s.Values().At(j) * max(1, r.scale) % tick; rest >= tick-rest || n == 0 && rest > 0 {
					n++
				}
			default:
				entries = repeated(s.TimestampsUnixNano(), j)
				n = int64(entries)
			}
			if n > codec.MaxTicks-ticks {
				return fmt.Errorf("sample %d: more than %d ticks", i, int64(codec.MaxTicks))
			}
			ticks += n
			one.Time = r.time(s, j, min(ticks, durations.Limit/span)*span)
			r.b.Add(one, n)
			j += entries
		}
	}
	return nil
}

// repeated is how often the timestamp at i follows itself: once for each tick.
func repeated(times pcommon.UInt64Slice, i int) int {
	end := i + 1
	for end < times.Len() && times.At(end) == times.At(i) {
		end++
	}
	return end - i
}

// time is when a sample was taken, from the profile's start. A timestamp of 0 is as good as none.
func (r *reader) time(s pprofile.Sample, i int, otherwise int64) int64 {
	if i >= s.TimestampsUnixNano().Len() || s.TimestampsUnixNano().At(i) == 0 && r.start > 0 {
		return max(0, otherwise)
	}
	at := s.TimestampsUnixNano().At(i)
	if at < r.start || at-r.start > durations.Limit {
		return 0
	}
	return int64(at - r.start)
}

func (r *reader) kind(s pprofile.Sample, at stack) profile.Kind {
	if text, ok := r.attribute(s.AttributeIndices().AsRaw(), kindAttribute); ok {
		if k, ok := profile.ParseKind(text); ok {
			return k
		}
	}
	return codec.Kind(at.top)
}

func (r *reader) marker(s pprofile.Sample) profile.Marker {
	if text, ok := r.attribute(s.AttributeIndices().AsRaw(), markerAttribute); ok {
		return profile.ParseMarker(text)
	}
	return profile.NoMarker
}

// stack builds a stack, whose top the format has first.
func (r *reader) stack(i int32) (stack, error) {
	if s, ok := r.stacks[i]; ok {
		return s, nil
	}
	d := r.dictionary
	if i < 0 || int(i) >= d.StackTable().Len() {
		return stack{}, fmt.Errorf("stack %d of %d", i, d.StackTable().Len())
	}
	s := stack{id: profile.NoStack}
	locations := d.StackTable().At(int(i)).LocationIndices()
	if locations.Len() == 0 {
		s.top = profile.Function{Name: profile.NameProgram, Flags: profile.Pseudo}
		s.id = r.b.Pseudo(profile.NoStack, profile.NameProgram)
	}
	for j := locations.Len() - 1; j >= 0; j-- {
		l := locations.At(j)
		if l < 0 || int(l) >= d.LocationTable().Len() {
			return stack{}, fmt.Errorf("stack %d: location %d of %d", i, l, d.LocationTable().Len())
		}
		location := d.LocationTable().At(int(l))
		if err := r.frames.Take(max(1, location.Lines().Len())); err != nil {
			return stack{}, fmt.Errorf("stack %d: %w", i, err)
		}
		if location.Lines().Len() == 0 {
			s.top = profile.Function{Name: fmt.Sprintf("0x%x", location.Address())}
			s.id = r.b.Stack(s.id, r.b.Frame(r.b.Function(s.top), 0, 0))
		}
		for k := location.Lines().Len() - 1; k >= 0; k-- { // the innermost of inlined functions first
			line := location.Lines().At(k)
			f, err := r.function(line.FunctionIndex())
			if err != nil {
				return stack{}, fmt.Errorf("location %d: %w", l, err)
			}
			s.top = f
			s.id = r.b.Stack(s.id, r.b.Frame(r.b.Function(f), codec.Clamp(line.Line()), codec.Clamp(line.Column())))
		}
	}
	r.stacks[i] = s
	return s, nil
}

func (r *reader) function(i int32) (profile.Function, error) {
	if f, ok := r.functions[i]; ok {
		return f, nil
	}
	if i < 0 || int(i) >= r.dictionary.FunctionTable().Len() {
		return profile.Function{}, fmt.Errorf("function %d of %d", i, r.dictionary.FunctionTable().Len())
	}
	in := r.dictionary.FunctionTable().At(int(i))
	f := codec.Function(r.string(in.NameStrindex()), r.string(in.FilenameStrindex()), codec.Clamp(in.StartLine()), 0)
	r.functions[i] = f
	return f, nil
}
