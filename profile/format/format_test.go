package format

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

// odd names, as programs have them.
var names = []string{"main", "", "parse", "größe 🦒", "a;b", "line\nbreak", "back\\slash \\x3b", " blank ", "get size", "#private", "<img src=x>",
	"\x1b[31m", "\u202eflip", "42", "(anonymous", "std::vector<int>", "__proto__", "\\"}

// randomProfile is an attributed profile with everything the model has.
func randomProfile(r *rand.Rand) *profile.Profile {
	var b profile.Builder
	b.Meta = profile.Meta{Start: time.UnixMicro(1_790_000_000_000_000 + r.Int64N(1e9)).UTC(), Duration: time.Duration(r.Int64N(1e10)),
		Interval: time.Duration(1 + r.Int64N(2e7)), Program: names[r.IntN(len(names))], Engine: "goja", Preset: "fine", Clock: "goroutine", Seed: r.Uint64(),
		Notes: []string{"clock: no memory can be shared here, so checks poll it", "größe 🦒"},
		Ticks: profile.Ticks{Raised: r.Int64N(100), Missed: r.Int64N(100), Taken: r.Int64N(100), Idle: r.Int64N(100), GC: r.Int64N(100), Lost: r.Int64N(100)},
		Late:  profile.Spread{Count: r.Int64N(9), Median: 3, P95: 4, Max: 9}, Coverage: profile.Coverage{Functions: 5, Statements: 6}}
	var functions []profile.FunctionID
	for range 1 + r.IntN(12) {
		f := profile.Function{Name: names[r.IntN(len(names))], File: fmt.Sprintf("src/%d.ts", r.IntN(3)), Line: 1 + r.Int32N(50), Column: 1 + r.Int32N(9)}
		switch r.IntN(6) {
		case 0:
			f.Name, f.Line, f.Column, f.Flags = "", 1, 1, profile.TopLevel
		case 1:
			f = profile.Function{Name: "host." + fmt.Sprint(r.IntN(3)), File: profile.NameNative, Flags: profile.NativeCode}
		case 2:
			f.Flags = profile.Checked
		}
		functions = append(functions, b.Function(f))
	}
	stacks := []profile.StackID{profile.NoStack}
	now := int64(0)
	for range r.IntN(60) {
		now += r.Int64N(1e6)
		s := profile.Sample{Time: now, Weight: 1 + r.Int32N(5)*r.Int32N(5), Skid: r.Int64N(3)}
		if kind := profile.Kind(r.IntN(20)); kind >= profile.Native && kind <= profile.Lost {
			s.Kind, s.Stack = kind, b.Pseudo(profile.NoStack, kind.PseudoName())
		} else {
			at := stacks[r.IntN(len(stacks))]
			for range 1 + r.IntN(3) {
				at = b.Stack(at, b.Frame(functions[r.IntN(len(functions))], r.Int32N(4), r.Int32N(4)))
				stacks = append(stacks, at)
			}
			s.Stack = at
			if b.Profile().Functions.Flags[b.Profile().Frames.Function[b.Profile().Stacks.Frame[at]]]&profile.NativeCode != 0 {
				s.Kind = profile.Native
			}
		}
		if r.IntN(3) == 0 {
			s.Marker = profile.Marker(r.IntN(int(profile.MarkerOther) + 1))
		}
		if r.IntN(3) == 0 {
			s.Tags = b.Tags([]profile.Tag{{Key: "tenant", Value: names[r.IntN(len(names))]}, {Key: []string{"kind", "measure", "tag.x", "route"}[r.IntN(4)], Value: "é"}})
		}
		b.Sample(s)
	}
	for range r.IntN(5) {
		b.Mark(randomMark(r, now))
	}
	return b.Profile()
}

