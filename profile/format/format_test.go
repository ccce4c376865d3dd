package format

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// odd names, as programs have them.
var names = []string{"main", "", "parse", "größe 🦒", "a;b", "line\nbreak", "back\\slash \\x3b", " blank ", "get size", "#private", "<img src=x>",
	"\x1b[31m", "\u202eflip", "42", "(anonymous", "std::vector<int>", "__proto__", "\\"}

// randomProfile is an attributed profile with everything the model has.
func randomProfile(r *rand.Rand) *profile.Profile {
	var b profile.Builder
	b.Meta = profile.Meta{Start: time.UnixMicro(1_790_000_000_000_000 + r.Int64N(1e9)).UTC(), Duration: time.Duration(r.Int64N(1e10)),
		Interval: time.Duration(1 + r.Int64N(2e7)), Program: names[r.IntN(len(names))], Engine: "goja", Preset: "fine", Clock: "goroutine", Seed: r.Uint64(),
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
		}
		b.Sample(s)
	}
	return b.Profile()
}

// TestRoundTrips writes random profiles in each format, reads them back and
// compares what the format promises to keep; then does it again, when nothing
// may change any more.
func TestRoundTrips(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for round := range rounds(150) {
		p := randomProfile(r)
		if err := p.CheckValid(); err != nil {
			t.Fatal(err)
		}
		for _, f := range All() {
			if f.Name == "folded" && p.Len() == 0 {
				continue
			}
			once := write(t, f, p)
			got := read(t, f, once)
			if want, have := kept[f.Name](p), kept[f.Name](got); !reflect.DeepEqual(want, have) {
				t.Fatalf("round %d, %s: kept\n%v\nwant\n%v", round, f.Name, have, want)
			}
			twice := read(t, f, write(t, f, got))
			if !reflect.DeepEqual(kept[f.Name](got), kept[f.Name](twice)) {
				t.Fatalf("round %d, %s: the second trip changes the profile", round, f.Name)
			}
		}
	}
}

// rounds are fewer where races are looked for.
func rounds(n int) int {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}

// TestChains converts through two formats: what both keep must survive.
func TestChains(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range rounds(10) {
		p := randomProfile(r)
		if p.Len() == 0 {
			continue
		}
		for _, a := range All() {
			for _, b := range All() {
				got := read(t, a, write(t, a, read(t, b, write(t, b, read(t, a, write(t, a, p))))))
				if want, have := byLabel(p), byLabel(got); !reflect.DeepEqual(want, have) {
					t.Fatalf("%s → %s → %s: %v, want %v", a.Name, b.Name, a.Name, have, want)
				}
			}
		}
	}
}

func write(t *testing.T, f Format, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, p); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return b.Bytes()
}

