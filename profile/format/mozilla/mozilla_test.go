package mozilla

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

// documentsExample is what results() prints in the draft, in JSON.
const documentsExample = `{"samples":624,"gcSamples":1,"micros":12421,"children":[
	{"function":{"file":"input.js","line":1,"name":"<top level>"},"site":{"file":"input.js","line":25},"samples":624,"children":[
		{"function":{"file":"input.js","line":1,"name":"foo"},"site":{"file":"input.js","line":7},"samples":195,"selfCount":195},
		{"function":{"file":"input.js","line":1,"name":"foo"},"site":{"file":"input.js","line":11},"samples":429,"selfCount":429}]},
	{"function":{"file":"input.js","line":1},"site":{"file":"input.js","line":26},"children":[
		{"function":{"file":"input.js","line":18,"name":"bar"},"site":{"file":"input.js","line":18},"data":{"one":1}},
		{"function":{"file":"input.js","line":18,"name":"bar"},"site":{"file":"input.js","line":19},"data":{"two":2,"n":200}}]}]}`

func TestTheDocumentsExample(t *testing.T) {
	p := formattest.Parsed(t, Read, strings.NewReader(documentsExample))
	want := map[string]int64{"<top level>:25 foo:7": 195, "<top level>:25 foo:11": 429, "(garbage collector):0": 1}
	must.Equal(t, paths(p), want)
	must.Equal(t, p.Meta.Duration, 12421*time.Microsecond)
	must.Equal(t, p.Meta.Interval, 12421*time.Microsecond/625)
}

// paths are ticks by functions and positions, outermost first.
func paths(p *profile.Profile) map[string]int64 {
	ticks := map[string]int64{}
	for i, s := range p.Samples.Stack {
		path := ""
		for ; s != profile.NoStack; s = p.Stacks.Parent[s] {
			f := p.Stacks.Frame[s]
			function := p.Function(p.Frames.Function[f])
			if function.Flags&profile.TopLevel != 0 {
				function.Name = topLevel
			}
			path = strings.TrimSuffix(fmt.Sprintf("%s:%d %s", function.Name, p.Frames.Line[f], path), " ")
		}
		ticks[path] += int64(p.Samples.Weight[i])
	}
	return ticks
}

func example() *profile.Profile {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond, Duration: 40 * time.Millisecond, Program: "input.js"}}
	at := func(parent profile.StackID, f profile.Function, line int32) profile.StackID {
		return b.Stack(parent, b.Frame(b.Function(f), line, 4))
	}
	main := at(profile.NoStack, profile.Function{File: "input.js", Line: 1, Column: 1, Flags: profile.TopLevel}, 25)
	foo := at(main, profile.Function{Name: "foo", File: "input.js", Line: 3, Column: 13}, 7)
	foo2 := at(main, profile.Function{Name: "foo", File: "input.js", Line: 3, Column: 13}, 11)
	deep := at(foo2, profile.Function{File: "lib.js", Line: 4}, 5)
	native := at(foo, profile.Function{Name: "host.read", File: profile.NameNative, Flags: profile.NativeCode}, 0)
	for i, s := range []profile.StackID{main, foo, foo2, deep, native, foo, main} {
		b.Sample(profile.Sample{Time: int64(i+1) * 5e6, Stack: s, Weight: int32(1 + i%3)})
	}
	for _, k := range []profile.Kind{profile.Idle, profile.Program, profile.GC, profile.Lost} {
		b.Sample(profile.Sample{Time: 37e6, Stack: b.Pseudo(profile.NoStack, k.PseudoName()), Weight: 2, Kind: k})
	}
	return b.Profile()
}

func TestRoundTrips(t *testing.T) {
	for name, write := range map[string]func(io.Writer, *profile.Profile) error{"results()": Write, "samples()": WriteSamples} {
		out := formattest.Written(t, write, example())
		got := must.Get(Read(out))(t, name)
		must.Equal(t, paths(example()), paths(got), name)
		if name == "results()" && !reflect.DeepEqual(got.Meta, example().Meta) {
			t.Errorf("%+v", got.Meta)
		}
	}
}

// TestOurProfilers reads what the Profiler of gojahost/mozilla gave:
// results(), and the first of samples().
func TestOurProfilers(t *testing.T) {
	read := func(name string) *profile.Profile { return formattest.File(t, Read, "testdata/"+name) }
	want := map[string]int64{
		"<top level>:6 foo:2": 1490, "<top level>:6 bar:3": 320, "<top level>:6 bar:3 foo:2": 329, "(garbage collector):0": 9,
	}
	tree := read("results.json")
	must.Equal(t, paths(tree), want)
	must.Equal(t, tree.Meta.Duration, 2239316*time.Microsecond)
	list := read("samples.json")
	if s := list.Sample(1); list.Len() != 60 || s.Time != 4039e3 || s.Weight != 1 {
		t.Errorf("%d samples, the second %+v", list.Len(), s)
	}
}