// randomMark is within a profile that lasts until end.
func randomMark(r *rand.Rand, end int64) profile.Mark {
	kinds := []profile.What{profile.Interaction, profile.LongFrame, profile.LongTask, profile.Load, profile.Navigation, profile.UserMark, profile.Measure, profile.FrameData, profile.Note, "another"}
	name := func() string { return names[r.IntN(len(names))] }
	m := profile.Mark{What: kinds[r.IntN(len(kinds))], Name: name(), Time: time.Duration(r.Int64N(end + 1))}
	if r.IntN(3) > 0 {
		m.Duration = time.Duration(r.Int64N(end - int64(m.Time) + 1))
	}
	if m.What == profile.Interaction {
		m.Target, m.Detail = "button#"+name(), name()
		m.InputDelay, m.Processing, m.Presentation = m.Duration/4, m.Duration/2, m.Duration/8
	}
	return m
}

// rounds is how often a long test goes round: FIELDPROF_FULL=1 asks for all, and less often when races are looked for.
func rounds(n int) int {
	switch {
	case testing.Short():
		return max(1, n/8)
	case os.Getenv("FIELDPROF_FULL") == "":
		return n / 3
	}
	return n
}

// writable reports whether a format has files of profiles without samples.
func writable(f Format, p *profile.Profile) bool {
	return p.Len() > 0 || f.note&needsSamples == 0
}

// TestRoundTrips writes random profiles in each format, reads them back and
// compares what the format says it keeps; then does it again, when nothing may
// change any more. Features that a format says it drops must be lost now and then.
func TestRoundTrips(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	lost := map[string]Features{}
	for round := range rounds(150) {
		p := randomProfile(r)
		must.Do(t, p.CheckValid())
		for _, f := range All() {
			if !writable(f, p) {
				continue
			}
			got := read(t, f, write(t, f, p))
			must.Equal(t, byLabel(p), byLabel(got), "round", round, f.Name)
			same := true
			for feature, of := range held {
				want, have := of(p), of(got)
				equal := reflect.DeepEqual(want, have)
				same = same && equal
				if f.Keeps&feature != 0 && !equal {
					t.Fatalf("round %d, %s: %s\n%v\nwant\n%v", round, f.Name, feature, have, want)
				}
				if !equal {
					lost[f.Name] |= feature
				}
			}
			if f.Keeps&Marks != 0 && f.Keeps&Times != 0 {
				must.Equal(t, p.Marks, got.Marks, "round", round, f.Name)
			}
			if len(f.Drops(p)) == 0 && !same {
				t.Fatalf("round %d, %s: something is lost, and nothing said", round, f.Name)
			}
			twice := read(t, f, write(t, f, got))
			for feature, of := range held {
				must.Equal(t, of(got), of(twice), "round", round, f.Name, feature)
			}
		}
	}
	for _, f := range All() {
		if kept := lost[f.Name] | f.Keeps; kept != everything && !testing.Short() {
			t.Errorf("%s keeps more than it says: %s", f.Name, everything&^kept)
		}
	}
}

// TestChains converts through two formats: features that both keep must survive.
func TestChains(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range rounds(10) {
		p := randomProfile(r)
		if p.Len() == 0 {
			continue
		}
		for _, a := range All() {
			first := read(t, a, write(t, a, p))
			for _, b := range All() {
				got := read(t, a, write(t, a, read(t, b, write(t, b, first))))
				must.Equal(t, byLabel(p), byLabel(got), a.Name, b.Name, a.Name)
			}
		}
	}
}

func write(t *testing.T, f Format, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, f.Write(&b, p), f.Name)
	return b.Bytes()
}

func read(t *testing.T, f Format, data []byte) *profile.Profile {
	t.Helper()
	p, got, err := Read(bytes.NewReader(data), "")
	if err != nil {
		t.Fatalf("%s: %v\n%.300s", f.Name, err, data)
	}
	must.Equal(t, got.Name, f.Name, data)
	must.Do(t, p.CheckValid(), f.Name)
	return p
}

