package view

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// recursive: main calls walk, which calls itself; one idle sample, one with the
// weight of three, one function seen at two positions.
func recursive() *profile.Profile {
	var b profile.Builder
	b.Meta = profile.Meta{Duration: 1234 * time.Millisecond, Interval: 2 * time.Millisecond, Program: "walk.ts", Engine: "goja",
		Ticks:    profile.Ticks{Raised: 9, Missed: 1, Taken: 7, Idle: 1, Lost: 1},
		Skid:     profile.Spread{Count: 7, Median: 12340, P95: 803 * time.Microsecond, Max: time.Second},
		Late:     profile.Spread{Count: 9, Median: 1500 * time.Nanosecond, P95: 1200 * time.Microsecond},
		Coverage: profile.Coverage{Functions: 10, CheckedFunctions: 7, Statements: 400, CheckedStatements: 393}}
	main := b.Function(profile.Function{Name: "main", File: "src/main.ts", Line: 3, Column: 14})
	walk := b.Function(profile.Function{Name: "walk", File: "src/walk.ts", Line: 10, Column: 14})
	m := b.Stack(profile.NoStack, b.Frame(main, 4, 1))
	w1 := b.Stack(m, b.Frame(walk, 11, 1))
	w2 := b.Stack(w1, b.Frame(walk, 12, 1))
	for i, s := range []profile.Sample{
		{Stack: m, Weight: 1}, {Stack: w1, Weight: 1}, {Stack: w2, Weight: 3}, {Stack: w2, Weight: 1},
		{Stack: b.Stack(w2, b.Frame(main, 4, 1)), Weight: 1},
		{Stack: b.Pseudo(profile.NoStack, profile.NameIdle), Weight: 1, Kind: profile.Idle},
	} {
		s.Time = int64(i)
		b.Sample(s)
	}
	return b.Profile()
}

func TestFlat(t *testing.T) {
	type short struct {
		name        string
		self, total int64
		samples     int
		selfTime    time.Duration
	}
	want := []short{
		{"walk", 5, 6, 3, 10 * time.Millisecond},
		{"main", 2, 7, 2, 4 * time.Millisecond},
		{"(idle)", 1, 1, 1, 2 * time.Millisecond},
	}
	rows := Flat(recursive())
	var got []short
	for _, r := range rows {
		got = append(got, short{r.Name, r.Self, r.Total, r.Samples, r.SelfTime})
	}
	must.Equal(t, got, want)
	must.Equal(t, rows[0].SelfPercent, 62.5)
	must.Equal(t, rows[1].TotalPercent, 87.5)
}

// TestFlatAgainstWalk compares with counting each sample's stack by hand.
func TestFlatAgainstWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		var b profile.Builder
		b.Meta.Interval = time.Millisecond
		for i := range 50 {
			stack := profile.NoStack
			for range r.IntN(8) {
				f := b.Function(profile.Function{Name: string(rune('a' + r.IntN(5)))})
				stack = b.Stack(stack, b.Frame(f, r.Int32N(2), 0))
			}
			b.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: 1 + r.Int32N(3)})
		}
		p := b.Profile()
		self, total := map[string]int64{}, map[string]int64{}
		for i, s := range p.Samples.Stack {
			seen := map[string]bool{}
			for top := true; s != profile.NoStack; s, top = p.Stacks.Parent[s], false {
				name := p.Function(p.Frames.Function[p.Stacks.Frame[s]]).Name
				if top {
					self[name] += int64(p.Samples.Weight[i])
				}
				if !seen[name] {
					total[name] += int64(p.Samples.Weight[i])
				}
				seen[name] = true
			}
		}
		rows := Flat(p)
		must.Equal(t, len(rows), len(total))
		for _, row := range rows {
			if row.Self != self[row.Name] || row.Total != total[row.Name] {
				t.Fatalf("%s: %d/%d, want %d/%d", row.Name, row.Self, row.Total, self[row.Name], total[row.Name])
			}
		}
	}
}

// The times of a profile whose account is known add up to its wall clock, idle time
// included, however many ticks there happen to be.
func TestTimesAddUpToTheWallClock(t *testing.T) {
	var b profile.Builder
	b.Meta.Interval, b.Meta.Duration = 10*time.Millisecond, 1860*time.Millisecond
	b.Meta.Ticks = profile.Ticks{Raised: 212, Taken: 150, Idle: 62}
	of := func(f profile.Function) profile.StackID {
		return b.Stack(profile.NoStack, b.Frame(b.Function(f), 0, 0))
	}
	b.Sample(profile.Sample{Stack: of(profile.Function{Name: "work"}), Weight: 150})
	b.Sample(profile.Sample{Stack: of(profile.Function{Name: profile.NameIdle, Flags: profile.Pseudo}), Weight: 62})
	p := b.Profile()
	var rows time.Duration
	for _, row := range Flat(p) {
		rows += row.SelfTime
	}
	must.Equal(t, rows, p.Meta.Duration)
	var ms float64
	for _, row := range NewTreeList(p, NewTree(p, TopDown, TreeOptions{})).Nodes {
		ms += row.SelfMs
	}
	must.Equal(t, time.Duration(ms*1e6), p.Meta.Duration)
}

func TestFlatOfDeepStacks(t *testing.T) {
	var b profile.Builder
	f := b.Frame(b.Function(profile.Function{Name: "f"}), 1, 1)
	stack := profile.NoStack
	for range 300_000 {
		stack = b.Stack(stack, f)
	}
	b.Meta.Interval = time.Hour
	b.Sample(profile.Sample{Stack: stack, Weight: math.MaxInt32})
	rows := Flat(b.Profile())
	if len(rows) != 1 || rows[0].Total != math.MaxInt32 || rows[0].SelfTime < time.Hour {
		t.Errorf("%+v", rows)
	}
}

