package gecko

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// writers are the forms that are written.
var writers = map[string]func(io.Writer, *profile.Profile) error{
	"processed": Write, "raw": WriteRaw, "version 5": WriteVersion5,
}

// example has functions of every kind, positions, pseudo-functions, recursion
// and weights.
func example() *profile.Profile {
	b := profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond, Duration: 3 * time.Second, Start: time.UnixMicro(1_790_000_000_000_000).UTC(), Program: "app", Seed: 9}}
	at := func(parent profile.StackID, f profile.Function, line int32) profile.StackID {
		return b.Stack(parent, b.Frame(b.Function(f), line, 2))
	}
	main := at(profile.NoStack, profile.Function{File: "https://a.example/app.js", Line: 1, Column: 1, Flags: profile.TopLevel}, 90)
	parse := at(main, profile.Function{Name: "parse (fast)", File: "https://a.example/app.js", Line: 3, Column: 15, Flags: profile.Checked}, 5)
	anonymous := at(parse, profile.Function{File: "https://a.example/lib.js", Line: 30}, 31)
	again := at(anonymous, profile.Function{Name: "parse (fast)", File: "https://a.example/app.js", Line: 3, Column: 15}, 7)
	native := at(again, profile.Function{Name: "host.read", File: profile.NameNative, Flags: profile.NativeCode}, 0)
	evaluated := at(main, profile.Function{Name: "run"}, 0)
	now := int64(0)
	add := func(s profile.StackID, k profile.Kind, ticks int32) {
		now += int64(ticks) * int64(b.Meta.Interval)
		b.Sample(profile.Sample{Time: now, Stack: s, Weight: ticks, Kind: k, Skid: int64(ticks-1) * 1e6})
	}
	for i := range int32(20) {
		add(parse, profile.Own, 1+i%3)
		add(main, profile.Own, 1)
		add(again, profile.Own, 2)
		add(anonymous, profile.Own, 1)
	}
	add(native, profile.Native, 7)
	add(evaluated, profile.Own, 3)
	add(b.Pseudo(profile.NoStack, profile.NameIdle), profile.Idle, 40)
	add(b.Pseudo(parse, profile.NameGC), profile.GC, 5)
	add(b.Pseudo(profile.NoStack, profile.NameProgram), profile.Program, 2)
	add(profile.NoStack, profile.Lost, 1)
	for _, marker := range []profile.Marker{profile.MarkerStyle, profile.MarkerLayout, profile.MarkerLayout, profile.MarkerPaint, profile.MarkerScript} {
		now += int64(b.Meta.Interval)
		b.Sample(profile.Sample{Time: now, Stack: parse, Weight: 1, Marker: marker})
	}
	for _, m := range marks {
		b.Mark(m)
	}
	return b.Profile()
}

func TestNothingIsLost(t *testing.T) {
	want := example()
	for name, write := range writers {
		out := formattest.Written(t, write, want)
		zipped := formattest.Zipped(out.String())
		got := must.Get(Read(out))(t, name)
		must.Equal(t, must.Get(Read(bytes.NewReader(zipped)))(t), got, name)
		must.Equal(t, formattest.Spell(got), formattest.Spell(want), name)
		must.Equal(t, got.Meta, want.Meta, name)
		must.Equal(t, got.Marks, want.Marks, name)
		must.Equal(t, got.Samples.Marker, want.Samples.Marker, name)
	}
}

// TestWithoutOurExtension reads what others see in our files: names, places and
// shares must be there without the key of our own.
func TestWithoutOurExtension(t *testing.T) {
	want := shares(example())
	for name, write := range writers {
		out := formattest.Written(t, write, example())
		p := must.Get(Read(strings.NewReader(strings.Replace(out.String(), `"fieldprof":`, `"somebody":`, 1))))(t, name)
		must.Equal(t, shares(p), want, name)
	}
}