func read(t *testing.T, f Format, data []byte) *profile.Profile {
	t.Helper()
	p, got, err := Read(bytes.NewReader(data), "")
	if err != nil {
		t.Fatalf("%s: %v\n%.300s", f.Name, err, data)
	}
	if got.Name != f.Name {
		t.Fatalf("%s is taken for %s: %.100q", f.Name, got.Name, data)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return p
}

// kept is what each format promises.
var kept = map[string]func(*profile.Profile) any{
	"cpuprofile": func(p *profile.Profile) any {
		return []any{p.Meta, view.NewTop(p, 0), p.Samples.Time, p.Samples.Weight, p.Samples.Kind, p.Samples.Skid, tops(p)}
	},
	"pprof":      func(p *profile.Profile) any { return []any{p.Meta, byLabel(p), byPosition(p)} },
	"folded":     func(p *profile.Profile) any { return byLabel(p) },
	"firefox":    everything,
	"firefox-gz": everything,
	"gecko":      everything,
	"gecko5":     everything,
	"wicg": func(p *profile.Profile) any {
		return []any{p.Meta, view.NewTop(p, 0), p.Samples.Time, p.Samples.Weight, p.Samples.Kind, p.Samples.Skid, byLabel(p)}
	},
	"wicg1":   func(p *profile.Profile) any { return []any{p.Meta.Interval, byLabel(p)} },
	"mozilla": func(p *profile.Profile) any { return []any{p.Meta, byLabel(p), byPosition(p)} },
	"mozilla-samples": func(p *profile.Profile) any {
		var micros []int64
		for _, t := range p.Samples.Time {
			micros = append(micros, t/1000)
		}
		return []any{byLabel(p), byPosition(p), micros, p.Samples.Weight}
	},
	"xs": everything,
}

// everything is all that a profile tells.
func everything(p *profile.Profile) any {
	functions := map[profile.Function]bool{}
	for i := range p.Len() {
		for s := p.Samples.Stack[i]; s != profile.NoStack; s = p.Stacks.Parent[s] {
			functions[p.Function(p.Frames.Function[p.Stacks.Frame[s]])] = true
		}
	}
	return []any{p.Meta, view.NewTop(p, 0), functions, p.Samples.Time, p.Samples.Weight, p.Samples.Kind, p.Samples.Skid, tops(p), byPosition(p)}
}

// byPosition is ticks by stack of labels and positions.
func byPosition(p *profile.Profile) map[string]int64 {
	positions := map[string]int64{}
	for i, s := range p.Samples.Stack {
		var text []string
		for ; s != profile.NoStack; s = p.Stacks.Parent[s] {
			f := p.Stacks.Frame[s]
			text = append(text, fmt.Sprint(p.Function(p.Frames.Function[f]).Label(), p.Frames.Line[f], p.Frames.Column[f]))
		}
		positions[strings.Join(text, " ")] += int64(p.Samples.Weight[i])
	}
	return positions
}

// tops is the frame on top of each sample, positions and all.
func tops(p *profile.Profile) (all []any) {
	for _, s := range p.Samples.Stack {
		f := p.Stacks.Frame[s]
		all = append(all, []any{p.Function(p.Frames.Function[f]).Label(), p.Frames.Line[f], p.Frames.Column[f]})
	}
	return all
}

// byLabel is what every format keeps: ticks by stack of labels.
func byLabel(p *profile.Profile) map[string]int64 {
	ticks := map[string]int64{}
	for i, s := range p.Samples.Stack {
		var text []string
		for ; s != profile.NoStack; s = p.Stacks.Parent[s] {
			text = append(text, p.Function(p.Frames.Function[p.Stacks.Frame[s]]).Label())
		}
		ticks[strings.Join(text, " <- ")] += int64(p.Samples.Weight[i])
	}
	return ticks
}

func TestForPath(t *testing.T) {
	for path, want := range map[string]string{"a.cpuprofile": "cpuprofile", "x/A.CPUPROFILE": "cpuprofile", "a.pprof": "pprof", "a.pb.gz": "pprof", "a.pb": "pprof",
		"a.folded": "folded", "a.txt": "folded", "a.b.collapsed": "folded"} {
		if f, err := ForPath(path); err != nil || f.Name != want {
			t.Errorf("%s: %s, %v", path, f.Name, err)
		}
	}
	for _, path := range []string{"a.svg", "", "pprof", "a.gz", "dir.pprof/a"} {
		if _, err := ForPath(path); err == nil || !strings.Contains(err.Error(), ".cpuprofile (cpuprofile), .pprof .pb.gz .pb (pprof), .folded") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if f, err := ByName("PProf"); err != nil || f.Name != "pprof" {
		t.Errorf("%s, %v", f.Name, err)
	}
	if _, err := ByName("svg"); err == nil || !strings.Contains(err.Error(), "cpuprofile, pprof, folded") {
		t.Errorf("%v", err)
	}
}

func TestReadByContent(t *testing.T) {
	for _, c := range []struct{ name, in, path, want, fault string }{
		{"content over extension", "main;f 3\n", "a.cpuprofile", "folded", ""},
		{"blanks and comments first", "\n# x\nmain 3\n", "", "folded", ""},
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

func TestReadFile(t *testing.T) {
	p, err := ReadFile("cpuprofile/testdata/node.cpuprofile")
	if err != nil || p.Len() == 0 {
		t.Errorf("%v", err)
	}
	for path, want := range map[string]string{"nowhere.pprof": "no such file", ".": "is a directory", "format.go": "format.go: not a profile"} {
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
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
		if err := f.Write(&out, p); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(out.Len()))
	}
}

func benchmarkRead(b *testing.B, name string) {
	f, _ := ByName(name)
	var out bytes.Buffer
	if err := f.Write(&out, large()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(out.Len()))
	for b.Loop() {
		if _, err := f.Read(bytes.NewReader(out.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