// TestTheDraftsSum: samples = selfCount + those of the children, everywhere.
func TestTheDraftsSum(t *testing.T) {
	out := formattest.Written(t, Write, example())
	type node struct {
		Samples, SelfCount, GCSamples, IdleSamples, ProgramSamples, LostSamples, Micros int64
		Children                                                                        []node
	}
	var root node
	must.Do(t, json.Unmarshal(out.Bytes(), &root))
	nodes := 0
	var check func(n *node)
	check = func(n *node) {
		sum := n.SelfCount
		for i := range n.Children {
			sum += n.Children[i].Samples
			check(&n.Children[i])
		}
		if nodes++; sum != n.Samples {
			t.Errorf("%d samples, and %d of its own and its children's", n.Samples, sum)
		}
	}
	check(&root)
	if nodes != 6 || root.Samples != 13 || root.GCSamples != 2 || root.IdleSamples != 2 || root.ProgramSamples != 2 || root.LostSamples != 2 || root.Micros != 40_000 {
		t.Errorf("%d nodes, %+v", nodes, root)
	}
}

// TestDeepTrees: trees nest deeper than encoding/json would follow.
func TestDeepTrees(t *testing.T) {
	const depth = 50_000
	b := profile.Builder{Meta: profile.Meta{Interval: 1}}
	s := profile.NoStack
	for i := range int32(depth) {
		s = b.Stack(s, b.Frame(b.Function(profile.Function{Name: "f", File: "a.js"}), i+1, 0))
	}
	b.Sample(profile.Sample{Stack: s, Weight: 3})
	out := formattest.Written(t, Write, b.Profile())
	p, err := Read(out)
	if err != nil || len(p.Stacks.Parent) != depth || p.Len() != 1 || p.Sample(0).Weight != 3 {
		t.Errorf("%d stacks, %v", len(p.Stacks.Parent), err)
	}
	for range MaxFrames / depth {
		b.Sample(profile.Sample{Stack: s, Weight: 1})
	}
	must.Fail(t, WriteSamples(io.Discard, b.Profile()), "67108864 are the limit; results() has no such limit")
}

func TestFaults(t *testing.T) {
	for in, fault := range map[string]string{
		"":                                "byte 0: the file is empty",
		"3":                               "byte 1: 3 is neither results() nor samples()",
		`"\u001b[2J"`:                     `byte 11: "\x1b[2J" is neither results() nor samples()`,
		`{"children":"\u001b[2J"}`:        `byte 23: "\x1b[2J" where "[" should be`,
		"[":                               "unexpected EOF",
		"{":                               "unexpected EOF",
		"{}":                              `"children" is missing`,
		`[{"a":1}]`:                       "byte 8: [0].stack: empty",
		`[{"weight":0,"stack":[{}]}]`:     "[0].weight: 0",
		`[{"micros":-1,"stack":[{}]}]`:    "[0].micros: -1 is not a time",
		`[{"micros":"x","stack":[{}]}]`:   "[0]: json: cannot unmarshal string",
		`{"children":7}`:                  `byte 13: 7 where "[" should be`,
		`{"children":[7]}`:                `byte 14: 7 where "{" should be`,
		`{"children":[{"samples":-1}]}`:   "samples: -1",
		`{"children":[{"samples":1e99}]}`: "cannot unmarshal number 1e99",
		`{"children":[{"samples":99999999999999999}]}`:                            "samples: 99999999999999999",
		`{"children":[{"samples":1,"children":[{"selfCount":2}]}]}`:               "byte 55: samples: 1, less than the 2 of its children",
		`{"children":[{"samples":3,"selfCount":3,"children":[{"selfCount":2}]}]}`: "samples: 3 is not selfCount 3 and the 2 of its children",
		`{"children":[{"samples":9,"selfCount":3,"children":[{"selfCount":2}]}]}`: "samples: 9 is not selfCount 3 and the 2 of its children",
		`{"children":[{"children":[{"function":{"line":1.5}}]}]}`:                 "cannot unmarshal number 1.5",
		`{"children":[{"children":[`:                                              "unexpected EOF",
		`{"children":[],"fieldprof":{"version":2}}`:                               "fieldprof: version 2 is not supported",
		`{"children":[],"fieldprof":{"version":1,"meta":{"intervalNs":-5}}}`:      "meta: interval -5ns",
	} {
		formattest.Rejects(t, Read, []formattest.Fault{{"", in, fault}})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(documentsExample))
	for _, write := range []func(io.Writer, *profile.Profile) error{Write, WriteSamples} {
		f.Add(formattest.Written(f, write, example()).Bytes())
	}
	format := formattest.Format{Read: Read, Write: Write}
	format.Fuzz(f, func(p *profile.Profile) string { return fmt.Sprint(p.Samples.Ticks()) })
}
