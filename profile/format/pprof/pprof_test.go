package pprof

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	pb "github.com/google/pprof/profile"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// busy has recursion, weights, unnamed functions, host code, pseudo-functions
// and one function at many positions.
func busy() *profile.Profile {
	var b profile.Builder
	b.Meta = profile.Meta{Start: time.Unix(1_790_000_000, 5).UTC(), Duration: time.Second, Interval: 1_500_000, Program: "a.ts", Engine: "goja",
		Ticks: profile.Ticks{Raised: 50, Taken: 50}, Skid: profile.Spread{Count: 30, Median: 1000, P95: 2000, Max: 3000}}
	fn := func(name string, line int32, flags profile.Flags) profile.FunctionID {
		f := profile.Function{Name: name, File: "src/a.ts", Line: line, Column: 7, Flags: flags}
		if flags&profile.NativeCode != 0 {
			f.File, f.Line, f.Column = profile.NameNative, 0, 0
		}
		return b.Function(f)
	}
	main, walk := fn("main", 1, 0), fn("walk", 20, 0)
	stack := b.Stack(profile.NoStack, b.Frame(fn("", 0, profile.TopLevel), 90, 1))
	stack = b.Stack(stack, b.Frame(main, 3, 9))
	n := 0
	add := func(s profile.StackID, w int32, k profile.Kind) {
		n++
		b.Sample(profile.Sample{Time: int64(n) * 1000, Stack: s, Weight: w, Kind: k})
	}
	s := stack
	for i := range int32(9) {
		s = b.Stack(s, b.Frame(walk, 21+i%2, 5))
		add(s, 1+i%4, profile.Own)
	}
	for i := range int32(12) {
		add(b.Stack(stack, b.Frame(fn("spread", 40, 0), 41+i, 5)), 2, profile.Own)
	}
	add(b.Stack(s, b.Frame(fn("", 60, 0), 61, 2)), 5, profile.Own)
	add(b.Stack(s, b.Frame(fn("", 70, 0), 71, 2)), 3, profile.Own)
	add(b.Stack(stack, b.Frame(fn("crypto.hash", 0, profile.NativeCode), 0, 0)), 6, profile.Native)
	add(b.Stack(s, b.Frame(main, 4, 4)), 1, profile.Own)
	for _, k := range []profile.Kind{profile.Idle, profile.GC, profile.Program, profile.Lost} {
		add(b.Pseudo(profile.NoStack, k.PseudoName()), 2, k)
	}
	return b.Profile()
}

// TestToolAgrees has `go tool pprof -top` read what we write.
func TestToolAgrees(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("SKIPPED, nothing was compared with go tool pprof: %v", err)
	}
	p := busy()
	b := formattest.Written(t, Write, p)
	file := filepath.Join(t.TempDir(), "a.pprof")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	for _, c := range []struct {
		args []string
		unit float64 // of pprof's numbers, in ms; 0: they are counts
	}{{nil, 1}, {[]string{"-sample_index=samples"}, 0}} {
		cmd := exec.Command("go", append(append([]string{"tool", "pprof", "-top", "-unit=ms", "-nodecount=100", "-nodefraction=0"}, c.args...), file)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		type row struct{ self, total float64 }
		got := map[string]row{}
		line := regexp.MustCompile(`(?m)^\s*([\d.]+)(?:ms)?\s+[\d.]+%\s+[\d.]+%\s+([\d.]+)(?:ms)?\s+[\d.]+%\s+(\S.*)$`)
		for _, m := range line.FindAllStringSubmatch(string(out), -1) {
			self, _ := strconv.ParseFloat(m[1], 64)
			total, _ := strconv.ParseFloat(m[2], 64)
			got[m[3]] = row{self, total}
		}
		rows := view.Flat(p)
		must.Equal(t, len(got), len(rows), "pprof", out)
		for _, r := range rows {
			label := p.Function(r.Function).Label()
			g, ok := got[label]
			if !ok {
				t.Errorf("pprof does not have %q\n%s", label, out)
				continue
			}
			if c.unit == 0 {
				must.Equal(t, g.self, float64(r.Samples), label)
				continue
			}
			self, total := float64(r.SelfTime)/1e6, float64(r.TotalTime)/1e6
			if math.Abs(g.self-self) > 0.005 || math.Abs(g.total-total) > 0.005 {
				t.Errorf("%s: pprof says %v and %v ms, we %v and %v", label, g.self, g.total, self, total)
			}
		}
	}
}

