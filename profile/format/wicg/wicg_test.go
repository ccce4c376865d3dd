package wicg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// example has three functions, an idle stretch and a sample of three ticks.
func example() *profile.Profile {
	b := profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond, Duration: 70 * time.Millisecond, Start: time.UnixMicro(1_790_000_000_000_000).UTC(), Engine: "goja"}}
	at := func(parent profile.StackID, f profile.Function, line int32) profile.StackID {
		return b.Stack(parent, b.Frame(b.Function(f), line, 1))
	}
	main := at(profile.NoStack, profile.Function{File: "app.js", Line: 1, Column: 1, Flags: profile.TopLevel}, 9)
	parse := at(main, profile.Function{Name: "parse", File: "app.js", Line: 3, Column: 15, Flags: profile.Checked}, 5)
	again := at(main, profile.Function{Name: "parse", File: "app.js", Line: 3, Column: 15}, 6)
	native := at(parse, profile.Function{Name: "host.read", Flags: profile.NativeCode}, 0)
	ms := int64(time.Millisecond)
	b.Sample(profile.Sample{Time: 10 * ms, Stack: main, Weight: 1})
	b.Sample(profile.Sample{Time: 41 * ms, Stack: parse, Weight: 3, Skid: 21 * ms})
	b.Sample(profile.Sample{Time: 50 * ms, Stack: b.Pseudo(profile.NoStack, profile.NameIdle), Weight: 1, Kind: profile.Idle})
	b.Sample(profile.Sample{Time: 60 * ms, Stack: native, Weight: 1, Kind: profile.Native, Marker: profile.MarkerScript})
	b.Sample(profile.Sample{Time: 70 * ms, Stack: again, Weight: 1})
	b.Mark(profile.Mark{What: profile.Interaction, Name: "click", Target: "button#save", Time: 12_345_678, Duration: 50_000_001, Processing: 40_000_000})
	b.Mark(profile.Mark{What: profile.UserMark, Name: "begun", Time: 70 * time.Millisecond})
	return b.Profile()
}

// TestTheSpecificationsRules checks what is written against the text of the
// specification: what must be there, what refers to what, and in which order.
func TestTheSpecificationsRules(t *testing.T) {
	out := formattest.Written(t, Write, example())
	var got struct {
		Resources []string
		Frames    []map[string]any
		Stacks    []map[string]float64
		Samples   []map[string]any
	}
	must.Do(t, json.Unmarshal(out.Bytes(), &got))
	seen := map[string]bool{}
	for _, f := range got.Frames {
		if _, ok := f["name"].(string); !ok {
			t.Errorf("frame %v has no name", f)
		}
		if id, ok := f["resourceId"].(float64); ok && int(id) >= len(got.Resources) {
			t.Errorf("frame %v is of no resource", f)
		}
		if line, ok := f["line"].(float64); ok && line < 1 {
			t.Errorf("frame %v: lines count from 1", f)
		}
		key := fmt.Sprint(f)
		if seen[key] {
			t.Errorf("frame %v is there twice", f)
		}
		seen[key] = true
	}
	for i, s := range got.Stacks {
		if parent, ok := s["parentId"]; ok && int(parent) >= i {
			t.Errorf("stack %d: the parent %v does not come before it", i, parent)
		}
		if frame, ok := s["frameId"]; !ok || int(frame) >= len(got.Frames) {
			t.Errorf("stack %d: %v", i, s)
		}
	}
	must.Equal(t, len(got.Stacks), 3)
	last, without := -1.0, 0
	for i, s := range got.Samples {
		at, ok := s["timestamp"].(float64)
		if !ok || at < last {
			t.Errorf("sample %d: %v after %v", i, s["timestamp"], last)
		}
		last = at
		if id, ok := s["stackId"].(float64); !ok {
			without++
		} else if int(id) >= len(got.Stacks) {
			t.Errorf("sample %d: %v", i, s)
		}
	}
	must.Equal(t, len(got.Samples), 7)
	must.Equal(t, without, 1, "without")
}

