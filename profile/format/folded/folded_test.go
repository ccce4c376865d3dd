package folded

import (
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

func TestWrite(t *testing.T) {
	var b profile.Builder
	frame := func(f profile.Function, line int32) profile.FrameID { return b.Frame(b.Function(f), line, 1) }
	main := b.Stack(profile.NoStack, frame(profile.Function{Name: "main", File: "a.ts"}, 3))
	odd := b.Stack(main, frame(profile.Function{Name: "a;b\nc\\x3bd\\e f"}, 1))
	for i, s := range []profile.Sample{
		{Stack: odd, Weight: 2},
		{Stack: b.Stack(main, frame(profile.Function{File: "src/a.ts", Line: 12}, 13)), Weight: 4},
		{Stack: b.Stack(main, frame(profile.Function{File: "src/a.ts", Line: 12}, 14)), Weight: 1},
		{Stack: b.Stack(profile.NoStack, frame(profile.Function{File: "src/a.ts", Flags: profile.TopLevel}, 1)), Weight: 1},
		{Stack: profile.NoStack, Weight: 7, Kind: profile.Idle},
		{Stack: profile.NoStack, Weight: 1, Kind: profile.Own},
	} {
		s.Time = int64(i)
		b.Sample(s)
	}
	out := formattest.Written(t, Write, b.Profile())
	const want = `(idle) 7
(program) 1
(top level) src/a.ts 1
main;(anonymous) src/a.ts:12 5
main;a\x3bb\x0ac\x5cx3bd\e f 2
`
	must.Equal(t, out.String(), want)
	p := formattest.Parsed(t, Read, out)
	names := map[string]bool{}
	for f := range p.Functions.Name {
		names[p.Function(profile.FunctionID(f)).Label()] = true
	}
	if !names["a;b\nc\\x3bd\\e f"] || !names["(anonymous) src/a.ts:12"] {
		t.Errorf("%v", names)
	}
	must.Equal(t, p.Samples.Kind[0], profile.Idle)
	must.Equal(t, p.Samples.Weight[3], 5)
}

// Lines come in the order of their whole text, whatever names begin with others.
func TestLinesAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	names := []string{"a", "a b", "a;b", "a:b", "a#", "#", "#a", `\x23a`, "ab", "b", "", "a\n", "a\x00", "é"}
	for range 300 {
		var b profile.Builder
		want := map[string]int64{}
		for i := range r.IntN(40) {
			stack, text := profile.NoStack, profile.NameProgram
			for depth := range r.IntN(5) {
				f := profile.Function{Name: names[r.IntN(len(names))], File: "x.js", Line: r.Int32N(2)}
				stack = b.Stack(stack, b.Frame(b.Function(f), r.Int32N(2), 0))
				if name := escape(f.Label()); depth > 0 {
					text += ";" + name
				} else if text = name; name[0] == '#' {
					text = `\x23` + name[1:]
				}
			}
			weight := 1 + r.Int32N(3)
			b.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: weight, Kind: profile.Own})
			want[text] += int64(weight)
		}
		var text strings.Builder
		for _, line := range slices.Sorted(maps.Keys(want)) {
			fmt.Fprintf(&text, "%s %d\n", line, want[line])
		}
		must.Equal(t, formattest.Written(t, Write, b.Profile()).String(), text.String())
	}
}

// A small profile of long names on deep stacks would be a file without end.
func TestWriteIsBounded(t *testing.T) {
	long := strings.Repeat("n", 1<<20)
	for _, c := range []struct {
		depth, stacks int
		want          string
	}{{100_000, 1, "longer than a line may be"}, {60, 70, "more than 4294967296 bytes in all"}} {
		var b profile.Builder
		f, stack := b.Function(profile.Function{Name: long}), profile.NoStack
		for range c.depth {
			stack = b.Stack(stack, b.Frame(f, 1, 1))
		}
		for i := range c.stacks {
			top := b.Stack(stack, b.Frame(b.Function(profile.Function{Name: strconv.Itoa(i)}), 1, 1))
			b.Sample(profile.Sample{Time: int64(i), Stack: top, Weight: 1})
		}
		must.Fail(t, Write(io.Discard, b.Profile()), c.want)
	}
}

