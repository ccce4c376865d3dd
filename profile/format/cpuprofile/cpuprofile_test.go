package cpuprofile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// maker builds small profiles in a line or two.
type maker struct{ profile.Builder }

func (m *maker) frame(name string, line int32) profile.FrameID {
	return m.Frame(m.Function(profile.Function{Name: name, File: "src/" + name + ".ts", Line: 10, Column: 3}), line, 5)
}

func (m *maker) stack(frames ...profile.FrameID) profile.StackID {
	s := profile.NoStack
	for _, f := range frames {
		s = m.Stack(s, f)
	}
	return s
}

func (m *maker) sample(s profile.StackID, weight int32, kind profile.Kind) {
	m.Sample(profile.Sample{Time: int64(m.Len()) * 1_300_000, Stack: s, Weight: weight, Kind: kind, Skid: int64(m.Len() % 3)})
}

func newMaker(interval time.Duration) *maker {
	m := new(maker)
	m.Meta = profile.Meta{Start: time.UnixMicro(1_790_000_000_123_456).UTC(), Duration: 3 * time.Second, Interval: interval,
		Program: "app.ts", Engine: "goja", Preset: "precise", Clock: "goroutine", Seed: 1 << 63,
		Ticks: profile.Ticks{Raised: 20, Missed: 1, Taken: 15, Idle: 3, GC: 1, Lost: 1},
		Skid:  profile.Spread{Count: 15, Median: 1, P95: 2, Max: 3}, Coverage: profile.Coverage{Functions: 4, CheckedFunctions: 3, Statements: 40, CheckedStatements: 39}}
	return m
}

// profiles are the shapes that make viewers disagree.
func profiles() map[string]*profile.Profile {
	all := map[string]*profile.Profile{}

	m := newMaker(time.Millisecond)
	m.sample(m.stack(m.frame("main", 1)), 1, profile.Own)
	all["one tick"] = m.Profile()

	m = newMaker(10 * time.Millisecond)
	main, walk := m.frame("main", 1), m.frame("walk", 12)
	for depth := range 6 {
		s := m.stack(main, walk)
		for range depth {
			s = m.Stack(s, m.frame("walk", 13))
		}
		m.sample(s, int32(1+depth%3), profile.Own)
	}
	m.sample(m.stack(main, walk, main), 4, profile.Own)
	all["recursion"] = m.Profile()

	m = newMaker(time.Millisecond)
	main, walk = m.frame("main", 1), m.frame("walk", 12)
	m.sample(m.stack(main), 3, profile.Own)
	m.sample(profile.NoStack, 40, profile.Idle)
	m.sample(m.stack(main, walk), 2, profile.Own)
	m.sample(m.Pseudo(profile.NoStack, profile.NameIdle), 5, profile.Idle)
	m.sample(profile.NoStack, 2, profile.GC)
	m.sample(m.Pseudo(m.stack(main), profile.NameGC), 1, profile.GC)
	m.sample(m.stack(main, walk), 1, profile.Own)
	m.sample(profile.NoStack, 2, profile.Program)
	m.sample(profile.NoStack, 1, profile.Lost)
	m.sample(m.Pseudo(m.stack(main), profile.NameNative), 7, profile.Native)
	m.sample(m.stack(main, m.Frame(m.Function(profile.Function{Name: "hash", File: profile.NameNative, Flags: profile.NativeCode}), 0, 0)), 2, profile.Native)
	m.sample(profile.NoStack, 6, profile.Idle)
	m.Sample(profile.Sample{Time: 1e9, Stack: m.stack(main), Weight: 1, Marker: profile.MarkerLayout})
	m.Mark(profile.Mark{What: profile.Interaction, Name: "click", Time: 5, Duration: 9, Processing: 3})
	all["pseudo"] = withPseudoStacks(m.Profile())

	m = newMaker(time.Millisecond)
	main = m.frame("main", 1)
	m.sample(m.stack(main), 3, profile.Own)
	m.sample(profile.NoStack, 1, profile.Program)
	m.sample(m.stack(main), 2, profile.Own)
	all["one lone program tick"] = withPseudoStacks(m.Profile())

	m = newMaker(1_333_333) // no whole number of microseconds
	for i := range int32(500) {
		m.sample(m.stack(m.frame("main", 1), m.frame("spread", 10+i%17), m.frame([]string{"a", "b", "c"}[i%3], i%5)), 1+i%4, profile.Own)
	}
	all["weights, many positions, odd interval"] = m.Profile()

	m = newMaker(700) // below a microsecond
	for i := range int32(100) {
		m.sample(m.stack(m.frame("main", 1), m.frame([]string{"a", "b"}[i/50], i)), 30, profile.Own)
	}
	all["interval of 700 ns"] = m.Profile()
	return all
}