func TestWhatIsKept(t *testing.T) {
	p := example()
	got := formattest.Parsed(t, Read, formattest.Written(t, Write, p))
	must.Equal(t, p.Meta, got.Meta, "meta")
	must.Equal(t, p.Marks, got.Marks, "marks")
	for i := range p.Len() {
		want, have := p.Sample(i), got.Sample(i)
		want.Stack, have.Stack = 0, 0
		must.Equal(t, want, have, i)
	}
	must.Equal(t, view.NewTop(p, 0), view.NewTop(got, 0))
}

func TestVersion1(t *testing.T) {
	got := formattest.Parsed(t, Read, formattest.Written(t, WriteVersion1, example()))
	self := map[string]int64{}
	for _, r := range view.Flat(got) {
		self[fmt.Sprintf("%s %s:%d", r.Name, r.File, r.Line)] = r.Self
	}
	must.Equal(t, self, map[string]int64{"(top level) app.js:1": 1, "parse app.js:3": 4, "host.read :0": 1, "(idle) :0": 1})
}

// TestTheExplainersExample reads what the explainer of 2018 shows, in JSON.
func TestTheExplainersExample(t *testing.T) {
	p := must.Get(Read(strings.NewReader(`{"version":1,"options":{},"profile":{
		"strings":["start @ main.js:12:34","render @ newsfeed.js:56:78","getLikes @ stories.js:90:12","getComments @ stories.js:11:22"],
		"stackFrames":{"104":{"name":3,"parent":102},"101":{"name":0},"102":{"name":1,"parent":101},"103":{"name":2,"parent":102}},
		"main-thread":[{"type":"stack","timestamp":12345.678,"stack":103},{"type":"paint","timestamp":1},{"type":"stack","timestamp":12346,"stack":104}]}}`)))(t)
	if p.Len() != 2 || p.Sample(0).Time != 322_000 || p.Meta.Interval != 322*time.Microsecond {
		t.Errorf("%d samples every %v, the first %+v", p.Len(), p.Meta.Interval, p.Sample(0))
	}
	_, stack, _ := strings.Cut(formattest.Spell(p)[1], " 0 [")
	must.Equal(t, stack, "{getComments stories.js 11 22 0} 0 0 {render newsfeed.js 56 78 0} 0 0 {start main.js 12 34 0} 0 0]")
}

// Times of a page that has been open for an hour begin with what the trace holds, but not in an envelope, which says
// when they began, and not in what Write has written.
func TestBeginning(t *testing.T) {
	const trace = `{"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}],"samples":[{"timestamp":3600010,"stackId":0},{"timestamp":3600020,"stackId":0}]`
	const marks = `,"fieldprof":{"version":1,"interval":10,"marks":[{"what":"mark","name":"m","time":3599990}]`
	hour := time.Hour.Nanoseconds()
	for in, want := range map[string][]int64{
		trace + `}`:          {10e6, 20e6},
		trace + marks + `}}`: {20e6, 30e6},
		trace + marks + `,"meta":{"intervalNs":10000000}}}`:                                            {hour + 10e6, hour + 20e6},
		`{"session":"0123456789abcdef0123456789abcdef","origin":1795274940000,"trace":` + trace + `}}`: {hour + 10e6, hour + 20e6},
	} {
		p := must.Get(Read(strings.NewReader(in)))(t, in)
		must.Equal(t, p.Samples.Time, want, in)
		for _, m := range p.Marks {
			must.Equal(t, int64(m.Time), want[0]-20e6, in)
		}
		_, q, err := Limits{}.Read([]byte(in))
		must.Do(t, err)
		must.Equal(t, q.Samples.Time, []int64{hour + 10e6, hour + 20e6}, in)
	}
}

