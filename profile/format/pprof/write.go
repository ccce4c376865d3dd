package pprof

import (
	"fmt"
	"io"

	pb "github.com/google/pprof/profile"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

const (
	kindLabel   = "kind"
	markerLabel = "marker"
	metaComment = "fieldprof "
)

// Write writes an attributed profile, gzipped.
func Write(w io.Writer, p *profile.Profile) error {
	out, err := convert(p)
	if err != nil {
		return err
	}
	if err := out.CheckValid(); err != nil {
		return fmt.Errorf("pprof: %w", err)
	}
	return out.Write(w)
}

func convert(p *profile.Profile) (*pb.Profile, error) {
	o, err := codec.Prepare("pprof", p, 0, codec.Once)
	if err != nil {
		return nil, err
	}
	c := &converter{p: p, locations: make([]*pb.Location, len(p.Frames.Function)), functions: make([]*pb.Function, len(p.Functions.Name)),
		lone: make(map[profile.Kind]*pb.Location)}
	c.out = &pb.Profile{
		SampleType:    []*pb.ValueType{{Type: "samples", Unit: "count"}, {Type: "time", Unit: "nanoseconds"}},
		PeriodType:    &pb.ValueType{Type: "time", Unit: "nanoseconds"},
		Period:        int64(p.Meta.Interval),
		DurationNanos: int64(p.Meta.Duration),
		Comments:      []string{p.HealthLine(), metaComment + string(o.Meta)},
	}
	if p.Meta.Interval == 0 { // no clock: ticks are all there is
		c.out.SampleType[1] = &pb.ValueType{Type: "ticks", Unit: "count"}
		c.out.PeriodType, c.out.Period = nil, 0
	}
	c.out.DefaultSampleType = c.out.SampleType[1].Type
	if !p.Meta.Start.IsZero() {
		c.out.TimeNanos = p.Meta.Start.UnixNano()
	}
	c.samples()
	return c.out, nil
}

type converter struct {
	p         *profile.Profile
	out       *pb.Profile
	functions []*pb.Function
	locations []*pb.Location
	lone      map[profile.Kind]*pb.Location // of samples without a stack
}

func (c *converter) samples() {
	type key struct {
		stack  profile.StackID
		kind   profile.Kind
		marker profile.Marker
		labels int
		tags   profile.TagsID
	}
	samples := make(map[key]*pb.Sample)
	plain := make([]*pb.Sample, len(c.p.Stacks.Parent)) // those of kind Own without labels, which most are
	labels := codec.NewLabels(c.p)
	for i, stack := range c.p.Samples.Stack {
		sample := c.p.Sample(i)
		k := key{stack, sample.Kind, sample.Marker, labels.Of(i), sample.Tags}
		isPlain := stack != profile.NoStack && k == key{stack: stack, kind: profile.Own}
		var s *pb.Sample
		if isPlain {
			s = plain[stack]
		} else {
			s = samples[k]
		}
		if s == nil {
			s = &pb.Sample{Value: make([]int64, 2), Location: c.stack(stack, k.kind)}
			s.Label = labelsOf(k.kind, kindOf(s), k.marker, labels.Sets[k.labels])
			addTags(s.Label, c.p.TagsOf(i))
			if isPlain {
				plain[stack] = s
			} else {
				samples[k] = s
			}
			c.out.Sample = append(c.out.Sample, s)
		}
		if c.p.Meta.Summed {
			s.Value[0] += int64(c.p.Samples.Weight[i])
		} else {
			s.Value[0]++
		}
		s.Value[1] += int64(c.p.Samples.Weight[i])
	}
	for _, s := range c.out.Sample {
		s.Value[1] *= max(1, int64(c.p.Meta.Interval))
	}
}

// labelsOf are the labels of a sample: its kind, unless its stack shows that, its
// marker, and the marks that it falls within.
func labelsOf(kind, told profile.Kind, marker profile.Marker, marks []codec.Label) map[string][]string {
	all := make(map[string][]string)
	if kind != told {
		all[kindLabel] = []string{kind.String()}
	}
	if marker != profile.NoMarker {
		all[markerLabel] = []string{marker.String()}
	}
	for _, l := range marks {
		all[l.Key] = []string{l.Value}
	}
	return all
}

// stack is a stack with its top first.
func (c *converter) stack(s profile.StackID, k profile.Kind) []*pb.Location {
	var stack []*pb.Location
	if s == profile.NoStack {
		return append(stack, c.pseudo(k))
	}
	for ; s != profile.NoStack; s = c.p.Stacks.Parent[s] {
		stack = append(stack, c.location(c.p.Stacks.Frame[s]))
	}
	return stack
}

func (c *converter) pseudo(k profile.Kind) *pb.Location {
	name := codec.LoneName(k)
	k = profile.KindOfPseudo(name)
	if c.lone[k] == nil {
		c.lone[k] = c.newLocation(pb.Line{Function: c.newFunction(&pb.Function{Name: name})})
	}
	return c.lone[k]
}

func (c *converter) location(f profile.FrameID) *pb.Location {
	if c.locations[f] == nil {
		t := &c.p.Frames
		c.locations[f] = c.newLocation(pb.Line{Function: c.function(t.Function[f]), Line: int64(t.Line[f]), Column: int64(t.Column[f])})
	}
	return c.locations[f]
}

func (c *converter) newLocation(line pb.Line) *pb.Location {
	l := &pb.Location{ID: uint64(len(c.out.Location) + 1), Line: []pb.Line{line}}
	c.out.Location = append(c.out.Location, l)
	return l
}

func (c *converter) function(f profile.FunctionID) *pb.Function {
	if c.functions[f] == nil {
		fn := c.p.Function(f)
		c.functions[f] = c.newFunction(&pb.Function{Name: fn.Label(), Filename: fn.File, StartLine: int64(fn.Line)})
	}
	return c.functions[f]
}

func (c *converter) newFunction(f *pb.Function) *pb.Function {
	f.ID = uint64(len(c.out.Function) + 1)
	c.out.Function = append(c.out.Function, f)
	return f
}