// withPseudoStacks gives the samples without a stack one, as Attribute does, so
// that views can name them.
func withPseudoStacks(p *profile.Profile) *profile.Profile {
	return profile.Attribute(p, profile.BySite)
}

func TestRoundTrip(t *testing.T) {
	for name, p := range profiles() {
		t.Run(name, func(t *testing.T) {
			b := formattest.Written(t, Write, p)
			got := formattest.Parsed(t, Read, bytes.NewReader(b.Bytes()))
			must.Equal(t, got.Meta, p.Meta, "meta")
			g, w := got.Samples, p.Samples
			must.Equal(t, []any{g.Time, g.Weight, g.Kind, g.Skid}, []any{w.Time, w.Weight, w.Kind, w.Skid}, g, w)
			for i := range got.Samples.Stack {
				f, x := got.Stacks.Frame[g.Stack[i]], p.Stacks.Frame[w.Stack[i]]
				if got.Function(got.Frames.Function[f]) != p.Function(p.Frames.Function[x]) || got.Frames.Line[f] != p.Frames.Line[x] || got.Frames.Column[f] != p.Frames.Column[x] {
					t.Errorf("sample %d has another top frame", i)
				}
			}
			var top, want bytes.Buffer
			_ = view.WriteTop(&top, got, 0)
			_ = view.WriteTop(&want, p, 0)
			if name != "pseudo" && top.String() != want.String() { // there, GC is taken off its stack
				t.Errorf("got\n%s\nwant\n%s", &top, &want)
			}
		})
	}
}

// written is a file as any reader sees it.
type written struct {
	Nodes []struct {
		ID       int64
		HitCount int64
	}
	StartTime, EndTime float64
	Samples            []int64
	TimeDeltas         []float64
}

func TestSlotsAgree(t *testing.T) {
	for name, p := range profiles() {
		b := formattest.Written(t, Write, p)
		var f written
		must.Do(t, json.Unmarshal(b.Bytes(), &f))
		// The arithmetic of speedscope, VS Code and xsbug: a sample lasts to the next.
		runs, toNext := map[int64]float64{}, map[int64]float64{}
		for i, id := range f.Samples[:len(f.Samples)-1] {
			toNext[id] += f.TimeDeltas[i+1]
			if i == 0 || f.Samples[i-1] != id {
				runs[id]++
			}
		}
		for _, n := range f.Nodes {
			want := float64(n.HitCount) * float64(p.Meta.Interval) / 1e3
			if off := toNext[n.ID] - want; off > runs[n.ID] || off < -runs[n.ID] {
				t.Errorf("%s: node %d lasts %v µs, and has hits for %v", name, n.ID, toNext[n.ID], want)
			}
		}
		hits, sum := int64(0), 0.0
		count := map[int64]int64{}
		for _, id := range f.Samples[:len(f.Samples)-1] {
			count[id]++
		}
		for _, n := range f.Nodes {
			hits += n.HitCount
			must.Equal(t, count[n.ID], n.HitCount, name, n.ID)
		}
		for _, d := range f.TimeDeltas {
			sum += d
		}
		if f.TimeDeltas[0] != 0 || int64(len(f.TimeDeltas)) != hits+1 || f.StartTime+sum != f.EndTime {
			t.Errorf("%s: %d deltas for %d hits, first %v, end off by %v", name, len(f.TimeDeltas), hits, f.TimeDeltas[0], f.EndTime-f.StartTime-sum)
		}
	}
}