// Traces that a page made one after the other have the page's clock in common, and follow each other when they are merged.
func TestTracesOfOnePage(t *testing.T) {
	trace := func(at int) *profile.Profile {
		return must.Get(Read(strings.NewReader(fmt.Sprintf(`{"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}],
			"samples":[{"timestamp":%d,"stackId":0},{"timestamp":%d,"stackId":0}]}`, at, at+10))))(t)
	}
	p := must.Get(profile.Merge(trace(3_660_010), trace(3_600_010)))(t)
	minute := time.Minute.Nanoseconds()
	must.Equal(t, p.Samples.Time, []int64{10e6, 20e6, minute + 10e6, minute + 20e6})
	must.Equal(t, p.Meta.Duration, 40*time.Millisecond)
}

// Times that count from 1970 are moments.
func TestTimesSince1970(t *testing.T) {
	const trace = `{"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}],"samples":[{"timestamp":1795274940010,"stackId":0},{"timestamp":1795274940020,"stackId":0}]}`
	_, p, err := Limits{}.Read([]byte(trace))
	must.Do(t, err)
	for _, p := range []*profile.Profile{p, must.Get(Read(strings.NewReader(trace)))(t)} {
		must.Equal(t, p.Meta.Start, time.UnixMilli(1795274940000).UTC())
		must.Equal(t, p.Samples.Time, []int64{10e6, 20e6})
	}
}

// TestChromiumsTrace reads what Chromium's own Profiler gave for testdata/work.js,
// every 10 ms.
func TestChromiumsTrace(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/chromium.json"))(t)
	var raw trace
	must.Do(t, json.Unmarshal(data, &raw))
	p := formattest.Parsed(t, Read, bytes.NewReader(data))
	must.Equal(t, p.Len(), len(raw.Samples))
	counted := map[string]int64{} // by the specification's own arithmetic: a sample is a sample
	for _, s := range raw.Samples {
		name := profile.NameIdle
		if s.StackID != nil {
			name = raw.Frames[int(*raw.Stacks[int(*s.StackID)].FrameID)].Name
		}
		counted[name]++
	}
	got := map[string]int64{}
	for _, r := range view.Flat(p) {
		name := p.Function(r.Function).Name
		if got[name] += r.Self; got[name] == 0 {
			delete(got, name)
		}
	}
	if !reflect.DeepEqual(got, counted) || counted["fibonacci"] == 0 {
		t.Errorf("%v, want %v", got, counted)
	}
}

// TestTracesOfPages reads what the runtime gives: ticks of one sample are joined,
// and time that has found its owner stays there.
func TestTracesOfPages(t *testing.T) {
	p := must.Get(Read(strings.NewReader(`{"frames":[{"column":3,"line":2,"name":"f","resourceId":0}],"resources":["https://a.example/a.js"],
		"samples":[{"stackId":0,"timestamp":10,"weight":1,"kind":"entry","skid":2},{"stackId":0,"timestamp":12,"weight":1},
			{"timestamp":30,"weight":1,"kind":"idle","skid":0},{"timestamp":40,"weight":5,"kind":"gc","skid":40}],
		"stacks":[{"frameId":0}],
		"fieldprof":{"version":1,"clock":"shared","interval":10,"seed":7,"account":{"raised":8,"missed":1,"taken":6,"idle":1,"program":1,"lost":0},
			"late":{"count":1,"median":0.5,"p95":1,"max":2},"skid":{"count":0,"median":0,"p95":0,"max":0},"lost":["x"]}}`)))(t)
	want := []profile.Sample{
		{Time: 12e6, Weight: 2, Kind: profile.Own, Skid: 2e6},
		{Time: 30e6, Weight: 1, Kind: profile.Idle},
		{Time: 40e6, Weight: 5, Kind: profile.GC, Skid: 40e6},
	}
	for i, w := range want {
		got := p.Sample(i)
		got.Stack = 0
		must.Equal(t, got, w, i)
	}
	if m := p.Meta; m.Clock != profile.ClockShared || m.Interval != 10*time.Millisecond || m.Ticks.Raised != 8 || m.Late.Median != 500*time.Microsecond {
		t.Errorf("%+v", m)
	}
}