// held is what a profile has of each feature.
var held = map[Features]func(*profile.Profile) any{
	Times:   func(p *profile.Profile) any { return append([]int64{}, p.Samples.Time...) },
	Samples: func(p *profile.Profile) any { return count(p, func(i int) string { return label(p, i) }) },
	Weights: func(p *profile.Profile) any {
		return count(p, func(i int) string { return label(p, i) + fmt.Sprint(p.Samples.Weight[i]) })
	},
	Skid: func(p *profile.Profile) any { return append([]int64{}, p.Samples.Skid...) },
	Kinds: func(p *profile.Profile) any {
		return ticks(p, func(i int) string { return p.Samples.Kind[i].String() + label(p, i) })
	},
	Interval:        func(p *profile.Profile) any { return p.Meta.Interval },
	Files:           func(p *profile.Profile) any { return functions(p, func(f profile.Function) any { return f.File }) },
	Definitions:     func(p *profile.Profile) any { return functions(p, func(f profile.Function) any { return f.Line }) },
	Columns:         func(p *profile.Profile) any { return functions(p, func(f profile.Function) any { return f.Column }) },
	Flags:           func(p *profile.Profile) any { return functions(p, func(f profile.Function) any { return f.Flags }) },
	Health:          func(p *profile.Profile) any { return p.Meta },
	Positions:       func(p *profile.Profile) any { return ticks(p, func(i int) string { return placed(p, i, 1) }) },
	CallerPositions: func(p *profile.Profile) any { return ticks(p, func(i int) string { return placed(p, i, 1<<30) }) },
	Marks:           func(p *profile.Profile) any { return marks(p) },
	Tags: func(p *profile.Profile) any {
		return ticks(p, func(i int) string { return fmt.Sprint(p.TagsOf(i)) + label(p, i) })
	},
	Markers: func(p *profile.Profile) any {
		return ticks(p, func(i int) string { return p.Sample(i).Marker.String() + label(p, i) })
	},
}

// marks are what the marks say, but for their times, which are kept like those of samples.
func marks(p *profile.Profile) []string {
	all := []string{}
	for _, m := range p.Marks {
		all = append(all, fmt.Sprintf("%q %q %q %q", m.What, m.Name, m.Target, m.Detail))
	}
	slices.Sort(all)
	return all
}

func ticks(p *profile.Profile, key func(i int) string) map[string]int64 {
	all := map[string]int64{}
	for i, w := range p.Samples.Weight {
		all[key(i)] += int64(w)
	}
	return all
}

func count(p *profile.Profile, key func(i int) string) map[string]int64 {
	all := map[string]int64{}
	for i := range p.Len() {
		all[key(i)]++
	}
	return all
}

// functions is the ticks of the functions on top, told apart by something.
func functions(p *profile.Profile, by func(profile.Function) any) map[string]int64 {
	return ticks(p, func(i int) string {
		f := p.Function(p.Frames.Function[p.Stacks.Frame[p.Samples.Stack[i]]])
		return fmt.Sprint(f.Label(), " ", by(f))
	})
}

// placed is the stack of a sample with the positions of the topmost frames.
func placed(p *profile.Profile, i, frames int) string {
	var text []string
	for s := p.Samples.Stack[i]; s != profile.NoStack; s = p.Stacks.Parent[s] {
		f := p.Stacks.Frame[s]
		at := p.Function(p.Frames.Function[f]).Label()
		if len(text) < frames && p.Function(p.Frames.Function[f]).Flags&profile.Pseudo == 0 {
			at += fmt.Sprintf(":%d:%d", p.Frames.Line[f], p.Frames.Column[f])
		}
		text = append(text, at)
	}
	return strings.Join(text, " <- ")
}

func label(p *profile.Profile, i int) string { return placed(p, i, 0) }

// byLabel is what every format keeps: ticks by stack of labels.
func byLabel(p *profile.Profile) map[string]int64 {
	return ticks(p, func(i int) string { return label(p, i) })
}

// Whatever the depth, nothing here calls itself.
func TestDeepStacks(t *testing.T) {
	const depth = 20_000
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	at := profile.NoStack
	for i := range depth {
		at = b.Stack(at, b.Frame(b.Function(profile.Function{Name: []string{"ping", "pong"}[i%2], File: "a.js", Line: 1}), int32(i+1), 0))
	}
	b.Sample(profile.Sample{Stack: at, Weight: 2})
	for _, f := range All() {
		p := read(t, f, write(t, f, b.Profile()))
		must.Equal(t, strings.Count(label(p, 0), " <- ")+1, depth, f.Name)
		if f.Keeps&CallerPositions != 0 {
			must.Equal(t, len(p.Stacks.Parent), depth, f.Name)
		}
	}
}