func TestReadNode(t *testing.T) {
	p := formattest.File(t, Read, "testdata/node.cpuprofile")
	names := map[string]profile.Flags{}
	for _, r := range view.Flat(p) {
		names[r.Name] = p.Functions.Flags[r.Function]
	}
	for _, want := range []string{"fibonacci", "sortWords"} {
		if _, ok := names[want]; !ok {
			t.Errorf("%s is missing from %v", want, names)
		}
	}
	if names[profile.NameProgram]&profile.Pseudo == 0 || names[profile.DisplayTopLevel]&profile.TopLevel == 0 {
		t.Errorf("%v", names)
	}
	if p.Meta.Interval < 500*time.Microsecond || p.Meta.Interval > 20*time.Millisecond {
		t.Errorf("interval %v", p.Meta.Interval)
	}
}

func TestReadForeignShapes(t *testing.T) {
	const call = `"callFrame":{"functionName":"f","scriptId":"1","url":"a.js","lineNumber":4,"columnNumber":6}`
	for _, c := range []struct{ name, in, want string }{
		{"parents instead of children", `{"nodes":[{"id":0,"callFrame":{"functionName":"(root)","lineNumber":-1,"columnNumber":-1}},{"id":1,"parent":0,` + call + `}],"startTime":0,"endTime":2000,"samples":[1,1],"timeDeltas":[0,1000]}`, "f a.js:5 2 1ms"},
		{"no deltas", `{"nodes":[{"id":1,` + call + `}],"startTime":0,"endTime":3000,"samples":[1,1,1]}`, "f a.js:5 3 1ms"},
		{"no end", `{"nodes":[{"id":1,` + call + `}],"startTime":1000,"samples":[1,1,1],"timeDeltas":[0,1000,1000]}`, "f a.js:5 3 1ms"},
		{"no times", `{"nodes":[{"id":1,` + call + `}],"samples":[1,1,1],"timeDeltas":[0,1000,1000]}`, "f a.js:5 3 1ms"},
		{"no samples", `{"nodes":[{"id":1,"hitCount":5,` + call + `}],"startTime":1000,"endTime":6000}`, "f a.js:5 5 1ms"},
		{"deltas below zero", `{"nodes":[{"id":1,` + call + `}],"startTime":0,"endTime":4000,"samples":[1,1,1,1],"timeDeltas":[1000,-500,2000,-9000]}`, "f a.js:5 4 1ms"},
		{"closing root entry without the extension", `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":0,"children":[2]},{"id":2,"hitCount":2,` + call + `}],"startTime":0,"endTime":2000,"samples":[2,2,1],"timeDeltas":[0,1000,1000]}`, "f a.js:5 2 1ms"},
	} {
		p := must.Get(Read(strings.NewReader(c.in)))(t, c.name)
		r := view.Flat(p)[0]
		must.Equal(t, fmt.Sprintf("%s %s:%d %d %v", r.Name, r.File, r.Line, r.Self, p.Meta.Interval), c.want, c.name)
	}
}

// Samples without times follow each other, each as long as a tick.
func TestReadWithoutTimes(t *testing.T) {
	p := must.Get(Read(strings.NewReader(`{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}],"startTime":7000,"endTime":10000,"samples":[1,1,1]}`)))(t)
	must.Equal(t, p.Samples.Time, []int64{1e6, 2e6, 3e6})
}

