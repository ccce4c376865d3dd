package xs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// example has two callers of one function, recursion through another, native
// code, the collector and idle time.
func example() *profile.Profile {
	b := profile.Builder{Meta: profile.Meta{Interval: 1250 * time.Microsecond, Start: time.UnixMicro(1_790_000_000_000_777).UTC(), Engine: "goja"}}
	frame := func(name string, flags profile.Flags) profile.FrameID {
		return b.Frame(b.Function(profile.Function{Name: name, File: "main.js", Line: int32(len(name)), Column: 3, Flags: flags}), 9, 9)
	}
	main, a, bb, shared, native := frame("", profile.TopLevel), frame("a", 0), frame("bb", 0), frame("shared", 0), frame("read", profile.NativeCode)
	stack := func(frames ...profile.FrameID) profile.StackID {
		s := profile.NoStack
		for _, f := range frames {
			s = b.Stack(s, f)
		}
		return s
	}
	for i, s := range []profile.StackID{
		stack(main), stack(main, a), stack(main, a, shared), stack(main, bb, shared), stack(main, a, bb, a), stack(main, a, a), stack(main, bb, native),
		stack(main, bb, shared, shared), b.Pseudo(stack(main, a), profile.NameGC), b.Pseudo(profile.NoStack, profile.NameIdle),
	} {
		b.Sample(profile.Sample{Time: int64(i) * 1e7, Stack: s, Weight: int32(1 + i%4), Marker: profile.Marker(i % 3)})
	}
	b.Mark(profile.Mark{What: profile.Measure, Name: "m", Time: 5, Duration: 9})
	return b.Profile()
}

func written(t *testing.T, p *profile.Profile) (data []byte, f file) {
	t.Helper()
	out := formattest.Written(t, Write, p)
	must.Do(t, json.Unmarshal(out.Bytes(), &f))
	return out.Bytes(), f
}

// TestNodes: one for each function, the host and the collector first, and an edge
// for each call that closes no cycle.
func TestNodes(t *testing.T) {
	_, f := written(t, example())
	names := make([]string, len(f.Nodes))
	for i, n := range f.Nodes {
		must.Equal(t, n.ID, int64(i), i)
		must.Equal(t, n.CallFrame.ColumnNumber, -1, i)
		names[i] = n.CallFrame.FunctionName
	}
	got := map[string]string{}
	for i, n := range f.Nodes {
		var children []string
		for _, c := range n.Children {
			children = append(children, names[c])
		}
		got[names[i]] = fmt.Sprintf("%s:%v, %d hits, calls %q", n.CallFrame.URL, n.CallFrame.LineNumber, n.HitCount, children)
	}
	want := map[string]string{
		"(host)": `:-1, 2 hits, calls [""]`,
		"(gc)":   `:-1, 1 hits, calls []`,
		"":       `main.js:-1, 1 hits, calls ["a" "bb"]`,
		"a":      `main.js:0, 5 hits, calls ["(gc)" "shared" "bb"]`,
		"shared": `main.js:5, 11 hits, calls []`,
		"bb":     `main.js:1, 0 hits, calls ["shared" "@read"]`,
		"@read":  `:-1, 3 hits, calls []`,
	}
	if !reflect.DeepEqual(got, want) || names[0] != "(host)" || names[1] != "(gc)" {
		t.Errorf("%q:\n%q, want\n%q", names, got, want)
	}
}

// asVSCode reckons self times (microseconds, by node) as VS Code and xsbug do: to
// the next sample, and from the last one to the end.
func asVSCode(f *file) map[int64]float64 {
	self := map[int64]float64{}
	left := f.EndTime - f.StartTime
	for i, d := range f.TimeDeltas {
		left -= d
		if i > 0 {
			self[f.Samples[i-1]] += d
		}
	}
	if n := len(f.Samples); n > 0 {
		self[f.Samples[n-1]] += left
	}
	return self
}

// asDevTools reckons them by hits and the mean interval.
func asDevTools(f *file) map[int64]float64 {
	self, hits := map[int64]float64{}, 0.0
	for _, n := range f.Nodes {
		hits += float64(n.HitCount)
	}
	for _, n := range f.Nodes {
		if n.HitCount > 0 {
			self[n.ID] = float64(n.HitCount) * (f.EndTime - f.StartTime) / hits
		}
	}
	return self
}