// shares are percent of time by label; samples without a stack have a label, too.
func shares(p *profile.Profile) map[string]string {
	ticks, all := map[string]int64{}, int64(0)
	for i := range p.Len() {
		s := p.Sample(i)
		name := s.Kind.PseudoName()
		if s.Stack != profile.NoStack {
			name = p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]]).Label()
		}
		ticks[name] += int64(s.Weight)
		all += int64(s.Weight)
	}
	text := map[string]string{}
	for name, n := range ticks {
		text[name] = fmt.Sprintf("%.3f", 100*float64(n)/float64(all))
	}
	return text
}

func TestLocations(t *testing.T) {
	for text, want := range map[string]profile.Function{
		"parse (https://a.example/app.js:10:3)":             {Name: "parse", File: "https://a.example/app.js", Line: 10, Column: 3},
		"parse (https://a.example/app.js:10:3)[12]":         {Name: "parse", File: "https://a.example/app.js", Line: 10, Column: 3},
		"a (b) (app.js:10)":                                 {Name: "a (b)", File: "app.js", Line: 10},
		"a (b) (file:///home/me/shop (copy)/app.js:10:3)":   {Name: "a (b)", File: "file:///home/me/shop (copy)/app.js", Line: 10, Column: 3},
		"f (/home/me/shop (2) (in use)/app.js:10)":          {Name: "f", File: "/home/me/shop (2) (in use)/app.js", Line: 10},
		`f (C:\me\shop (2)\app.js:10:1)`:                    {Name: "f", File: `C:\me\shop (2)\app.js`, Line: 10, Column: 1},
		"Run (std::function) (in XUL)":                      {Name: "Run (std::function)", File: "XUL", Flags: profile.NativeCode},
		"get x (resource://a.js -> resource://b.js:1)":      {Name: "get x", File: "resource://b.js", Line: 1},
		"anonymous (https://a.example:8000/:7:1)":           {File: "https://a.example:8000/", Line: 7, Column: 1},
		"https://a.example/app.js:1:1":                      {File: "https://a.example/app.js", Line: 1, Column: 1, Flags: profile.TopLevel},
		"file:///app/work.js[8]":                            {File: "file:///app/work.js", Flags: profile.TopLevel},
		"js::RunScript":                                     {Name: "js::RunScript", Flags: profile.NativeCode},
		"nsRefreshDriver::Tick(int) (in XUL)":               {Name: "nsRefreshDriver::Tick(int)", File: "XUL", Flags: profile.NativeCode},
		"0x7f12ab":                                          {Name: "0x7f12ab", Flags: profile.NativeCode},
		"(root)":                                            {Name: "(root)", Flags: profile.Pseudo},
		"a[0]":                                              {File: "a", Flags: profile.TopLevel},
		"f (x:99999999999999999999:3)":                      {Name: "f", File: "x", Column: 3},
		"":                                                  {Flags: profile.NativeCode},
		"mozilla::(anonymous namespace)::Run(Foo (*)(int))": {Name: "mozilla::(anonymous namespace)::Run(Foo (*)(int))", Flags: profile.NativeCode},
		"Foo::Bar (some words)":                             {Name: "Foo::Bar (some words)", Flags: profile.NativeCode},
	} {
		got, _ := parseLocation(text)
		must.Equal(t, got, want, text)
	}
}

// Any path of a URL, and of a file, stays together after any name.
func TestLocationsOfPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(parts ...string) (text string) {
		for range 1 + r.IntN(5) {
			text += parts[r.IntN(len(parts))]
		}
		return text
	}
	for range 2000 {
		want := profile.Function{Name: "f" + text("a", " (b)", " (", ")", "::c", " "), File: text("https://a.example/", "/", "file:///"), Line: 7, Column: 2}
		want.File += text("a", " (b)", " (", ")", "/", " (in c)", " (d:5)") + ".js"
		got, _ := parseLocation(location(want))
		must.Equal(t, got, want, location(want))
	}
}