// Samples of nothing but (root) have a row, however they are counted.
func TestReadRoot(t *testing.T) {
	const nodes = `{"nodes":[{"id":1,"hitCount":2,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"hitCount":1,"callFrame":{"functionName":"f","url":"a.js"}}],"startTime":0,"endTime":3000`
	for _, in := range []string{nodes + `}`, nodes + `,"samples":[1,2,1],"timeDeltas":[0,1000,1000]}`} {
		for _, self := range []SelfTime{ByHits, ToNext} {
			p := must.Get(ReadAs(strings.NewReader(in), self))(t, in)
			must.Equal(t, formattest.SelfTimes(p), "(program) 2ms, f 1ms", in, self)
		}
	}
}

// The hits of a node's lines are dealt out to its samples: in the whole as many as V8 counted, and in any part about
// the same shares.
func TestReadLines(t *testing.T) {
	file := func(lines string, samples int) string {
		list, deltas := strings.Repeat(",2", samples), strings.Repeat(",1000", samples)
		return fmt.Sprintf(`{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},{"id":2,"hitCount":100,"positionTicks":%s,"callFrame":{"functionName":"f","url":"a.js"}}],"startTime":0,"endTime":101000,"samples":[%s],"timeDeltas":[%s]}`,
			lines, strings.TrimPrefix(list, ","), strings.TrimPrefix(deltas, ","))
	}
	count := func(in string, self SelfTime, from, to time.Duration) map[int32]int64 {
		p := profile.Between(must.Get(ReadAs(strings.NewReader(in), self))(t, in), from, to)
		lines := map[int32]int64{}
		for i, s := range p.Samples.Stack {
			lines[p.Frames.Line[p.Stacks.Frame[s]]] += int64(p.Samples.Weight[i])
		}
		return lines
	}
	const lines = `[{"line":7,"ticks":60},{"line":9,"ticks":30}]`
	for _, self := range []SelfTime{ByHits, ToNext} {
		must.Equal(t, count(file(lines, 100), self, 0, time.Second), map[int32]int64{7: 60, 9: 30, 0: 10}, self)
	}
	for from := range 5 {
		part := count(file(lines, 100), ByHits, time.Duration(20*from+1)*time.Millisecond, time.Duration(20*from+21)*time.Millisecond)
		if part[7] < 11 || part[7] > 13 || part[9] < 5 || part[9] > 7 {
			t.Errorf("part %d: %v", from, part)
		}
	}
	must.Equal(t, count(file(lines, 0), ByHits, 0, time.Second), map[int32]int64{7: 60, 9: 30, 0: 10}, "no samples")
	for _, odd := range []string{`[{"line":7,"ticks":101}]`, `[{"line":0,"ticks":5}]`, `[{"line":1e300,"ticks":5}]`, `[{"line":3,"ticks":-5}]`, `[{"line":3,"ticks":1e300}]`, `[{"line":3}]`, `[7,null,[]]`, `{}`, `null`, `7`} {
		must.Equal(t, count(file(odd, 100), ByHits, 0, time.Second), map[int32]int64{0: 100}, odd)
	}
}

