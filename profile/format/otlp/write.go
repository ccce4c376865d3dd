package otlp

import (
	"fmt"
	"io"
	"math"
	"slices"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Attributes.
const (
	serviceName   = "service.name"
	metaAttribute = "fieldprof.meta"
	kindAttribute = "fieldprof.kind"
	frameType     = "profile.frame.type" // a semantic convention
	frameTypeJS   = "v8js"
)

// Write writes an attributed profile.
func Write(w io.Writer, p *profile.Profile) error {
	data, err := marshal(p)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func marshal(p *profile.Profile) ([]byte, error) {
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
	scope := resource.ScopeProfiles().AppendEmpty()
	scope.Scope().SetName("github.com/fieldprof/fieldprof")
	if err := c.profile(scope.Profiles().AppendEmpty(), string(o.Meta)); err != nil {
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

func (c *converter) profile(out pprofile.Profile, meta string) error {
	m := &c.p.Meta
	out.AttributeIndices().Append(c.attribute(metaAttribute, meta))
	sampleType, unit, scale := "time", "nanoseconds", int64(m.Interval)
	if scale == 0 { // no clock: ticks are all there is
		sampleType, unit, scale = "ticks", "count", 1
	} else {
		out.PeriodType().SetTypeStrindex(c.string(sampleType))
		out.PeriodType().SetUnitStrindex(c.string(unit))
		out.SetPeriod(scale)
	}
	out.SampleType().SetTypeStrindex(c.string(sampleType))
	out.SampleType().SetUnitStrindex(c.string(unit))
	start := int64(0)
	if !m.Start.IsZero() {
		start = m.Start.UnixNano()
	}
	if start < 0 || c.p.Len() > 0 && c.p.Samples.Time[c.p.Len()-1] > math.MaxInt64-start {
		return fmt.Errorf("otlp: it starts at %v, which the format cannot hold", m.Start)
	}
	out.SetTime(pcommon.Timestamp(start))
	out.SetDurationNano(uint64(max(0, m.Duration)))
	c.samples(out, uint64(start), scale)
	return nil
}

func (c *converter) samples(out pprofile.Profile, start uint64, scale int64) {
	type key struct {
		stack profile.StackID
		kind  profile.Kind
	}
	made := make(map[key]pprofile.Sample)
	for i, s := range c.p.Samples.Stack {
		k := key{s, c.p.Samples.Kind[i]}
		sample, ok := made[k]
		if !ok {
			// A sample of a slice that still grows would be left behind: they are
			// pointers, so it is not.
			sample = out.Samples().AppendEmpty()
			sample.SetStackIndex(c.stack(s, k.kind))
			if k.kind != c.told(s, k.kind) {
				sample.AttributeIndices().Append(c.attribute(kindAttribute, k.kind.String()))
			}
			made[k] = sample
		}
		sample.Values().Append(int64(c.p.Samples.Weight[i]) * scale)
		sample.TimestampsUnixNano().Append(start + uint64(c.p.Samples.Time[i]))
	}
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