func TestWrittenProfile(t *testing.T) {
	b := formattest.Written(t, Write, busy())
	p := must.Get(pb.ParseData(b.Bytes()))(t)
	must.Do(t, p.CheckValid())
	if p.DefaultSampleType != "time" || p.Period != 1_500_000 || p.TimeNanos != 1_790_000_000_000_000_005 || p.DurationNanos != 1e9 {
		t.Errorf("%v", p)
	}
	if !strings.HasPrefix(p.Comments[0], "50 ticks in 1.0s at 1.5ms, ") {
		t.Errorf("comments %q", p.Comments)
	}
	for _, f := range p.Function {
		if f.Name == "walk" && (f.Filename != "src/a.ts" || f.StartLine != 20) {
			t.Errorf("%+v", f)
		}
	}
}

// TestMarksAreLabels has samples within an interaction, which go tool pprof can take out,
// and which are one sample again when they are read.
func TestMarksAreLabels(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond}}
	f := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f"}), 0, 0))
	for i, marker := range []profile.Marker{0, 0, 0, profile.MarkerStyle} {
		b.Sample(profile.Sample{Time: int64(i) * 10, Stack: f, Weight: 2, Marker: marker})
	}
	b.Mark(profile.Mark{What: profile.Interaction, Name: "click", Target: "b", Time: 9, Duration: 11})
	b.Mark(profile.Mark{What: profile.Interaction, Name: "keydown", Time: 12, Duration: 1})
	b.Mark(profile.Mark{What: profile.UserMark, Name: "moment", Time: 10})
	var got []string
	out := must.Get(convert(b.Profile()))(t)
	for _, s := range out.Sample {
		got = append(got, fmt.Sprint(s.Value[0], s.Label))
	}
	must.Equal(t, got, []string{"1 map[]", "2 map[interaction:[click b]]", "1 map[marker:[style]]"})
	p := formattest.Parsed(t, Read, formattest.Written(t, Write, b.Profile()))
	must.Equal(t, formattest.Spell(p), []string{"2000000 2 own 0 [{f  0 0 0} 0 0]", "4000000 2 own 0 [{f  0 0 0} 0 0]", "6000000 2 own 0 [{f  0 0 0} 0 0]", "8000000 2 own 0 [{f  0 0 0} 0 0]"})
	must.Equal(t, p.Samples.Marker, []profile.Marker{0, 0, 0, profile.MarkerStyle})
}

func TestRoundTrip(t *testing.T) {
	p := busy()
	b := formattest.Written(t, Write, p)
	got := formattest.Parsed(t, Read, b)
	var top, want bytes.Buffer
	_ = view.WriteTop(&top, got, 0)
	_ = view.WriteTop(&want, p, 0)
	must.Equal(t, top.String(), want.String())
	must.Equal(t, got.Meta, p.Meta, "meta")
	kinds := map[profile.Kind]int{}
	for _, k := range got.Samples.Kind {
		kinds[k]++
	}
	must.Equal(t, fmt.Sprint(kinds), "map[own:24 native:1 idle:1 gc:1 program:1 lost:1]", "kinds")
	flags := map[string]profile.Flags{}
	for f := range got.Functions.Name {
		flags[got.Function(profile.FunctionID(f)).Label()] = got.Functions.Flags[f]
	}
	if flags["crypto.hash"] != profile.NativeCode || flags["(idle)"] != profile.Pseudo || flags["(top level) src/a.ts"] != profile.TopLevel {
		t.Errorf("flags %v", flags)
	}
}

