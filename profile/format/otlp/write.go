package otlp

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Attributes.
const (
	serviceName     = "service.name"
	metaAttribute   = "fieldprof.meta"
	marksAttribute  = "fieldprof.marks"
	kindAttribute   = "fieldprof.kind"
	markerAttribute = "fieldprof.marker"
	labelAttribute  = "fieldprof."         // and the kind of mark that a sample falls within
	frameType       = "profile.frame.type" // a semantic convention
	frameTypeJS     = "v8js"
)

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error { return WriteResource(w, p, nil) }

// WriteResource writes an attributed profile with attributes of its resource, in addition to service.name. Receivers
// index by them.
func WriteResource(w io.Writer, p *profile.Profile, attributes map[string]string) error {
	data, err := marshal(p, attributes)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func marshal(p *profile.Profile, attributes map[string]string) ([]byte, error) {
	o, err := codec.Prepare("otlp", p, 0, codec.Once)
	if err != nil {
		return nil, err
	}
	all := pprofile.NewProfiles()
	c := &converter{p: p, dictionary: all.Dictionary(), strings: map[string]int32{}, attributes: map[string]int32{},
		functions: slices.Repeat([]int32{-1}, len(p.Functions.Name)), locations: slices.Repeat([]int32{-1}, len(p.Frames.Function)), stacks: slices.Repeat([]int32{-1}, len(p.Stacks.Parent)), lone: map[profile.Kind]int32{}}
	c.zeros()
	resource := all.ResourceProfiles().AppendEmpty()
	if p.Meta.Program != "" {
		resource.Resource().Attributes().PutStr(serviceName, p.Meta.Program)
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		resource.Resource().Attributes().PutStr(name, attributes[name])
	}
	scope := resource.ScopeProfiles().AppendEmpty()
	scope.Scope().SetName("github.com/fieldprof/fieldprof")
	if err := c.profile(scope.Profiles().AppendEmpty(), o); err != nil {
		return nil, err
	}
	return new(pprofile.ProtoMarshaler).MarshalProfiles(all)
}

// converter fills a dictionary as its entries are asked for.
type converter struct {
	p          *profile.Profile
	dictionary pprofile.ProfilesDictionary

	strings, attributes          map[string]int32
	functions, locations, stacks []int32
	lone                         map[profile.Kind]int32 // stacks of samples without one
}

// zeros makes the first entry of each table, which is to mean none.
func (c *converter) zeros() {
	d := c.dictionary
	c.string("")
	d.MappingTable().AppendEmpty()
	d.LocationTable().AppendEmpty()
	d.FunctionTable().AppendEmpty()
	d.LinkTable().AppendEmpty()
	d.AttributeTable().AppendEmpty()
	d.StackTable().AppendEmpty()
}

func (c *converter) string(s string) int32 {
	id, ok := c.strings[s]
	if !ok {
		id = int32(c.dictionary.StringTable().Len())
		c.dictionary.StringTable().Append(s)
		c.strings[s] = id
	}
	return id
}

func (c *converter) attribute(key, value string) int32 {
	id, ok := c.attributes[key+"\x00"+value]
	if !ok {
		id = int32(c.dictionary.AttributeTable().Len())
		a := c.dictionary.AttributeTable().AppendEmpty()
		a.SetKeyStrindex(c.string(key))
		a.Value().SetStr(value)
		c.attributes[key+"\x00"+value] = id
	}
	return id
}

func (c *converter) profile(out pprofile.Profile, o codec.Outgoing) error {
	m := &c.p.Meta
	out.AttributeIndices().Append(c.attribute(metaAttribute, string(o.Meta)))
	if len(c.p.Marks) > 0 {
		marks, err := json.Marshal(codec.NewMarks(c.p.Marks))
		if err != nil {
			return fmt.Errorf("otlp: %w", err)
		}
		out.AttributeIndices().Append(c.attribute(marksAttribute, string(marks)))
	}
	out.SampleType().SetTypeStrindex(c.string("samples"))
	out.SampleType().SetUnitStrindex(c.string("count"))
	if m.Interval > 0 {
		out.PeriodType().SetTypeStrindex(c.string("cpu"))
		out.PeriodType().SetUnitStrindex(c.string("nanoseconds"))
		out.SetPeriod(int64(m.Interval))
	}
	start := int64(0)
	if !m.Start.IsZero() {
		start = m.Start.UnixNano()
	}
	lasts := m.Duration
	if n := c.p.Len(); n > 0 {
		lasts = max(lasts, time.Duration(c.p.Samples.Time[n-1]))
	}
	if start < 0 || int64(lasts) > math.MaxInt64-start-int64(c.p.Len()) {
		return fmt.Errorf("otlp: %v from %v on is more time than the format holds", lasts, m.Start)
	}
	out.SetTime(pcommon.Timestamp(start))
	last := c.samples(out, uint64(start), o.Long || m.Summed)
	out.SetDurationNano(max(uint64(lasts), last-uint64(start)+1))
	return nil
}

// samples writes one sample for each stack and set of attributes, with a timestamp for
// each tick, and returns the last timestamp. If there would be very many, or the profile is a
// sum and has no times, a sample has the sum of its ticks instead.
func (c *converter) samples(out pprofile.Profile, start uint64, long bool) (last uint64) {
	type key struct {
		stack  profile.StackID
		kind   profile.Kind
		marker profile.Marker
		labels int
	}
	made := make(map[key]pprofile.Sample)
	labels := codec.NewLabels(c.p)
	last = start
	for i := range c.p.Len() {
		s := c.p.Sample(i)
		k := key{s.Stack, s.Kind, s.Marker, labels.Of(i)}
		sample, ok := made[k]
		if !ok {
			// Samples are pointers, which stay valid while their slice grows.
			sample = out.Samples().AppendEmpty()
			sample.SetStackIndex(c.stack(s.Stack, s.Kind))
			sample.AttributeIndices().Append(c.attributesOf(s, labels.Sets[k.labels])...)
			made[k] = sample
		}
		if long {
			if !ok {
				sample.Values().Append(0)
			}
			sample.Values().SetAt(0, sample.Values().At(0)+int64(s.Weight))
			continue
		}
		at, times := start+uint64(s.Time), sample.TimestampsUnixNano()
		if n := times.Len(); n > 0 { // equal timestamps are the ticks of one sample
			at = max(at, times.At(n-1)+1)
		}
		last = max(last, at)
		for range s.Weight {
			times.Append(at)
		}
	}
	return last
}

// attributesOf are the attributes of a sample.
func (c *converter) attributesOf(s profile.Sample, labels []codec.Label) (ids []int32) {
	if s.Kind != c.told(s.Stack, s.Kind) {
		ids = append(ids, c.attribute(kindAttribute, s.Kind.String()))
	}
	if s.Marker != profile.NoMarker {
		ids = append(ids, c.attribute(markerAttribute, s.Marker.String()))
	}
	for _, l := range labels {
		ids = append(ids, c.attribute(labelAttribute+l.Key, l.Value))
	}
	return ids
}

// told is the kind that a reader takes a sample for without being told.
func (c *converter) told(s profile.StackID, k profile.Kind) profile.Kind {
	if s == profile.NoStack {
		return profile.KindOfPseudo(codec.LoneName(k))
	}
	return codec.Kind(c.p.Function(c.p.Frames.Function[c.p.Stacks.Frame[s]]))
}

// stack is a stack with its top first.
func (c *converter) stack(s profile.StackID, k profile.Kind) int32 {
	if s == profile.NoStack {
		id, ok := c.lone[k]
		if !ok {
			id = c.newStack(c.newLocation(c.newFunction(profile.Function{Name: codec.LoneName(k)}), 0, 0))
			c.lone[k] = id
		}
		return id
	}
	if c.stacks[s] < 0 {
		var locations []int32
		for at := s; at != profile.NoStack; at = c.p.Stacks.Parent[at] {
			locations = append(locations, c.location(c.p.Stacks.Frame[at]))
		}
		c.stacks[s] = c.newStack(locations...)
	}
	return c.stacks[s]
}

func (c *converter) newStack(locations ...int32) int32 {
	id := c.dictionary.StackTable().Len()
	c.dictionary.StackTable().AppendEmpty().LocationIndices().Append(locations...)
	return int32(id)
}

func (c *converter) location(f profile.FrameID) int32 {
	if c.locations[f] < 0 {
		t := &c.p.Frames
		if c.functions[t.Function[f]] < 0 {
			c.functions[t.Function[f]] = c.newFunction(c.p.Function(t.Function[f]))
		}
		c.locations[f] = c.newLocation(c.functions[t.Function[f]], t.Line[f], t.Column[f])
	}
	return c.locations[f]
}

func (c *converter) newLocation(function, line, column int32) int32 {
	id := c.dictionary.LocationTable().Len()
	l := c.dictionary.LocationTable().AppendEmpty()
	l.AttributeIndices().Append(c.attribute(frameType, frameTypeJS))
	at := l.Lines().AppendEmpty()
	at.SetFunctionIndex(function)
	at.SetLine(int64(line))
	at.SetColumn(int64(column))
	return int32(id)
}

func (c *converter) newFunction(f profile.Function) int32 {
	id := c.dictionary.FunctionTable().Len()
	out := c.dictionary.FunctionTable().AppendEmpty()
	out.SetNameStrindex(c.string(f.Label()))
	out.SetFilenameStrindex(c.string(f.File))
	out.SetStartLine(int64(f.Line))
	return int32(id)
}