func TestDrops(t *testing.T) {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	f := b.Function(profile.Function{Name: "f", File: "a.js", Line: 1, Column: 2, Flags: profile.Checked})
	s := b.Stack(b.Stack(profile.NoStack, b.Frame(f, 3, 1)), b.Frame(f, 4, 1))
	b.Sample(profile.Sample{Time: 5, Stack: s, Weight: 1, Skid: 7})
	b.Sample(profile.Sample{Time: 9, Stack: s, Weight: 2})
	want := map[string]string{
		"cpuprofile":  "1 positions in callers",
		"pprof":       "2 times of samples, 1 weights of single samples, 1 skids of samples, 1 columns of definitions, 1 functions' flags (checked, native, top level, holding others' time)",
		"chrometrace": "2 times of samples, 1 samples of several ticks, 1 weights of single samples, 1 skids of samples, 1 positions in callers, 1 functions' flags (checked, native, top level, holding others' time)",
		"folded": "the interval, 2 times of samples, 1 samples of several ticks, 1 weights of single samples, 1 skids of samples, 1 functions' files, " +
			"1 lines of definitions, 1 columns of definitions, 1 positions in functions, 1 positions in callers, 1 functions' flags (checked, native, top level, holding others' time)",
	}
	for name, lost := range want {
		f := must.Get(ByName(name))(t)
		must.Equal(t, strings.Join(f.Drops(b.Profile()), ", "), lost, name)
	}
}

