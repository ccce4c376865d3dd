package folded

import (
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

func TestReadForeign(t *testing.T) {
	p := formattest.Parsed(t, Read, strings.NewReader("# made by a script\n\nmain;std::vector<int, x>::at 12.4\r\nmain\t3\n"))
	if p.Len() != 2 || p.Samples.Weight[0] != 12 || p.Samples.Weight[1] != 3 || len(p.Stacks.Parent) != 2 {
		t.Errorf("%+v", p)
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
