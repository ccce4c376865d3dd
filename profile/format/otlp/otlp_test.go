package otlp

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// message is a message with a dictionary of two functions and a stack of both,
// for others to spoil.
type message struct {
	pprofile.Profiles
	profile pprofile.Profile
}

func newMessage() message {
	m := message{Profiles: pprofile.NewProfiles()}
	d := m.Dictionary()
	d.StringTable().Append("", "cpu", "nanoseconds", "main", "work", "app.go", "samples", "count")
	d.FunctionTable().AppendEmpty()
	d.LocationTable().AppendEmpty()
	d.StackTable().AppendEmpty()
	for i := range int32(2) {
		f := d.FunctionTable().AppendEmpty()
		f.SetNameStrindex(3 + i)
		f.SetFilenameStrindex(5)
		l := d.LocationTable().AppendEmpty().Lines().AppendEmpty()
		l.SetFunctionIndex(1 + i)
		l.SetLine(7)
	}
	d.StackTable().AppendEmpty().LocationIndices().Append(2, 1) // main calls work
	m.profile = m.ResourceProfiles().AppendEmpty().ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
	m.typed(1, 2)
	return m
}

func (m message) typed(kind, unit int32) {
	m.profile.SampleType().SetTypeStrindex(kind)
	m.profile.SampleType().SetUnitStrindex(unit)
}

func (m message) sample(values ...int64) pprofile.Sample {
	s := m.profile.Samples().AppendEmpty()
	s.SetStackIndex(1)
	s.Values().Append(values...)
	return s
}

func (m message) bytes(t testing.TB) []byte {
	t.Helper()
	return must.Get(new(pprofile.ProtoMarshaler).MarshalProfiles(m.Profiles))(t)
}

func selfTimes(p *profile.Profile) string {
	var all []string
	for _, r := range view.Flat(p) {
		if r.Self > 0 {
			all = append(all, fmt.Sprintf("%s %d×%v in %d", r.Name, r.Self, p.Meta.Interval, r.Samples))
		}
	}
	return strings.Join(all, ", ")
}

func TestReadOthers(t *testing.T) {
	period := func(m message, p int64) message {
		m.profile.PeriodType().SetUnitStrindex(2)
		m.profile.SetPeriod(p)
		return m
	}
	for name, c := range map[string]struct {
		make func() message
		want string
	}{
		"a sum of times":   {func() message { m := newMessage(); m.sample(30e6); return period(m, 10e6) }, "work 3×10ms in 1"},
		"without a period": {func() message { m := newMessage(); m.sample(30e6); m.sample(20e6); return m }, "work 5×10ms in 2"},
		"less than a tick": {func() message { m := newMessage(); m.sample(3e6); return period(m, 10e6) }, "work 1×3ms in 1"},
		"uneven times": {func() message {
			m := newMessage()
			for _, v := range []int64{0.1e6, 9e6, 14e6} {
				m.sample(v)
			}
			return period(m, 10e6)
		}, "work 231×100µs in 3"},
		"counts": {func() message { m := newMessage(); m.typed(6, 7); m.sample(4); return m }, "work 4×0s in 1"},
		"timestamps only": {func() message {
			m := newMessage()
			m.typed(6, 7)
			m.sample().TimestampsUnixNano().Append(5, 6, 7)
			return m
		}, "work 3×0s in 3"},
		"times over counts": {withCounts, "work 2×1ms in 1"},
	} {
		p := must.Get(Read(bytes.NewReader(c.make().bytes(t))))(t)
		must.Equal(t, selfTimes(p), c.want, name)
	}
}

// withCounts has a profile of counts before that of times.
func withCounts() message {
	m := newMessage()
	m.typed(6, 7)
	m.sample(9)
	m.profile = m.ResourceProfiles().At(0).ScopeProfiles().At(0).Profiles().AppendEmpty()
	m.typed(1, 2)
	m.profile.PeriodType().SetUnitStrindex(2)
	m.profile.SetPeriod(1e6)
	m.sample(2e6)
	return m
}