// TestMarksOfPages reads the marks and markers of pages, and those that a browser's own
// Profiler gives without saying more.
func TestMarksOfPages(t *testing.T) {
	const rest = `"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}]`
	p := must.Get(Read(strings.NewReader(`{` + rest + `,"samples":[{"timestamp":10,"stackId":0,"weight":1,"kind":"loop","marker":"script"},{"timestamp":20,"weight":1,"kind":"idle"}],
		"fieldprof":{"version":1,"interval":10,"marks":[
			{"what":"interaction","name":"click","target":"button#save","detail":"<b>","time":4.5,"duration":30,"inputDelay":1,"processing":20.25,"presentation":8},
			{"what":"load","name":"/","time":-1,"duration":3},{"what":"mark","name":"begun","time":-5}]}}`)))(t)
	ms := time.Millisecond
	must.Equal(t, p.Marks, []profile.Mark{
		{What: profile.Load, Name: "/", Duration: 2 * ms},
		{What: profile.UserMark, Name: "begun"},
		{What: profile.Interaction, Name: "click", Target: "button#save", Detail: "<b>", Time: 4500 * time.Microsecond, Duration: 30 * ms,
			InputDelay: ms, Processing: 20250 * time.Microsecond, Presentation: 8 * ms},
	})
	must.Equal(t, p.Samples.Marker, []profile.Marker{profile.MarkerScript, profile.NoMarker})

	p = must.Get(Read(strings.NewReader(`{` + rest + `,"samples":[{"timestamp":1,"stackId":0,"marker":"layout"},{"timestamp":2,"marker":"gc"},
		{"timestamp":3,"marker":"paint"},{"timestamp":4,"marker":"newer"},{"timestamp":5}]}`)))(t)
	must.Equal(t, p.Samples.Marker, []profile.Marker{profile.MarkerLayout, profile.MarkerGC, profile.MarkerPaint, profile.MarkerOther, profile.NoMarker})
	must.Equal(t, p.Samples.Kind, []profile.Kind{profile.Own, profile.GC, profile.Program, profile.Program, profile.Idle})
}

// The time in which a machine slept belongs to no function.
func TestGaps(t *testing.T) {
	const samples = `{"timestamp":0,"stackId":0},{"timestamp":10,"stackId":0},{"timestamp":20,"stackId":0},{"timestamp":28800000,"stackId":0}`
	p := must.Get(Read(strings.NewReader(`{"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}],"samples":[` + samples + `]}`)))(t)
	must.Equal(t, p.Meta.Interval, 10*time.Millisecond)
	must.Equal(t, p.Samples.Ticks(), int64(4))
	must.Equal(t, p.Meta.Duration, 8*time.Hour+10*time.Millisecond)
}

