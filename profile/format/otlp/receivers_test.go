package otlp

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

// recording has what receivers stumble over: a stack that occurs twice, weights, samples
// without a stack, marks that split a stack's samples, and a sample at the same nanosecond
// as the one before.
func recording() *profile.Profile {
	const ms = int64(time.Millisecond)
	b := profile.Builder{Meta: profile.Meta{Start: time.UnixMicro(1_790_000_000_000_000).UTC(), Interval: 10 * time.Millisecond, Duration: 80 * time.Millisecond, Program: "shop"}}
	main := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "main", File: "app.js", Line: 1}), 2, 1))
	work := b.Stack(main, b.Frame(b.Function(profile.Function{Name: "work", File: "app.js", Line: 9}), 10, 4))
	b.Sample(profile.Sample{Time: 10 * ms, Stack: work, Weight: 1})
	b.Sample(profile.Sample{Time: 40 * ms, Stack: work, Weight: 3, Marker: profile.MarkerScript})
	b.Sample(profile.Sample{Time: 50 * ms, Stack: profile.NoStack, Weight: 1, Kind: profile.Idle})
	b.Sample(profile.Sample{Time: 60 * ms, Stack: work, Weight: 1, Kind: profile.Loop})
	b.Sample(profile.Sample{Time: 60 * ms, Stack: work, Weight: 2, Kind: profile.Loop})
	b.Sample(profile.Sample{Time: 80 * ms, Stack: main, Weight: 1})
	b.Mark(profile.Mark{What: profile.Interaction, Name: "click", Target: "button#save", Time: 5 * time.Millisecond, Duration: 50 * time.Millisecond})
	b.Mark(profile.Mark{What: profile.Measure, Name: "checkout", Time: 55 * time.Millisecond, Duration: 9 * time.Millisecond})
	b.Mark(profile.Mark{What: "of a page", Name: "no label", Duration: 80 * time.Millisecond})
	return b.Profile()
}

func parsed(t *testing.T, data []byte) pprofile.Profiles {
	t.Helper()
	return must.Get(new(pprofile.ProtoUnmarshaler).UnmarshalProfiles(data))(t)
}

// TestPyroscopeTakesIt converts what is written by the rules of Pyroscope.
func TestPyroscopeTakesIt(t *testing.T) {
	got := must.Get(pyroscope(parsed(t, must.Get(marshal(recording(), nil))(t))))(t)
	must.Equal(t, got, map[string]int64{
		"process_cpu shop main;work fieldprof.interaction=click button#save":                         10e6,
		"process_cpu shop main;work fieldprof.marker=script fieldprof.interaction=click button#save": 30e6,
		"process_cpu shop (idle) fieldprof.interaction=click button#save":                            10e6,
		"process_cpu shop main;work fieldprof.kind=loop fieldprof.measure=checkout":                  30e6,
		"process_cpu shop main": 10e6,
	})
}

// The form of earlier versions is what Pyroscope refuses, and what Read still takes.
func TestTheOldForm(t *testing.T) {
	m := newMessage()
	m.profile.PeriodType().SetTypeStrindex(1)
	m.profile.PeriodType().SetUnitStrindex(2)
	m.profile.SetPeriod(10e6)
	m.Dictionary().MappingTable().AppendEmpty()
	m.sample(10e6, 20e6).TimestampsUnixNano().Append(5, 40)
	data := m.bytes(t)
	_, err := pyroscope(parsed(t, data))
	must.Fail(t, err, "2 values for 1 sample type")
	must.Equal(t, selfTimes(formattest.Parsed(t, Read, bytes.NewReader(data))), "work 3×10ms in 2")
}

// pyroscope is what Pyroscope stores of a message: the values by series, stack and labels.
// The rules are the same as in ConvertOtelToGoogle in its pkg/ingester/otlp.
func pyroscope(all pprofile.Profiles) (map[string]int64, error) {
	stored := map[string]int64{}
	for _, resource := range all.ResourceProfiles().All() {
		service := "unknown_service"
		if name, ok := resource.Resource().Attributes().Get("service.name"); ok {
			service = name.AsString()
		}
		for _, scope := range resource.ScopeProfiles().All() {
			for _, p := range scope.Profiles().All() {
				series := pyroscopeSeries{all.Dictionary(), p, service, stored}
				if err := series.store(); err != nil {
					return nil, err
				}
			}
		}
	}
	return stored, nil
}

type pyroscopeSeries struct {
	pprofile.ProfilesDictionary
	pprofile.Profile
	service string
	stored  map[string]int64
}