// TestTheDocumentsShape reads version 5 as the reference document shows it: the
// frame comes first in stacks, schemas have holes, and categories are bits.
func TestTheDocumentsShape(t *testing.T) {
	p := must.Get(Read(strings.NewReader(`{
		"meta":{"version":5,"interval":0.4,"stackwalk":1,"startTime":1477063882018.4387,"shutdownTime":null,"processType":0,"product":"Firefox"},
		"libs":[{"start":4461400064,"end":4461424640,"name":"firefox"}],
		"pausedRanges":[{"startTime":6547.127094,"endTime":6659.796075,"reason":"collecting"}],
		"threads":[
			{"name":"Compositor","tid":1,"samples":{"schema":{"stack":0,"time":1},"data":[[0,1],[0,2],[0,3]]},"markers":{"schema":{"name":0,"time":1,"data":2},"data":[]},
			 "frameTable":{"schema":{"location":0},"data":[[0]]},"stackTable":{"schema":{"frame":0,"prefix":1},"data":[[0,null]]},"stringTable":["Composite"]},
			{"name":"GeckoMain","processType":"default","tid":7442229,"pid":51580,
			 "markers":{"schema":{"name":0,"time":1,"data":2},"data":[[1,37070.186708,{"type":"tracing","category":"Paint","interval":"start"}]]},
			 "samples":{"schema":{"stack":0,"time":1,"responsiveness":2,"rss":3,"uss":4},"data":[[2,37067.409299,1.437998],[3,37067.8],[null,37068.2]]},
			 "frameTable":{"schema":{"location":0,"relevantForJS":1,"implementation":2,"optimizations":3,"line":4,"column":5,"category":6},
				"data":[[0],[1,false,null,null,1536,null,16],[2,false,3,{"sites":[1,[2]]},12,4,64],[4,false,null,null,null,null,128]]},
			 "stackTable":{"schema":{"frame":0,"prefix":1},"data":[[0,null],[1,0],[2,1],[3,2]]},
			 "stringTable":["(root)","Startup::XRE_Main","main (https://a.example/x.js:3)","Ion","js::GC"]}],
		"processes":[]}`)))(t)
	if m := p.Meta; m.Interval != 400*time.Microsecond || m.Engine != "firefox" || m.Start.UnixMilli() != 1477063882018+37067 {
		t.Errorf("%+v", m)
	}
	want := []string{
		"400000 1 own 0 [{main https://a.example/x.js 3 0 0} 12 4 {Startup::XRE_Main  0 0 8} 1536 0]",
		"790701 1 gc 0 [{js::GC  0 0 8} 0 0 {main https://a.example/x.js 3 0 0} 12 4 {Startup::XRE_Main  0 0 8} 1536 0]",
		"1190701 1 idle 0 [{(idle)  0 0 4} 0 0]",
	}
	must.Equal(t, formattest.Spell(p), want)
}

// TestOlderProcessed reads a form in which each thread has tables of its own.
func TestOlderProcessed(t *testing.T) {
	p := must.Get(Read(strings.NewReader(`{"meta":{"version":20,"preprocessedProfileVersion":40,"interval":1,"startTime":0,"product":"Firefox",
		"categories":[{"name":"Idle","color":"transparent"},{"name":"Other","color":"grey"}]},
		"threads":[{"name":"GeckoMain","stringArray":["main","a.js","wait"],
			"samples":{"length":3,"stack":[0,1,null],"timeDeltas":[5,1,1],"weight":[2,1,1],"weightType":"samples"},
			"stackTable":{"length":2,"frame":[0,1],"prefix":[null,0],"category":[1,0]},
			"frameTable":{"length":2,"func":[0,1],"category":[1,0],"line":[7,null],"column":[null,null]},
			"funcTable":{"length":2,"name":[0,2],"isJS":[true,false],"fileName":[1,null],"lineNumber":[3,null],"columnNumber":[null,null]}}]}`)))(t)
	want := []string{"1000000 2 own 0 [{main a.js 3 0 0} 7 0]", "2000000 1 idle 0 [{(idle)  0 0 4} 0 0]", "3000000 1 idle 0 [{(idle)  0 0 4} 0 0]"}
	must.Equal(t, formattest.Spell(p), want)
}