func TestWithoutClock(t *testing.T) {
	p := busy()
	p.Meta.Interval = 0
	b := formattest.Written(t, Write, p)
	got := formattest.Parsed(t, Read, b)
	must.Equal(t, got.Meta.Interval, 0)
	must.Equal(t, view.Flat(got)[0].Self, view.Flat(p)[0].Self)
}

func TestReadGo(t *testing.T) {
	p := formattest.File(t, Read, "testdata/go.pprof")
	if p.Meta.Interval != 10*time.Millisecond || p.Meta.Start.IsZero() {
		t.Errorf("%+v", p.Meta)
	}
	if top := view.Flat(p)[0]; top.Name != "main.fibonacci" || top.SelfPercent < 50 || top.TotalPercent > 100 {
		t.Errorf("%+v", top)
	}
}

// goja's own profiler writes this format, with times that are not of whole periods.
func TestReadGoja(t *testing.T) {
	p := formattest.File(t, Read, "testdata/goja.pprof")
	must.Equal(t, (time.Duration(p.Samples.Ticks()) * p.Meta.Interval).Round(time.Millisecond), 29*time.Millisecond, p.Meta)
	if top := view.Flat(p)[0]; top.Name != "inner" || top.File != "app.js" || top.SelfPercent < 50 {
		t.Errorf("%+v", top)
	}
}

func TestReadForeign(t *testing.T) {
	loc := &pb.Location{ID: 1, Line: []pb.Line{{Function: &pb.Function{ID: 1, Name: "inner"}, Line: 4}, {Function: &pb.Function{ID: 2, Name: "outer"}, Line: 9}}}
	bare := &pb.Location{ID: 2, Address: 0xbeef, Mapping: &pb.Mapping{ID: 1, File: "lib.so"}}
	base := func(types ...*pb.ValueType) *pb.Profile {
		return &pb.Profile{SampleType: types, Location: []*pb.Location{loc, bare}, Mapping: []*pb.Mapping{bare.Mapping},
			Function: []*pb.Function{loc.Line[0].Function, loc.Line[1].Function}}
	}
	read := func(p *pb.Profile) *profile.Profile {
		t.Helper()
		var b bytes.Buffer
		must.Do(t, p.WriteUncompressed(&b))
		return formattest.Parsed(t, Read, &b)
	}
	// No count, another unit, no period: the interval divides the times.
	p := base(&pb.ValueType{Type: "wall", Unit: "milliseconds"})
	p.Sample = []*pb.Sample{{Location: []*pb.Location{loc, bare}, Value: []int64{30}}, {Location: []*pb.Location{bare}, Value: []int64{10}}}
	got := read(p)
	if got.Meta.Interval != 10*time.Millisecond || got.Len() != 2 || got.Samples.Weight[0] != 3 {
		t.Errorf("%+v %+v", got.Meta, got.Samples)
	}
	_, stack, _ := strings.Cut(formattest.Spell(got)[0], " 0 [")
	must.Equal(t, stack, "{inner  0 0 0} 4 0 {outer  0 0 0} 9 0 {0xbeef lib.so 0 0 0} 0 0]")
	// A count alone.
	p = base(&pb.ValueType{Type: "samples", Unit: "count"})
	p.Sample = []*pb.Sample{{Location: []*pb.Location{loc}, Value: []int64{7}}, {Location: []*pb.Location{bare}, Value: []int64{0}}}
	if got = read(p); got.Len() != 7 || got.Meta.Interval != 0 {
		t.Errorf("%d samples, %+v", got.Len(), got.Meta)
	}
	// So many samples that they stay together.
	p.Sample[0].Value[0] = MaxSamples + 5
	if got = read(p); got.Len() != 1 || got.Samples.Weight[0] != MaxSamples+5 {
		t.Errorf("%d samples", got.Len())
	}
}