func TestWriteTop(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{
		{0, `
self ms   self  total ms  total  samples  function  where
   10.0  62.5%      12.0  75.0%        3  walk      src/walk.ts:10
    4.0  25.0%      14.0  87.5%        2  main      src/main.ts:3
    2.0  12.5%       2.0  12.5%        1  (idle)
`}, {1, `
self ms   self  total ms  total  samples  function  where
   10.0  62.5%      12.0  75.0%        3  walk      src/walk.ts:10
… and 2 more
`},
	} {
		var b bytes.Buffer
		must.Do(t, WriteTop(&b, recursive(), c.n))
		must.Equal(t, "\n"+b.String(), c.want)
	}
}

func TestWriteTopWithoutClock(t *testing.T) {
	p := recursive()
	p.Meta.Interval = 0
	var b bytes.Buffer
	if err := WriteTop(&b, p, 1); err != nil || !strings.HasPrefix(b.String(), "self ticks ") || !strings.Contains(b.String(), "\n         5  62.5%") {
		t.Errorf("%v\n%s", err, &b)
	}
}

func TestWriteHealth(t *testing.T) {
	const want = "9 ticks in 1.2s at 2ms, 6 samples, skid 12µs (p95 803µs), late 1.5µs (p95 1.2ms), 1 missed, 1 lost, coverage 98.2%\n"
	var b bytes.Buffer
	must.Do(t, WriteHealth(&b, recursive()))
	must.Equal(t, b.String(), want)
	b.Reset()
	noted := recursive()
	noted.Meta.Clock, noted.Meta.Notes = "polled", []string{"clock: no memory can be shared here, so checks poll it", "\x1b[2Jx"}
	const said = ", coverage 98.2%, clock: polled\nlost: clock: no memory can be shared here, so checks poll it\nlost: [2Jx\n"
	if err := WriteHealth(&b, noted); err != nil || !strings.HasSuffix(b.String(), said) {
		t.Errorf("%v: %s", err, &b)
	}
	foreign := recursive()
	foreign.Meta = profile.Meta{}
	must.Equal(t, foreign.HealthLine(), "8 ticks, 6 samples", "foreign")
}

// hostile are names that would move a cursor, ring a bell, break a table, or
// turn the line around.
var hostile = []string{
	"\x1b[2J\x1b]0;title\a", "a\nb\tc\r", "\u202egnp.exe", "\u2066x", "\u009b31m", "\x7f", "zero\u200bwidth", "\u2028", "bad\xff\xfe", "\ufffd",
	strings.Repeat("long", 1000), strings.Repeat("漢字", 100), strings.Repeat("e\u0301", 500), "z" + strings.Repeat("\u0300", 5000), "\U000e0041tag",
}

func TestHostileNames(t *testing.T) {
	var b profile.Builder
	for i, name := range hostile {
		f := b.Function(profile.Function{Name: name, File: name, Line: int32(i)})
		b.Sample(profile.Sample{Time: int64(i), Stack: b.Stack(profile.NoStack, b.Frame(f, 0, 0)), Weight: 1})
	}
	var text, data bytes.Buffer
	must.Do(t, WriteTop(&text, b.Profile(), 0))
	must.Do(t, WriteJSON(&data, b.Profile(), 0))
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	must.Equal(t, len(lines), 1+len(hostile))
	for _, line := range lines {
		if w := width(line); w > 160 || len(line) > 1000 {
			t.Errorf("a line of %d columns: %s", w, line)
		}
	}
	for _, out := range []string{text.String(), data.String()} {
		for _, r := range strings.ReplaceAll(out, "\n", "") {
			if !unicode.IsPrint(r) {
				t.Errorf("%U is written as it is", r)
			}
		}
	}
	var top Top
	must.Do(t, json.Unmarshal(data.Bytes(), &top))
	got := map[string]bool{}
	for _, r := range top.Functions {
		got[r.Name] = true
	}
	for _, name := range hostile {
		if !got[strings.ToValidUTF8(name, "\ufffd")] && !got[strings.ReplaceAll(strings.ReplaceAll(name, "\xff", "\ufffd"), "\xfe", "\ufffd")] {
			t.Errorf("%q is not in the JSON", name)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"größe 🦒": "größe 🦒", "\x1b[0m": `\x1b[0m`, "\u202e": `\u202e`, "\xff": `\xff`, "\ufffd": "\ufffd", "\U000e0041": `\u{e0041}`, "\n": `\x0a`,
	} {
		must.Equal(t, Printable(in), want, in)
	}
}

func TestWriteJSON(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, WriteJSON(&b, recursive(), 2))
	var top Top
	must.Do(t, json.Unmarshal(b.Bytes(), &top))
	if len(top.Functions) != 2 || top.Functions[0] != (TopRow{"walk", "src/walk.ts", 10, 5, 10, 62.5, 6, 12, 75, 3, false}) {
		t.Errorf("%+v", top.Functions)
	}
	if top.Health.Ticks != 9 || top.Health.SkidP95Ms != 0.803 || *top.Health.Coverage != 98.25 || top.IntervalMs != 2 {
		t.Errorf("%+v", top)
	}
}

func BenchmarkFlat(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	var builder profile.Builder
	for i := range 1_000_000 {
		stack := profile.NoStack
		for range 2 + r.IntN(5) {
			f := builder.Function(profile.Function{Name: string(rune('a' + r.IntN(8)))})
			stack = builder.Stack(stack, builder.Frame(f, 0, 0))
		}
		builder.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: 1})
	}
	p := builder.Profile()
	for b.Loop() {
		Flat(p)
	}
}