func TestViewersAgree(t *testing.T) {
	p := example()
	for _, interval := range []time.Duration{1250 * time.Microsecond, 333_333, 10 * time.Millisecond, 0} {
		p.Meta.Interval = interval
		_, f := written(t, p)
		want := map[string]int64{}
		all := int64(0)
		for i, s := range p.Samples.Stack {
			function := p.Function(p.Frames.Function[p.Stacks.Frame[s]])
			n := node{function: function}
			name := n.name(0)
			switch {
			case function.Name == profile.NameGC:
				name = nameGC
			case function.Flags&profile.Pseudo != 0:
				name = profile.NameHost
			}
			want[name] += int64(p.Samples.Weight[i])
			all += int64(p.Samples.Weight[i])
		}
		for viewer, self := range map[string]map[int64]float64{"VS Code": asVSCode(&f), "DevTools": asDevTools(&f)} {
			sum := 0.0
			for _, us := range self {
				sum += us
			}
			for id, us := range self {
				name := f.Nodes[id].CallFrame.FunctionName
				if share := 100 * float64(want[name]) / float64(all); math.Abs(100*us/sum-share) > 0.1 {
					t.Errorf("%v, %s: %s has %.2f %%, we say %.2f %%", interval, viewer, name, 100*us/sum, share)
				}
			}
			must.Equal(t, len(self), len(want), interval, viewer)
		}
		if grid := float64(interval.Microseconds()); interval%time.Microsecond == 0 && grid > 0 && math.Mod(f.StartTime, grid) != 0 {
			t.Errorf("%v: startTime %v is not on the grid", interval, f.StartTime)
		}
	}
}

// TestNoCycles: whatever calls whatever, the file that is written has no cycles,
// and every function can be reached from the host.
func TestNoCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var b profile.Builder
		for range 1 + r.IntN(30) {
			s := profile.NoStack
			for range 1 + r.IntN(12) {
				s = b.Stack(s, b.Frame(b.Function(profile.Function{Name: string(rune('a' + r.IntN(6)))}), 0, 0))
			}
			b.Sample(profile.Sample{Stack: s, Weight: 1 + r.Int32N(3)})
		}
		data, f := written(t, b.Profile())
		reached := map[int64]bool{hostID: true, gcID: true}
		for range f.Nodes {
			for _, n := range f.Nodes {
				for _, c := range n.Children {
					reached[c] = reached[c] || reached[n.ID]
				}
			}
		}
		must.Equal(t, len(reached), len(f.Nodes))
		// Reading refuses cycles; it must do without what is ours.
		got := must.Get(Read(bytes.NewReader(bytes.Replace(data, []byte(`"fieldprof"`), []byte(`"somebody"`), 1))))(t, data)
		must.Equal(t, selfTicks(b.Profile()), selfTicks(got))
	}
}

func selfTicks(p *profile.Profile) map[string]int64 {
	self := map[string]int64{}
	for _, r := range view.Flat(p) {
		if r.Self > 0 {
			self[r.Name] += r.Self
		}
	}
	return self
}

func TestNothingIsLost(t *testing.T) {
	want := example()
	data, _ := written(t, want)
	got := formattest.Parsed(t, Read, bytes.NewReader(data))
	must.Equal(t, formattest.Spell(got), formattest.Spell(want))
	must.Equal(t, got.Meta, want.Meta)
}