func TestReadRefuses(t *testing.T) {
	node := func(id, children string) string {
		return `{"id":` + id + `,"callFrame":{"functionName":"f","url":"a","lineNumber":0,"columnNumber":0},"children":[` + children + `]}`
	}
	nodes := func(rest string, n ...string) string {
		return `{"startTime":0,"endTime":10,"nodes":[` + strings.Join(n, ",") + `]` + rest + `}`
	}
	ext := func(s string) string {
		return nodes(`,"samples":[1,1,2],"timeDeltas":[0,5,5],"fieldprof":`+s, node("1", ""), node("2", ""))
	}
	formattest.Rejects(t, Read, []formattest.Fault{
		{"empty", ``, "the file is empty"},
		{"cut short", `{"nodes":[`, "byte 10: the file is cut short"},
		{"not a profile", `{"a":1}`, `"nodes" is missing`},
		{"array", `[]`, "[ where an object"},
		{"old form", `{"head":{}}`, "old form"},
		{"no nodes", nodes(``), `"nodes" is missing or empty`},
		{"same id", nodes(``, node("1", ""), node("1", "")), "nodes[1]: id 1 is also the id of nodes[0]"},
		{"unknown child", nodes(``, node("1", "7")), "nodes[0]: child 7 is not a node"},
		{"two parents", nodes(``, node("1", "3"), node("2", "3"), node("3", "")), "nodes[2]: a child of nodes[0] and of nodes[1]"},
		{"own parent", nodes(``, node("1", "1")), "nodes[0]: id 1 is part of a cycle"},
		{"cycle", nodes(``, node("1", ""), node("2", "3"), node("3", "2")), "nodes[1]: id 2 is part of a cycle"},
		{"unknown sample", nodes(`,"samples":[9]`, node("1", "")), "samples[0]: 9 is not a node"},
		{"no numbers", nodes(`,"samples":["1"]`, node("1", "")), "string where a number"},
		{"no array", nodes(`,"samples":{"1":1}`, node("1", "")), "{ where an array"},
		{"fraction", nodes(`,"samples":[1.5]`, node("1", "")), `"/samples/0": 1.5 where a whole number`},
		{"nested", nodes(`,"samples":[[1]]`, node("1", "")), "[ where a number"},
		{"weight of 33 bits", ext(`{"version":1,"flags":[0,0],"kinds":["own"],"samples":{"weight":[4294967297],"timeDeltasNs":[0]}}`), "out of range"},
		{"too few deltas", nodes(`,"samples":[1,1],"timeDeltas":[1]`, node("1", "")), "timeDeltas: 1 for 2 samples"},
		{"ends before its start", `{"startTime":5,"endTime":1,"nodes":[` + node("1", "") + `]}`, "endTime 1 is before startTime 5"},
		{"endless", `{"startTime":0,"endTime":1e300,"nodes":[` + node("1", "") + `]}`, "too long"},
		{"huge deltas", nodes(`,"samples":[1],"timeDeltas":[1e300]`, node("1", "")), "timeDeltas[0]"},
		{"hits below zero", `{"startTime":0,"endTime":10,"nodes":[{"id":1,"hitCount":-4,"callFrame":{}}]}`, "nodes[0]: hitCount -4"},
		{"endless hits", `{"startTime":0,"endTime":10,"nodes":[{"id":1,"hitCount":9223372036854775807,"callFrame":{}}]}`, "more than a profile holds"},
		{"line far away", `{"startTime":0,"endTime":10,"nodes":[{"id":1,"callFrame":{"lineNumber":1e10}}]}`, "nodes[0]: lineNumber 1e+10"},
		{"version", ext(`{"version":9}`), "fieldprof: version 9"},
		{"flags", ext(`{"version":1,"flags":[0]}`), "fieldprof.flags: 1 entries for 2 nodes"},
		{"weights too short", ext(`{"version":1,"flags":[0,0],"kinds":["own"],"samples":{"weight":[1],"timeDeltasNs":[0]}}`), "add up to 1, for 2 samples"},
		{"weights too long", ext(`{"version":1,"flags":[0,0],"kinds":["own"],"samples":{"weight":[9],"timeDeltasNs":[0]}}`), "weight[0]: 9, with 3 of 3"},
		{"weight over two nodes", ext(`{"version":1,"flags":[0,0],"kinds":["own"],"samples":{"weight":[3],"timeDeltasNs":[0]}}`), "covers samples of nodes 1 and 2"},
		{"kind", ext(`{"version":1,"flags":[0,0],"kinds":["own"],"samples":{"weight":[2],"timeDeltasNs":[0],"kind":[4]}}`), "kind[0]: 4 of 1"},
		{"unknown kind", ext(`{"version":1,"flags":[0,0],"kinds":["odd"],"samples":{"weight":[2],"timeDeltasNs":[0]}}`), `unknown kind "odd"`},
		{"time", ext(`{"version":1,"flags":[0,0],"kinds":["own"],"samples":{"weight":[2],"timeDeltasNs":[-1]}}`), "timeDeltasNs[0]: -1"},
		{"columns", ext(`{"version":1,"flags":[0,0],"kinds":["own"],"samples":{"weight":[2],"timeDeltasNs":[0],"skidNs":[1,2]}}`), "skidNs: 2 entries for 1"},
	})
}