func TestReadForeign(t *testing.T) {
	p := formattest.Parsed(t, Read, strings.NewReader("# made by a script\n\nmain;std::vector<int, x>::at 12.4\r\nmain\t3\n"))
	if p.Len() != 2 || p.Samples.Weight[0] != 124 || p.Samples.Weight[1] != 30 || len(p.Stacks.Parent) != 2 {
		t.Errorf("%+v", p)
	}
}

// A name may begin with #, as those of private methods do.
func TestReadComments(t *testing.T) {
	p := formattest.Parsed(t, Read, strings.NewReader("# 4 stacks\n#\t5\n#\n##\n#!x y\n#comment\n#priv;b 7\na;#priv 1.5\n#priv 2\n"))
	must.Equal(t, formattest.Written(t, Write, p).String(), "\\x23priv 20\n\\x23priv;b 70\na;#priv 15\n")
}

// Names may end in numbers, all of them, too.
func TestNumbersInNames(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"step 1", "step 2.5", " 3", "a 1 2", `x\x20 4`, "plain", "5"}
	for range 300 {
		var b profile.Builder
		some := names[:1+r.IntN(len(names))]
		for i := range 1 + r.IntN(4) {
			stack := profile.NoStack
			for range 1 + r.IntN(3) {
				stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: some[r.IntN(len(some))]}), 0, 0))
			}
			b.Sample(profile.Sample{Time: int64(i), Stack: stack, Weight: 1, Kind: profile.Own})
		}
		text := formattest.Written(t, Write, b.Profile()).String()
		p := formattest.Parsed(t, Read, strings.NewReader(text))
		must.Equal(t, formattest.Written(t, Write, p).String(), text)
		must.Equal(t, formattest.SelfTimes(p), formattest.SelfTimes(b.Profile()), text)
	}
	p := formattest.Parsed(t, Read, strings.NewReader("main;a 10 20\nmain 3\n"))
	must.Equal(t, p.Function(1).Name, "a 10")
}

// Shares are those of the numbers, however small these are: stacks whose ticks are all
// below one half must not vanish.
func TestReadFractions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var text strings.Builder
		var weights []float64
		sum, digits, most := 0.0, random.IntN(18), math.Pow(10, float64(random.IntN(12)-4))
		for i := range 1 + random.IntN(20) {
			number := strconv.FormatFloat(most*random.Float64(), 'f', digits, 64)
			v := must.Get(strconv.ParseFloat(number, 64))(t)
			weights, sum = append(weights, v), sum+v
			fmt.Fprintf(&text, "main;f%d %s\n", i, number)
		}
		if sum == 0 {
			continue
		}
		p := formattest.Parsed(t, Read, strings.NewReader(text.String()))
		got := map[string]float64{}
		for i, s := range p.Samples.Stack {
			got[p.Function(p.Frames.Function[p.Stacks.Frame[s]]).Name] += float64(p.Samples.Weight[i])
		}
		all := float64(p.Samples.Ticks())
		for i, v := range weights {
			if share := got[fmt.Sprint("f", i)] / all; math.Abs(share-v/sum) > 1e-7 {
				t.Fatalf("f%d has a share of %v in\n%s", i, share, &text)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	formattest.Rejects(t, Read, []formattest.Fault{
		{"", "", "no stacks"},
		{"", "\n#\n", "no stacks"},
		{"", "a;b 1\nmain\n", "line 2: no blank"},
		{"", "a;b x\n", `line 1: "x" is not a number`},
		{"", "a -1\n", `"-1" is not a number`},
		{"", "a NaN\n", `"NaN" is not a number`},
		{"", "a 1e300\n", `"1e300" is not a number`},
		{"", "# before after\nmain;a 10 20\nmain;b 0 3\n", "each line ends in two numbers"},
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("main;parse;next 42\nmain 1\n(idle) 7\n"))
	f.Add([]byte("# c\nmain;(anonymous) src/a.ts:12 5\nmain;a\\x3bb\\x0ac\\x5cx3bd 2.5\n(top level) a 1\n"))
	// Nothing but zeros, or a sum of many lines, is not read again.
	format := formattest.Format{Read: Read, Write: Write, NotAgain: []string{"no number", "no stacks", "not a number"}}
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, q := format.Again(t, data); p != nil {
			must.Do(t, p.CheckValid())
			must.Equal(t, formattest.Written(t, Write, q).String(), formattest.Written(t, Write, p).String())
		}
	})
}