// A count of anything does where there is no time: the default one, else the last. Counts beside
// bytes are of objects.
func TestReadCounts(t *testing.T) {
	for _, c := range []struct {
		types, standard, want string
	}{
		{"goroutine/count", "", "(program) 1"},
		{"cycles/count", "cycles", "(program) 1"},
		{"cycles/count events/count", "", "(program) 2"},
		{"cycles/count events/count cache-misses/count", "events", "(program) 2"},
		{"cycles/count samples/count events/count", "events", "(program) 2"},
		{"cycles/count cpu/milliseconds", "cycles", "(program) 2ms"},
		{"alloc_objects/count alloc_space/bytes", "alloc_objects", ""},
		{"space/bytes objects/count", "", ""},
	} {
		p := &pb.Profile{DefaultSampleType: c.standard, Sample: []*pb.Sample{{}}}
		for name := range strings.FieldsSeq(c.types) {
			of, unit, _ := strings.Cut(name, "/")
			p.SampleType = append(p.SampleType, &pb.ValueType{Type: of, Unit: unit})
			p.Sample[0].Value = append(p.Sample[0].Value, int64(len(p.SampleType)))
		}
		var b bytes.Buffer
		must.Do(t, p.WriteUncompressed(&b))
		if c.want == "" {
			must.Refuse(Read(&b))(t, "no sample type is a time or a count", c.types)
			continue
		}
		q := formattest.Parsed(t, Read, &b)
		got := formattest.SelfTimes(q)
		if q.Meta.Interval == 0 {
			got = fmt.Sprintf("(program) %d", q.Samples.Ticks())
		}
		must.Equal(t, got, c.want, c.types)
	}
}

// A file without a period has the shares that its times have, as Go's of mutexes, in which one stack may have
// nearly all.
func TestReadWithoutPeriod(t *testing.T) {
	function := func(id uint64, name string) *pb.Location {
		return &pb.Location{ID: id, Line: []pb.Line{{Function: &pb.Function{ID: id, Name: name}}}}
	}
	long := function(1, "long")
	p := &pb.Profile{SampleType: []*pb.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		PeriodType: &pb.ValueType{Type: "contentions", Unit: "count"}, Period: 1, Location: []*pb.Location{long}, Function: []*pb.Function{long.Line[0].Function},
		Sample: []*pb.Sample{{Location: []*pb.Location{long}, Value: []int64{1, 99e9}}}}
	for i := range uint64(999) {
		short := function(i+2, fmt.Sprint("short", i))
		p.Location, p.Function = append(p.Location, short), append(p.Function, short.Line[0].Function)
		p.Sample = append(p.Sample, &pb.Sample{Location: []*pb.Location{short}, Value: []int64{5, 1e6}})
	}
	for _, counted := range []string{"contentions", "samples"} {
		p.SampleType[0].Type = counted
		var b bytes.Buffer
		must.Do(t, p.WriteUncompressed(&b))
		rows := view.Flat(formattest.Parsed(t, Read, &b))
		must.Equal(t, []time.Duration{rows[0].SelfTime, rows[1].SelfTime, rows[999].SelfTime}, []time.Duration{99 * time.Second, time.Millisecond, time.Millisecond}, counted)
	}
}

// Times that are not of whole periods are kept as they are; those of whole ones, as far as their unit
// can tell, are of so many ticks.
func TestPeriodsAreNominal(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	uneven := make([]int64, 20)
	for i := range uneven {
		uneven[i] = random.Int64N(50_000) * 1000
	}
	for _, c := range []struct {
		unit         string
		period       int64
		values, want []int64
		interval     time.Duration
	}{
		{"nanoseconds", 10e6, []int64{0.1e6, 9e6, 14e6}, []int64{0.1e6, 9e6, 14e6}, 100 * time.Microsecond},
		{"nanoseconds", 10e6, []int64{10e6, 50e6}, []int64{10e6, 50e6}, 10 * time.Millisecond},
		{"microseconds", 10_101_010, []int64{10_101, 1_010_101}, []int64{10_101_010, 100 * 10_101_010}, 10_101_010},
		{"nanoseconds", 10e6, uneven, uneven, time.Microsecond},
	} {
		p := &pb.Profile{SampleType: []*pb.ValueType{{Type: "cpu", Unit: c.unit}}, PeriodType: &pb.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: c.period}
		for _, v := range c.values {
			p.Sample = append(p.Sample, &pb.Sample{Value: []int64{v}})
		}
		var b bytes.Buffer
		must.Do(t, p.WriteUncompressed(&b))
		q := formattest.Parsed(t, Read, &b)
		must.Equal(t, q.Meta.Interval, c.interval, c.values)
		var got []int64
		for _, weight := range q.Samples.Weight {
			got = append(got, int64(weight)*int64(q.Meta.Interval))
		}
		must.Equal(t, got, c.want, c.values)
	}
}