func (s pyroscopeSeries) store() error {
	text := func(i int32) string { return s.StringTable().At(int(i)) }
	kind := text(s.SampleType().TypeStrindex()) + ":" + text(s.SampleType().UnitStrindex())
	if s.Period() != 0 {
		kind += ":" + text(s.PeriodType().TypeStrindex()) + ":" + text(s.PeriodType().UnitStrindex())
	}
	name, scale := "", int64(1)
	if kind == "samples:count:cpu:nanoseconds" {
		name, scale = "process_cpu", s.Period()
	}
	for i, sample := range s.Samples().All() {
		values := sample.Values().AsRaw()
		if len(values) == 0 && sample.TimestampsUnixNano().Len() > 0 {
			values = []int64{int64(sample.TimestampsUnixNano().Len())}
		}
		if len(values) == 0 || s.Period() != 0 && len(values) != 1 {
			return fmt.Errorf("sample %d: %d values for 1 sample type", i, len(values))
		}
		var stack []string
		for _, l := range s.StackTable().At(int(sample.StackIndex())).LocationIndices().All() {
			location := s.LocationTable().At(int(l))
			if int(location.MappingIndex()) >= s.MappingTable().Len() {
				return fmt.Errorf("location %d: no mapping %d", l, location.MappingIndex())
			}
			for _, line := range location.Lines().All() {
				stack = append(stack, text(s.FunctionTable().At(int(line.FunctionIndex())).NameStrindex()))
			}
		}
		slices.Reverse(stack)
		key := []string{name, s.service, strings.Join(stack, ";")}
		for _, a := range sample.AttributeIndices().All() {
			attribute := s.AttributeTable().At(int(a))
			if v := attribute.Value().AsString(); v != "" {
				key = append(key, text(attribute.KeyStrindex())+"="+v)
			}
		}
		s.stored[strings.Join(key, " ")] += values[0] * scale
	}
	return nil
}

// TestCollectorMergesIt lets the collector's own code bring a message into another
// dictionary, as its processors do: the same profile arrives.
func TestCollectorMergesIt(t *testing.T) {
	p := recording()
	written := must.Get(marshal(p, nil))(t)
	merged, ours, other := newMessage().Profiles, parsed(t, written), newMessage()
	merged.ResourceProfiles().RemoveIf(func(pprofile.ResourceProfiles) bool { return true }) // but not its dictionary
	must.Equal(t, ours.SampleCount(), 5)
	must.Do(t, ours.MergeTo(merged))
	other.typed(6, 7)
	other.sample(1)
	must.Do(t, other.MergeTo(merged))
	must.Equal(t, merged.ProfileCount(), 2)
	sent := must.Get(new(pprofile.ProtoMarshaler).MarshalProfiles(merged))(t)
	want, got := formattest.Parsed(t, Read, bytes.NewReader(written)), formattest.Parsed(t, Read, bytes.NewReader(sent))
	must.Equal(t, formattest.Spell(got), formattest.Spell(want))
	must.Equal(t, got.Marks, p.Marks)

	inJSON := must.Get(new(pprofile.JSONMarshaler).MarshalProfiles(parsed(t, written)))(t)
	must.Equal(t, must.Get(new(pprofile.JSONUnmarshaler).UnmarshalProfiles(inJSON))(t).SampleCount(), 5)
}

// TestTheSignalsRules has the rules in the text of profiles.proto, as the signal's own checker
// (profcheck) has them.
func TestTheSignalsRules(t *testing.T) {
	all := parsed(t, must.Get(marshal(recording(), nil))(t))
	d := all.Dictionary()
	must.Equal(t, d.StringTable().At(0), "")
	must.Equal(t, d.StackTable().At(0).LocationIndices().Len(), 0)
	must.Equal(t, d.LocationTable().At(0).Lines().Len(), 0)
	must.Equal(t, d.FunctionTable().At(0).NameStrindex(), int32(0))
	must.Equal(t, d.AttributeTable().At(0).KeyStrindex(), int32(0))
	must.Equal(t, d.MappingTable().Len(), 1)
	must.Equal(t, d.LinkTable().Len(), 1)
	p := all.ResourceProfiles().At(0).ScopeProfiles().At(0).Profiles().At(0)
	seen := map[string]bool{}
	for i, s := range p.Samples().All() {
		if s.Values().Len() != 0 || s.TimestampsUnixNano().Len() == 0 {
			t.Errorf("sample %d has another shape: %d values", i, s.Values().Len())
		}
		for _, at := range s.TimestampsUnixNano().All() {
			if at < uint64(p.Time()) || at >= uint64(p.Time())+p.DurationNano() {
				t.Errorf("sample %d: %d is outside of the profile", i, at)
			}
		}
		identity := fmt.Sprint(s.StackIndex(), s.AttributeIndices().AsRaw())
		if seen[identity] {
			t.Errorf("sample %d has the stack and attributes of another", i)
		}
		seen[identity] = true
	}
}

// Many ticks in few samples are sums, which all receivers take.
func TestSums(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond, Program: "long"}}
	f := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f"}), 0, 0))
	b.Sample(profile.Sample{Stack: f, Weight: 3 << 20})
	b.Sample(profile.Sample{Time: 7, Stack: f, Weight: 5})
	data := must.Get(marshal(b.Profile(), nil))(t)
	must.Equal(t, must.Get(pyroscope(parsed(t, data)))(t), map[string]int64{"process_cpu long f": (3<<20 + 5) * 1e6})
	must.Equal(t, selfTimes(formattest.Parsed(t, Read, bytes.NewReader(data))), "f 3145733×1ms in 1")
}