// Profiles of a scope with the same start are one recording, and others are recordings of their own.
func TestReadAll(t *testing.T) {
	m := withCounts()
	add := func(began, value int64, unit int32) {
		m.profile = m.ResourceProfiles().AppendEmpty().ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
		m.typed(6, unit)
		m.profile.SetTime(pcommon.Timestamp(began))
		m.sample(value)
	}
	add(0, 3, 7)
	add(5, 1000, 3)
	m.profile = m.ResourceProfiles().At(1).ScopeProfiles().At(0).Profiles().AppendEmpty()
	m.typed(6, 7)
	m.profile.SetTime(9)
	m.sample(4)
	all, others, err := Limits{}.ReadAll(bytes.NewReader(m.bytes(t)))
	must.Do(t, err)
	var got []string
	for _, p := range all {
		got = append(got, selfTimes(p))
	}
	must.Equal(t, got, []string{"work 2×1ms in 1", "work 3×0s in 1", "work 4×0s in 1"})
	must.Equal(t, others, 1)
	for _, l := range []Limits{{Frames: 5}, {Profiles: 2}} {
		var many *codec.TooMany
		if _, _, err := l.ReadAll(bytes.NewReader(m.bytes(t))); !errors.As(err, &many) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// A profile without a time begins a tick before its first timestamp, and a sample without one is after the ticks
// before it.
func TestTimesOfUnknownStart(t *testing.T) {
	const at = uint64(1_790_000_000_000_000_000)
	for name, c := range map[string]struct {
		times []uint64
		start time.Time
		want  []int64
	}{
		"not in order":  {[]uint64{at + 30e6, at, at + 30e6}, time.Unix(0, int64(at)-10e6), []int64{10e6, 40e6, 40e6}},
		"one without":   {[]uint64{at + 5e6, 0}, time.Unix(0, int64(at)-5e6), []int64{10e6, 20e6}},
		"all without":   {[]uint64{0, 0}, time.Time{}, []int64{0}},
		"from a moment": {[]uint64{70e6, 90e6}, time.Time{}, []int64{70e6, 90e6}},
	} {
		m := newMessage()
		m.typed(6, 7)
		m.profile.PeriodType().SetUnitStrindex(2)
		m.profile.SetPeriod(10e6)
		m.sample().TimestampsUnixNano().Append(c.times...)
		p := must.Get(Read(bytes.NewReader(m.bytes(t))))(t, name)
		must.Equal(t, p.Samples.Time, c.want, name)
		must.Equal(t, p.Meta.Start.Equal(c.start), true, name, p.Meta.Start)
	}
}

// Profiles of one type are of different recordings, though they began at once, or at a time that is not known.
func TestRecordingsOfOneType(t *testing.T) {
	m := withCounts()
	for _, value := range []int64{5e6, 7e6} {
		m.profile = m.ResourceProfiles().At(0).ScopeProfiles().At(0).Profiles().AppendEmpty()
		m.typed(1, 2)
		m.sample(value)
	}
	all, others, err := Limits{}.ReadAll(bytes.NewReader(m.bytes(t)))
	must.Do(t, err)
	var got []string
	for _, p := range all {
		got = append(got, selfTimes(p))
	}
	must.Equal(t, got, []string{"work 2×1ms in 1", "work 1×5ms in 1", "work 1×7ms in 1"})
	must.Equal(t, others, 0)
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m message)
		want  string
	}{
		"stack out of range":    {func(m message) { m.sample(1).SetStackIndex(9) }, "sample 0: stack 9 of 2"},
		"stack below zero":      {func(m message) { m.sample(1).SetStackIndex(-1) }, "sample 0: stack -1 of 2"},
		"location out of range": {func(m message) { m.sample(1); m.Dictionary().StackTable().At(1).LocationIndices().Append(8) }, "stack 1: location 8 of 3"},
		"function out of range": {func(m message) {
			m.sample(1)
			m.Dictionary().LocationTable().At(1).Lines().At(0).SetFunctionIndex(7)
		}, "location 1: function 7 of 3"},
		"negative value":      {func(m message) { m.sample(-1) }, "sample 0: value -1"},
		"endless values":      {func(m message) { m.sample(1<<61 - 1); m.sample(1) }, "more than"},
		"values and times":    {func(m message) { m.sample(1, 2).TimestampsUnixNano().Append(1) }, "2 values and 1 timestamps"},
		"nothing of the kind": {func(m message) { m.typed(1, 3) }, "no profile of times or counts"},
	} {
		m := newMessage()
		c.spoil(m)
		must.Refuse(Read(bytes.NewReader(m.bytes(t))))(t, c.want, name)
	}
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("main;work 3\n"), "cut short": newMessage().bytes(t)[:40]} {
		if _, err := Read(bytes.NewReader(data)); err == nil || !strings.HasPrefix(err.Error(), "otlp: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	m := newMessage()
	m.sample(3e6, 4e6).TimestampsUnixNano().Append(1, 2)
	f.Add(m.bytes(f))
	f.Add(withCounts().bytes(f))
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f", Line: 3}), 4, 5)), Weight: 2, Kind: profile.Native, Marker: profile.MarkerGC})
	b.Mark(profile.Mark{What: profile.Measure, Name: "m", Duration: time.Second})
	f.Add(must.Get(marshal(b.Profile(), nil))(f))
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"more time"}, NotAgain: []string{"range"},
		Skip: func(p *profile.Profile) bool { return p.Len() > 1<<16 }}
	format.Fuzz(f, selfTimes)
}