// Samples that are not in order are all kept: the earliest one is the first.
func TestSamplesOutOfOrder(t *testing.T) {
	p := must.Get(Read(strings.NewReader(`{"meta":{"version":20,"preprocessedProfileVersion":40,"interval":1,"startTime":0,"product":"Firefox",
		"categories":[{"name":"Other","color":"grey"}]},
		"threads":[{"name":"GeckoMain","stringArray":["main","a.js"],
			"samples":{"length":3,"stack":[0,0,0],"timeDeltas":[50,-40,50],"weight":[1,1,1],"weightType":"samples"},
			"stackTable":{"length":1,"frame":[0],"prefix":[null],"category":[0]},
			"frameTable":{"length":1,"func":[0],"category":[0],"line":[7],"column":[null]},
			"funcTable":{"length":1,"name":[0],"isJS":[true],"fileName":[1],"lineNumber":[3],"columnNumber":[null]}}]}`)))(t)
	const f = " 1 own 0 [{main a.js 3 0 0} 7 0]"
	must.Equal(t, formattest.Spell(p), []string{"1000000" + f, "41000000" + f, "51000000" + f})
}

// Samples of nothing but (root) are idle if their category says so, and otherwise have the row of (program).
func TestReadRoot(t *testing.T) {
	const in = `{"meta":{"version":36,"interval":1,"startTime":0,"categories":[{"name":"Other","color":"grey"},{"name":"Idle","color":"transparent"},{"name":"GC / CC","color":"orange"}]},
		"threads":[{"samples":{"schema":{"stack":0,"time":1},"data":[[0,5],[1,6],[2,7],[3,8]]},"frameTable":{"schema":{"location":0,"category":1},"data":[[0,0],[0,1],[0,2],[1,0]]},
		"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[null,1],[null,2],[0,3]]},"stringTable":["(root)","b (c.js:1)"]}]}`
	p := must.Get(Read(strings.NewReader(in)))(t)
	must.Equal(t, formattest.SelfTimes(p), "(garbage collector) 1ms, (idle) 1ms, (program) 1ms, b 1ms")
}

// TestFirefoxsFile reads what Firefox wrote: of its processes the one that ran
// testdata/firefox/work.js.
func TestFirefoxsFile(t *testing.T) {
	p := formattest.File(t, Read, "testdata/firefox/startup.json")
	scripts := profile.Fold(p, func(f profile.Function) bool { return f.Flags&profile.NativeCode != 0 })
	self := map[string]int{}
	for _, r := range view.Flat(scripts) {
		if r.File == "file:///app/work.js" {
			self[r.Name] = r.Samples
		}
	}
	for _, name := range []string{"fibonacci", "sortNumbers", "joinText"} {
		if self[name] < 10 {
			t.Errorf("%s: %d samples of %d: %v", name, self[name], p.Len(), self)
		}
	}
	must.Equal(t, p.Meta.Interval, 5*time.Millisecond)
	must.Equal(t, p.Meta.Engine, "firefox")
}

func TestTooMuch(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Second}}
	b.Add(profile.Sample{Stack: b.Pseudo(profile.NoStack, profile.NameIdle), Kind: profile.Idle}, math.MaxInt32)
	must.Fail(t, WriteRaw(io.Discard, b.Profile()), "67108864 are the limit")
	must.Do(t, Write(io.Discard, b.Profile()))
	b.Add(profile.Sample{Stack: profile.NoStack, Kind: profile.Lost}, math.MaxInt32<<3)
	must.Fail(t, Write(io.Discard, b.Profile()), "more time than the format holds")
}