// Envelopes of pages are known by their keys, in whichever order and file they are.
func TestEnvelopes(t *testing.T) {
	const trace = `{"resources":["https://a.example/a.js"],"frames":[{"name":"nodes","resourceId":0,"line":1,"column":9},{"name":"traceEvents"},{"name":"profiler_id"}],"stacks":[{"frameId":0}],` +
		`"samples":[{"timestamp":5,"stackId":0,"weight":1,"kind":"loop","skid":0.5}],"fieldprof":{"version":1,"clock":"poll","interval":10,"seed":4,"account":{"raised":1,"taken":1},"lost":["clock: no memory can be shared here","\u001b[31m red"]}}`
	const where = `"version":1,"session":"0123456789abcdef0123456789abcdef","view":"0123456789abcdef0123456789abcdef","page":"https://a.example/cart","route":"/cart"`
	for _, in := range []string{
		`{` + where + `,"chunk":3,"part":1,"parts":2,"started":1795275000000.5,"origin":1795274940000.5,"notes":["a request was dropped: TypeError"],"trace":` + trace + `}`,
		`{` + where + `,"chunk":3,"part":1,"parts":2,"rate":0.01,"browser":"Firefox 152","device":"phone","connection":"4g","counts":{"interactions":7,"slow":{}},"slice":true,"origin":1795274940000.5,"notes":["a request was dropped: TypeError"],"trace":` + trace + `}`,
		`{"chunk":3,"notes":["a request was dropped: TypeError"],"origin":1795274940000.5,"page":"https://a.example/cart","part":1,"parts":2,"session":"0123456789abcdef0123456789abcdef","trace":` + trace + `,"version":1}`,
		"\n {\"trace\": " + trace + `,"chunk":3,"part":1,"parts":2,"origin":1795274940000.5,"notes":["a request was dropped: TypeError"],` + where + `}`,
	} {
		for _, path := range []string{"", "a.json", "a.cpuprofile", "a.wicg.json", "profiles-2026.txt"} {
			p, f, err := Read(strings.NewReader(in), path)
			if err != nil || f.Name != "wicg" {
				t.Fatalf("%s: %s, %v", path, f.Name, err)
			}
			m := p.Meta
			if m.Program != "https://a.example/cart" || m.Clock != profile.ClockPolled || m.Interval != 10*time.Millisecond || m.Start.UnixMicro() != 1795274940000500 || p.Len() != 1 {
				t.Errorf("%+v", m)
			}
			want := []string{"samples: this is part 2 of the 2 of chunk 3, the account covers all of them", "clock: no memory can be shared here", "[31m red", "a request was dropped: TypeError"}
			must.Equal(t, m.Notes, want)
		}
	}
	for in, fault := range map[string]string{
		`{` + where + `,"chunk":0,"trace":{"frames":[]}}`:                       `trace: "samples" is missing`,
		`{` + where + `,"chunk":0}`:                                             `"trace" is missing`,
		`{` + where + `,"counts":{"interactions":7,"slow":{}}}`:                 "the envelope holds no trace, only counts",
		`{` + where + `,"chunk":"0","trace":` + trace + `}`:                     "chunk",
		`{` + where + `,"chunk":0,"trace":{"samples":[{"timestamp":"never"}]}}`: "timestamp",
	} {
		if _, _, err := Read(strings.NewReader(in), "a.json"); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// Sniffing says why, and gzipped text is text.
func TestFound(t *testing.T) {
	z := formattest.Zipped(`{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"hitCount":1}],"startTime":0,"endTime":5}`)
	in, found, err := (Options{}).Open(bytes.NewReader(z), "a.cpuprofile.gz")
	if err != nil || found.Name != "cpuprofile" || found.Why != `it has the key "nodes", and its extension says so` {
		t.Fatalf("%+v, %v", found, err)
	}
	must.Equal(t, must.Get(found.Read(in))(t).Len(), 1)
	if _, found, err = (Options{}).Open(strings.NewReader("?"), "a.otlp"); err != nil || found.Name != "otlp" || found.Why != "its extension says so, though its first bytes do not" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestForPath(t *testing.T) {
	for path, want := range map[string]string{"a.cpuprofile": "cpuprofile", "x/A.CPUPROFILE": "cpuprofile", "a.pprof": "pprof", "a.pb.gz": "pprof", "a.pb": "pprof",
		"a.folded": "folded", "a.txt": "folded", "a.b.collapsed": "folded"} {
		must.Equal(t, must.Get(ForPath(path))(t).Name, want, path)
	}
	for _, path := range []string{"a.svg", "", "pprof", "a.gz", "dir.pprof/a"} {
		must.Refuse(ForPath(path))(t, ".cpuprofile (cpuprofile), .pprof .pb.gz .pb (pprof), .folded", path)
	}
	must.Equal(t, must.Get(ByName("PProf"))(t).Name, "pprof")
	must.Refuse(ByName("svg"))(t, "cpuprofile, pprof, folded, speedscope")
}

func TestReadByContent(t *testing.T) {
	for _, c := range []struct{ name, in, path, want, fault string }{
		{"content over extension", "main;f 3\n", "a.cpuprofile", "folded", ""},
		{"blanks and comments first", "\n# x\nmain 3\n", "", "folded", ""},
		{"a byte order mark", "\ufeffmain 3\n", "", "folded", ""},
		{"one before JSON", "\ufeff" + `{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"hitCount":1}],"startTime":0,"endTime":1000}`, "a.cpuprofile", "cpuprofile", ""},
		{"one that is gzipped", string(formattest.Zipped("\ufeffmain 3\n")), "", "folded", ""},
		{"unknown", "<svg>", "a.svg", "", `it starts with "<svg>"`},
		{"empty", "", "a.pprof", "", "the file is empty"},
		{"the extension's reader explains", "{}", "a.cpuprofile", "", `"nodes" is missing`},
		{"binary", "\x00\x01\x02", "", "", "not a profile of a known format"},
		{"gzip of something else", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x04\x00\x43\xbe\xb7\xe8\x01\x00\x00\x00", "", "", "pprof: "},
	} {
		_, f, err := Read(strings.NewReader(c.in), c.path)
		if c.fault == "" && (err != nil || f.Name != c.want) || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%s: %s, %v", c.name, f.Name, err)
		}
	}
}

// The metadata of a trace come first, with a startTime as profiles of V8 have it, and may be longer than
// what is sniffed.
func TestTraceWithLongMetadata(t *testing.T) {
	trace := must.Get(ByName("chrometrace"))(t)
	p := randomProfile(rand.New(rand.NewPCG(17, 18)))
	metadata := `"source":"DevTools","startTime":"2026-11-26T12:00:00.000Z","cruxFieldData":[{"pad":"` + strings.Repeat("x", sniffLength) + `"}],`
	text := strings.Replace(string(write(t, trace, p)), `"source":"DevTools",`, metadata, 1)
	for _, path := range []string{"", "Trace-1.json", "a.trace.json", "a.txt"} {
		for _, in := range []string{text, string(formattest.Zipped(text))} {
			got, f, err := Read(strings.NewReader(in), path)
			if err != nil || f.Name != trace.Name {
				t.Fatalf("%q: %s, %v", path, f.Name, err)
			}
			must.Equal(t, byLabel(got), byLabel(p), path)
		}
	}
}

// TestGzippedByName writes JSON gzipped where the file's name asks for it.
func TestGzippedByName(t *testing.T) {
	p := randomProfile(rand.New(rand.NewPCG(15, 16)))
	for path, zipped := range map[string]bool{"a.json.gz": true, "a.json": false, "a.speedscope.json.GZ": true, "a.pb.gz": true, "a.folded": false} {
		f := must.Get(ForPath(path))(t)
		var out bytes.Buffer
		must.Do(t, f.WriteAs(&out, path, p))
		must.Equal(t, bytes.HasPrefix(out.Bytes(), []byte("\x1f\x8b")), zipped, path)
		if _, found, err := Read(&out, ""); err != nil || found.Name != f.Name {
			t.Errorf("%s: read as %s, %v", path, found.Name, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	p, err := ReadFile("cpuprofile/testdata/node.cpuprofile")
	if err != nil || p.Len() == 0 {
		t.Errorf("%v", err)
	}
	for path, want := range map[string]string{"nowhere.pprof": "no such file", ".": "is a directory", "format.go": "format.go: not a profile"} {
		must.Refuse(ReadFile(path))(t, want, path)
	}
}

func BenchmarkWriteCPUProfile(b *testing.B) { benchmarkWrite(b, "cpuprofile") }
func BenchmarkWritePprof(b *testing.B)      { benchmarkWrite(b, "pprof") }
func BenchmarkReadCPUProfile(b *testing.B)  { benchmarkRead(b, "cpuprofile") }
func BenchmarkReadPprof(b *testing.B)       { benchmarkRead(b, "pprof") }

// large is a profile of a million samples.
func large() *profile.Profile {
	r := rand.New(rand.NewPCG(1, 1))
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	stacks := []profile.StackID{profile.NoStack}
	for range 20_000 {
		f := b.Function(profile.Function{Name: fmt.Sprintf("f%d", r.IntN(2000)), File: "app.ts", Line: 1 + r.Int32N(900)})
		stacks = append(stacks, b.Stack(stacks[r.IntN(len(stacks))], b.Frame(f, 1+r.Int32N(900), 1)))
	}
	for i := range 1_000_000 {
		b.Sample(profile.Sample{Time: int64(i) * 1e6, Stack: stacks[1+r.IntN(len(stacks)-1)], Weight: 1})
	}
	return b.Profile()
}

func benchmarkWrite(b *testing.B, name string) {
	f, _ := ByName(name)
	p := large()
	for b.Loop() {
		var out bytes.Buffer
		must.Do(b, f.Write(&out, p))
		b.SetBytes(int64(out.Len()))
	}
}

func benchmarkRead(b *testing.B, name string) {
	f, _ := ByName(name)
	var out bytes.Buffer
	must.Do(b, f.Write(&out, large()))
	b.SetBytes(int64(out.Len()))
	for b.Loop() {
		must.Get(f.Read(bytes.NewReader(out.Bytes())))(b)
	}
}