func TestFaults(t *testing.T) {
	const sound = `{"resources":["a"],"frames":[{"name":"f","resourceId":0}],"stacks":[{"frameId":0},{"frameId":0,"parentId":0}],"samples":[{"timestamp":1,"stackId":1}]}`
	formattest.RejectsChanged(t, Read, sound, []formattest.Change{
		{"", "", "the file is empty"},
		{"", `{"resources":[]}`, `"samples" is missing`},
		{`"samples"`, `"version":2,"samples"`, "version: 2 is not known"},
		{`"resourceId":0`, `"resourceId":1`, "frames[0].resourceId: 1 is not one of 1"},
		{`"name":"f"`, `"line":-1`, "frames[0].line: -1 is out of range"},
		{`"frameId":0}`, `"frameId":1}`, "stacks[0].frameId: not one of the 1 frames"},
		{`"frameId":0}`, `"parentId":0}`, "stacks[0].frameId"},
		{`"parentId":0`, `"parentId":1`, "stacks[1]: is its own parent"},
		{`"parentId":0`, `"parentId":0.5`, "stacks[1].parentId: 0.5 is not one of 2"},
		{`"stackId":1`, `"stackId":9`, "samples[0].stackId: 9 is not one of 2"},
		{`"timestamp":1`, `"timestamp":1e99`, "samples[0].timestamp: missing, or no time"},
		{`"timestamp":1,`, ``, "samples[0].timestamp: missing, or no time"},
		{`"timestamp":1`, `"timestamp":"NaN"`, "a string where a number should be"},
		{`"timestamp":1`, `"timestamp":1e999`, "1e999 is out of range"},
		{`{"resources"`, `{"fieldprof":{"version":3},"resources"`, "fieldprof: version 3 is not supported"},
		{`{"resources"`, `{"fieldprof":{"version":1,"flags":[]},"resources"`, "fieldprof.flags: 0 for 1 frames"},
		{`{"resources"`, `{"fieldprof":{"version":1,"marks":[{"name":"a"}]},"resources"`, "fieldprof.marks[0].time: missing, or no time"},
		{`{"resources"`, `{"fieldprof":{"version":1,"marks":[{"time":1e13}]},"resources"`, "fieldprof.marks[0].time: missing, or no time"},
		{`{"resources"`, `{"fieldprof":{"version":1,"marks":[{"time":1,"duration":-1}]},"resources"`, "fieldprof.marks[0].duration: -1 is not a duration"},
	})
	for in, fault := range map[string]string{
		`{"version":1}`: `"stackFrames" and "main-thread" are missing`,
		`{"version":1,"profile":{"strings":[],"stackFrames":{"1":{"name":0}}}}`:                                            `profile.stackFrames["1"].name: not one of the 0 strings`,
		`{"version":1,"profile":{"strings":["a"],"stackFrames":{"1":{"name":0,"parent":2}}}}`:                              `profile.stackFrames["1"].parent: 2 is not a stack frame`,
		`{"version":1,"profile":{"strings":["a"],"stackFrames":{"1":{"name":0,"parent":1}}}}`:                              `profile.stackFrames["1"]: is its own parent`,
		`{"version":1,"profile":{"strings":["a"],"stackFrames":{"1":{"name":0}},"main-thread":[{"stack":1}]}}`:             `profile["main-thread"][0].timestamp: missing`,
		`{"version":1,"profile":{"strings":[],"stackFrames":{},"main-thread":[{"type":"stack","timestamp":1,"stack":7}]}}`: `profile["main-thread"][0].stack: 7 is not a stack frame`,
	} {
		formattest.Rejects(t, Read, []formattest.Fault{{"", in, fault}})
	}
}

func TestTooManyTicks(t *testing.T) {
	b := profile.Builder{}
	b.Add(profile.Sample{Stack: b.Pseudo(profile.NoStack, profile.NameIdle), Kind: profile.Idle}, math.MaxInt32)
	for _, write := range []func() error{
		func() error { return Write(&bytes.Buffer{}, b.Profile()) },
		func() error { return WriteVersion1(&bytes.Buffer{}, b.Profile()) },
	} {
		must.Fail(t, write(), "are the limit")
	}
}

func FuzzRead(f *testing.F) {
	for _, p := range []*profile.Profile{example(), {Strings: []string{""}}} {
		var current, old bytes.Buffer
		if Write(&current, p) != nil || WriteVersion1(&old, p) != nil {
			f.Fatal()
		}
		f.Add(current.Bytes())
		f.Add(old.Bytes())
	}
	format := formattest.Format{Read: Read, Write: Write, Skip: func(p *profile.Profile) bool { return p.Samples.Ticks() > 1<<12 }}
	format.Fuzz(f, func(p *profile.Profile) string { return fmt.Sprint(p.Samples.Weight) })
}