func TestWriteRefuses(t *testing.T) {
	m := newMaker(1 << 62)
	m.Add(profile.Sample{Stack: m.stack(m.frame("f", 1))}, 3)
	must.Fail(t, Write(&bytes.Buffer{}, m.Profile()), "more time")
	p := m.Profile()
	p.Samples.Stack[0] = 77
	must.Fail(t, Write(&bytes.Buffer{}, p), "sample 0: stack 77")
}

// A profile of durations has millions of ticks, and must not get as many entries.
func TestLongSamples(t *testing.T) {
	m := newMaker(time.Microsecond)
	for i := range int32(100) {
		m.sample(m.stack(m.frame("main", 1), m.frame([]string{"a", "b", "c"}[i%3], i)), 90_000+7*i, profile.Own)
	}
	p := m.Profile()
	b := formattest.Written(t, Write, p)
	var f written
	must.Do(t, json.Unmarshal(b.Bytes(), &f))
	if len(f.Samples) != 101 || len(f.TimeDeltas) != 101 {
		t.Fatalf("%d samples, %d deltas", len(f.Samples), len(f.TimeDeltas))
	}
	hits, mean := int64(0), 0.0
	for _, n := range f.Nodes {
		hits += n.HitCount
	}
	mean = (f.EndTime - f.StartTime) / float64(hits)
	lasts := map[int64]float64{}
	for i, id := range f.Samples[:100] {
		lasts[id] += f.TimeDeltas[i+1]
	}
	for _, n := range f.Nodes {
		must.Equal(t, lasts[n.ID], float64(n.HitCount)*mean, n.ID)
	}
	got := must.Get(Read(b))(t)
	must.Equal(t, got.Samples.Weight, p.Samples.Weight)
}

// The same file by either viewer's arithmetic, computed by hand.
func TestSelfTime(t *testing.T) {
	const file = `{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":0,"children":[2,3]},
		{"id":2,"hitCount":3,"callFrame":{"functionName":"a","url":"x.js","lineNumber":1,"columnNumber":1}},
		{"id":3,"hitCount":1,"callFrame":{"functionName":"b","url":"x.js","lineNumber":2,"columnNumber":1}}],
		"startTime":1000,"endTime":9000,"samples":[2,3,2,2],"timeDeltas":[500,1000,3000,-1000]}`
	// In order of time: a at 500, b at 1500, a at 3500 and 4500; the end at 8000.
	for self, want := range map[SelfTime]map[string]time.Duration{
		ByHits: {"a": 6000 * time.Microsecond, "b": 2000 * time.Microsecond},
		ToNext: {"a": 5500 * time.Microsecond, "b": 2000 * time.Microsecond},
	} {
		p := must.Get(ReadAs(strings.NewReader(file), self))(t)
		got := map[string]time.Duration{}
		for _, r := range view.Flat(p) {
			got[r.Name] = r.SelfTime
		}
		must.Equal(t, got, want, self)
	}
}

func TestEmpty(t *testing.T) {
	b := formattest.Written(t, Write, new(profile.Builder).Profile())
	p := must.Get(Read(b))(t)
	must.Equal(t, p.Len(), 0)
}

func FuzzRead(f *testing.F) {
	for _, p := range profiles() {
		if p.Len() > 50 {
			continue
		}
		f.Add(formattest.Written(f, Write, p).Bytes())
	}
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"more time"},
		Skip: func(p *profile.Profile) bool { return p.Samples.Ticks() > 1<<20 }}
	format.Fuzz(f, func(p *profile.Profile) string { return fmt.Sprint(p.Len()) })
}