// TestAFileOfXS reads one as XS writes it: samples that are late, the one of
// the collector, a function with two callers, functions without names, native ones.
func TestAFileOfXS(t *testing.T) {
	const text = `{"nodes":[{"id":0,"callFrame":{"functionName":"(host)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":1,"children":[2]},
		{"id":1,"callFrame":{"functionName":"(gc)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":1,"children":[]},
		{"id":2,"callFrame":{"functionName":"main","scriptId":"0","url":"/app/main.js","lineNumber":0,"columnNumber":-1},"hitCount":0,"children":[3,1217]},
		{"id":3,"callFrame":{"functionName":"(anonymous-3)","scriptId":"0","url":"/app/main.js","lineNumber":11,"columnNumber":-1},"hitCount":2,"children":[1,40]},
		{"id":40,"callFrame":{"functionName":"@fx_Array_prototype_sort","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":4,"children":[]},
		{"id":1217,"callFrame":{"functionName":"Point.prototype.add","scriptId":"0","url":"/app/main.js","lineNumber":30,"columnNumber":-1},"hitCount":0,"children":[40]}],
		"startTime":5000,"endTime":18700,"samples":[0,3,40,40,1,3,40,40],"timeDeltas":[1250,1251,1249,3750,1300,1200,1255,1245]}`
	p := formattest.Parsed(t, Read, strings.NewReader(text))
	var f file
	must.Do(t, json.Unmarshal([]byte(text), &f))
	want := map[string]float64{}
	for id, us := range asVSCode(&f) {
		for _, n := range f.Nodes {
			if n.ID == id {
				want[n.function().Label()] += us
			}
		}
	}
	tick := float64(p.Meta.Interval) / 1e3
	callers := map[string]int{}
	for i, s := range p.Samples.Stack {
		name := p.Function(p.Frames.Function[p.Stacks.Frame[s]]).Label()
		want[name] -= float64(p.Samples.Weight[i]) * tick
		if up := p.Stacks.Parent[s]; name == "fx_Array_prototype_sort" && up != profile.NoStack {
			callers[p.Function(p.Frames.Function[p.Stacks.Frame[up]]).Label()]++
		}
	}
	for name, us := range want {
		if math.Abs(us) > 0.001 {
			t.Errorf("%s is off by %v µs", name, us)
		}
	}
	must.Equal(t, callers, map[string]int{"(anonymous) /app/main.js:12": 2, "Point.prototype.add": 2}, "callers")
}

func TestFaults(t *testing.T) {
	const sound = `{"nodes":[{"id":0,"children":[2]},{"id":2,"children":[3]},{"id":3}],"startTime":10,"endTime":50,"samples":[2,3],"timeDeltas":[10,10]}`
	formattest.RejectsChanged(t, Read, sound, []formattest.Change{
		{"", "", "byte 0: the file is empty"},
		{"", "{}", `"nodes" is missing`},
		{`{"id":3}`, `{"id":2}`, "nodes[2]: id 2 is also the id of nodes[1]"},
		{`{"id":3}`, `{"id":3,"children":[2]}`, "nodes[1]: id 2 is part of a cycle"},
		{`{"id":3}`, `{"id":3,"children":[3]}`, "nodes[2]: id 3 is part of a cycle"},
		{`"children":[3]`, `"children":[9]`, "nodes[1]: child 9 is not a node"},
		{`{"id":3}`, `{"id":3,"callFrame":{"lineNumber":-2}}`, "nodes[2]: lineNumber -2 is out of range"},
		{`[2,3]`, `[2,9]`, "samples[1]: 9 is not a node"},
		{`[2,3]`, `[2]`, "timeDeltas: 2 for 1 samples"},
		{`[10,10]`, `[10,-1]`, "timeDeltas[1]: -1"},
		{`[10,10]`, `[10,1e300]`, "timeDeltas[1]: 1e+300"},
		{`"endTime":50`, `"endTime":5`, "endTime: 5, with a startTime of 10"},
		{`"startTime"`, `"fieldprof":{"version":7},"startTime"`, "fieldprof: version 7 is not supported"},
		{`"startTime"`, `"fieldprof":{"version":1,"stacks":[[0,0,0,0]]},"startTime"`, "fieldprof.stacks[0]: the caller 0 does not come before it"},
		{`"startTime"`, `"fieldprof":{"version":1,"stacks":[[-1,0,0,0]]},"startTime"`, "fieldprof.stacks[0]: function 0 of 0"},
		{`"startTime"`, `"fieldprof":{"version":1,"samples":{"weight":[1]}},"startTime"`, "0 entries for 1 weights"},
		{`"startTime"`, `"fieldprof":{"version":1,"samples":{"weight":[1],"stack":[0],"kind":[0],"skidNs":[0],"timeDeltasNs":[0]}},"startTime"`, "fieldprof.samples.stack[0]: 0 of 0"},
		{`"startTime"`, `"fieldprof":{"version":1},"startTime"`, "fieldprof.samples.weight: they add up to 0, for 2 samples"},
	})
	var b profile.Builder
	b.Add(profile.Sample{Stack: profile.NoStack, Kind: profile.GC}, math.MaxInt32)
	must.Fail(t, Write(io.Discard, b.Profile()), "67108864 are the limit")
}

func FuzzRead(f *testing.F) {
	f.Add(formattest.Written(f, Write, example()).Bytes())
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"time"},
		Skip: func(p *profile.Profile) bool { return p.Samples.Ticks() > 1<<16 }}
	format.Fuzz(f, func(*profile.Profile) string { return "" })
}