// Processor time is what the file says, also where it is near the wall clock's: 105 ticks in a second are those
// of several processors.
func TestTimesOfProcessors(t *testing.T) {
	at := &pb.Location{ID: 1, Line: []pb.Line{{Function: &pb.Function{ID: 1, Name: "f"}}}}
	p := &pb.Profile{SampleType: []*pb.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &pb.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10e6, DurationNanos: 1e9, Location: []*pb.Location{at}, Function: []*pb.Function{at.Line[0].Function},
		Sample: []*pb.Sample{{Location: []*pb.Location{at}, Value: []int64{105, 1050e6}}}}
	var b bytes.Buffer
	must.Do(t, p.WriteUncompressed(&b))
	q := formattest.Parsed(t, Read, &b)
	must.Equal(t, formattest.SelfTimes(q), "f 1.05s")
	must.Equal(t, q.Meta.Duration, time.Second)
}

// A sample of no function has a row, too.
func TestReadWithoutStack(t *testing.T) {
	p := &pb.Profile{SampleType: []*pb.ValueType{{Type: "cpu", Unit: "milliseconds"}}, Sample: []*pb.Sample{{Value: []int64{30}}}}
	var b bytes.Buffer
	must.Do(t, p.WriteUncompressed(&b))
	must.Equal(t, formattest.SelfTimes(formattest.Parsed(t, Read, &b)), "(program) 30ms")
}

func TestReadRefuses(t *testing.T) {
	form := func(change func(*pb.Profile)) []byte {
		p := &pb.Profile{SampleType: []*pb.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, Period: 10, PeriodType: &pb.ValueType{Type: "cpu", Unit: "nanoseconds"},
			Sample: []*pb.Sample{{Value: []int64{10}}}}
		change(p)
		var b bytes.Buffer
		must.Do(t, p.WriteUncompressed(&b))
		return b.Bytes()
	}
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"empty", nil, "empty"},
		{"text", []byte("hello, world"), "pprof: "},
		{"cut short", formattest.Zipped(string(form(func(*pb.Profile) {})))[:20], "unexpected EOF"},
		{"bad gzip", []byte("\x1f\x8bxxxxxxxxxx"), "gzip"},
		{"no time", form(func(p *pb.Profile) { p.SampleType[0] = &pb.ValueType{Type: "inuse_space", Unit: "bytes"} }), `there is "inuse_space/bytes"`},
		{"a hostile type", form(func(p *pb.Profile) { p.SampleType[0] = &pb.ValueType{Type: "\x1b[2J", Unit: "\n"} }), `there is "\x1b[2J/\n"`},
		{"difference", form(func(p *pb.Profile) { p.Sample[0].Value[0] = -5 }), "sample 0: value -5"},
		{"too much", form(func(p *pb.Profile) {
			p.Sample = append(p.Sample, &pb.Sample{Value: []int64{math.MaxInt64}})
		}), "sample 1: the sum of values"},
		{"one endless sample", form(func(p *pb.Profile) { p.Period = 1; p.Sample[0].Value[0] = math.MaxInt64 }), "ticks"},
	} {
		must.Refuse(Read(bytes.NewReader(c.in)))(t, c.want, c.name)
	}
}

func FuzzRead(f *testing.F) {
	out := must.Get(convert(busy()))(f)
	var b bytes.Buffer
	must.Do(f, out.WriteUncompressed(&b))
	f.Add(b.Bytes())
	data := must.Get(os.ReadFile("testdata/go.pprof"))(f)
	f.Add(data)
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"more time"}, Skip: func(p *profile.Profile) bool { return p.Len() > 10_000 }}
	format.Fuzz(f, func(*profile.Profile) string { return "" })
}
