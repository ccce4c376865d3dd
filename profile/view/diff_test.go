package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// simulation draws recordings of a program of known times.
type simulation struct {
	names []string
	times []float64 // of one run, in seconds
	noise float64   // standard deviation of each time from run to run, relative
	heavy float64   // probability that a sample has taken several ticks
	pace  float64   // standard deviation of the machine's speed from run to run, relative
}

// program has n functions with times like those of real ones: few have most.
func program(n int) simulation {
	var s simulation
	for i := range n {
		s.names = append(s.names, fmt.Sprintf("f%d", i))
		s.times = append(s.times, 1/math.Pow(float64(i+1), 1.1))
	}
	return s
}

// with is the program with one function's time multiplied.
func (s simulation) with(function int, factor float64) simulation {
	s.times = append([]float64(nil), s.times...)
	s.times[function] *= factor
	return s
}

// record draws a run, ticking so often that a run of the program as in s (before
// changes) gives so many samples.
func (s simulation) record(r *rand.Rand, ticks int, whole float64) *profile.Profile {
	var b profile.Builder
	times, sum := make([]float64, len(s.times)), 0.0
	pace := math.Exp(s.pace * r.NormFloat64())
	for i, t := range s.times {
		times[i] = t * pace * math.Exp(s.noise*r.NormFloat64())
		sum += times[i]
	}
	interval := whole / float64(ticks)
	b.Meta.Interval = time.Duration(interval * 1e9)
	b.Meta.Duration = time.Duration(sum * 1e9)
	main := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "main", File: "app.ts"}), 1, 1))
	for at := r.ExpFloat64() * interval; at < sum; at += r.ExpFloat64() * interval {
		// Functions take turns, many times a run; a tick falls anywhere.
		f, left := 0, r.Float64()*sum
		for ; f < len(times)-1 && left >= times[f]; f++ {
			left -= times[f]
		}
		weight := int32(1)
		for s.heavy > 0 && r.Float64() < s.heavy {
			weight++
			at += r.ExpFloat64() * interval
		}
		stack := main
		if f%2 == 1 { // half of them by way of another
			stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: "helper", File: "app.ts"}), 1, 1))
		}
		stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: s.names[f], File: "app.ts"}), 1, 1))
		b.Sample(profile.Sample{Time: int64(at * 1e9), Stack: stack, Weight: weight})
	}
	return b.Profile()
}

func sum(values []float64) (all float64) {
	for _, v := range values {
		all += v
	}
	return all
}

// several draws runs for one side.
func (s simulation) several(r *rand.Rand, ticks, runs int, whole float64) (list []*profile.Profile) {
	for range runs {
		list = append(list, s.record(r, ticks, whole))
	}
	return list
}

// compared compares runs of a program with as many of another, or of the same.
func compared(t *testing.T, r *rand.Rand, before, after simulation, ticks, runs int, o DiffOptions) *Difference {
	t.Helper()
	whole := sum(before.times)
	return must.Get(DiffRuns(before.several(r, ticks, runs, whole), after.several(r, ticks, runs, whole), o))(t)
}

// selfOf is the shift of a function's self time.
func selfOf(d *Difference, name string) *Shift {
	at := slices.IndexFunc(d.Functions, func(c Change) bool { return c.Name == name })
	return &d.Functions[at].Self
}

// often counts how many of some tries succeed.
func often(tries int, succeeds func() bool) (n int) {
	for range tries {
		if succeeds() {
			n++
		}
	}
	return n
}

// simulated is the chance of a long simulation, which short tests leave out.
func simulated(t *testing.T, seed uint64) *rand.Rand {
	t.Helper()
	if testing.Short() {
		t.Skip("a long simulation")
	}
	return rand.New(rand.NewPCG(seed, seed+1))
}

// TestSameProgramShowsNoChange: of 100 comparisons of like with like two may find
// anything, however many functions and samples there are, when some samples stand for
// many ticks, and when runs differ by what Noise allows for. How many do of a few
// hundred is a matter of chance.
func TestSameProgramShowsNoChange(t *testing.T) {
	r := simulated(t, 21)
	found, all := 0, 0
	for _, functions := range []int{3, 10, 40, 200} {
		for _, ticks := range []int{300, 3000} {
			for _, heavy := range []float64{0, 0.4} {
				for _, sameWork := range []bool{false, true} {
					s := program(functions)
					s.heavy = heavy
					if heavy > 0 {
						s.noise = DefaultNoise
					}
					n := often(100, func() bool { return compared(t, r, s, s, ticks, 1, DiffOptions{SameWork: sameWork}).Changed > 0 })
					if n > 7 {
						t.Errorf("%d functions, %d ticks, heavy %v, same work %v: a change in %d of 100 pairs", functions, ticks, heavy, sameWork, n)
					}
					found, all = found+n, all+100
				}
			}
		}
	}
	if t.Logf("a change in %d of %d pairs", found, all); 1000*found > 25*all {
		t.Error("that is too many")
	}
}

// TestRunsMeasureNoise: of comparisons of like with like at most five in a hundred may
// find anything when runs differ by more than Noise allows for, by function or all
// together, as long as there are several of them.
func TestRunsMeasureNoise(t *testing.T) {
	r := simulated(t, 41)
	for _, c := range []struct {
		what        string
		runs        int
		noise, pace float64
		sameWork    bool
	}{
		{"by share, no noise", 5, 0, 0, false},
		{"by share, noise 4 %", 5, 0.04, 0, false},
		{"by share, noise 8 %, 3 runs", 3, 0.08, 0, false},
		{"by time, no noise", 5, 0, 0, true},
		{"by time, noise 4 %", 5, 0.04, 0, true},
		{"by time, the machine 20 %", 5, 0.01, 0.2, true},
		{"by time, the machine 20 %, 3 runs", 3, 0.01, 0.2, true},
	} {
		s := program(10)
		s.noise, s.pace = c.noise, c.pace
		found := often(100, func() bool { return compared(t, r, s, s, 1000, c.runs, DiffOptions{SameWork: c.sameWork}).Changed > 0 })
		if found > 5 {
			t.Errorf("%s: a change in %d of 100 comparisons", c.what, found)
		}
		t.Logf("%s: %d of 100", c.what, found)
	}
}

// TestLeast: a change that a comparison says it would find in 9 of 10 cases is found that often.
func TestLeast(t *testing.T) {
	r := simulated(t, 43)
	s := program(10)
	s.noise = DefaultNoise
	for _, c := range []struct {
		runs     int
		sameWork bool
		below    float64 // percent: what there is to hope for
	}{{1, false, 30}, {5, false, 13}, {1, true, 20}, {5, true, 10}} {
		to := func(after simulation) *Shift {
			return selfOf(compared(t, r, s, after, 3000, c.runs, DiffOptions{SameWork: c.sameWork}), "f0")
		}
		var said []float64
		for range 9 {
			said = append(said, to(s).Least)
		}
		slices.Sort(said)
		least := said[len(said)/2]
		if least > c.below {
			t.Errorf("%d runs, same work %v: %.1f %% at least", c.runs, c.sameWork, least)
		}
		found, such, slower := 0, 0, s.with(0, 1+least/100)
		for range 120 {
			change := to(slower)
			if change.Least > 1.1*least { // its runs seem to differ more
				continue
			}
			such++
			if change.Significant && change.Change(c.sameWork) > 0 {
				found++
			}
		}
		if 100*found < 80*such || such < 40 {
			t.Errorf("%d runs, same work %v: %.1f %% found in %d of %d", c.runs, c.sameWork, least, found, such)
		}
		t.Logf("%d runs, same work %v: %.1f %% found in %d of %d", c.runs, c.sameWork, least, found, such)
	}
}

func TestRunsOfASide(t *testing.T) {
	p, q := shop(), shop()
	d := must.Get(DiffRuns([]*profile.Profile{p, q}, []*profile.Profile{q, p, q}, DiffOptions{}))(t)
	one := Diff(p, q, DiffOptions{})
	if d.Changed != 0 || d.Before.Runs != 2 || d.After.Runs != 3 || d.Before.Samples != 2*one.Before.Samples || d.After.Samples != 3*one.Before.Samples {
		t.Errorf("%+v and %+v", d.Before, d.After)
	}
	if math.Abs(d.Before.Seconds-one.Before.Seconds) > 1e-9 || math.Abs(d.After.Seconds-one.After.Seconds) > 1e-9 {
		t.Errorf("%v and %v seconds a run, want %v", d.Before.Seconds, d.After.Seconds, one.Before.Seconds)
	}
	q.Meta.Interval *= 2
	for _, runs := range [][]*profile.Profile{nil, {p, q}} {
		if _, err := DiffRuns([]*profile.Profile{p}, runs, DiffOptions{}); err == nil {
			t.Errorf("%d runs: no error", len(runs))
		}
	}
}

// TestFindsSlowdown: a slowdown is found, as surely as samples allow.
func TestFindsSlowdown(t *testing.T) {
	r := simulated(t, 23)
	s := program(10)
	share := s.times[0] / sum(s.times) // 0.37
	for _, c := range []struct {
		what    string
		after   simulation
		ticks   int
		o       DiffOptions
		atLeast int
	}{
		{"a function that slows the program by 10 %, by share, 3,000 samples", s.with(0, 1+0.1/share), 3000, DiffOptions{}, 90},
		{"the same by time", s.with(0, 1+0.1/share), 3000, DiffOptions{SameWork: true}, 100},
		{"10 % more of its own, by time, 3,000 samples of it", s.with(0, 1.1), int(3000 / share), DiffOptions{SameWork: true}, 90},
		{"10 % more of its own, by share, 10,000 samples of it", s.with(0, 1.1), int(10000 / share), DiffOptions{}, 88},
		{"one that was never there", s.with(0, 1), 3000, DiffOptions{}, 0},
	} {
		n := often(100, func() bool {
			self := selfOf(compared(t, r, s, c.after, c.ticks, 1, c.o), "f0")
			return self.Significant && self.Change(c.o.SameWork) > 0
		})
		if n < c.atLeast || c.atLeast == 0 && n > 5 {
			t.Errorf("%s: found in %d of 100 pairs", c.what, n)
		}
		t.Logf("%s: %d of 100", c.what, n)
	}
}

func compareOnlyShares(a, b count, between noise) comparison {
	return compareShares(a, b, between, excess{1, math.Inf(1)})
}

// TestPIsUniform: p-values of single comparisons of like with like are what they
// say. By share, without noise; a few counts make them somewhat too large.
func TestPIsUniform(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, compare := range []func(a, b count, between noise) comparison{compareOnlyShares, compareTimes} {
		below := map[float64]int{0.5: 0, 0.1: 0, 0.01: 0}
		const trials = 4000
		for range trials {
			draw := func(n int) count {
				c := count{all: float64(n), allSquares: float64(n), seconds: 1, runs: 1}
				for range n {
					if r.Float64() < 0.2 {
						c.ticks++
					}
				}
				c.squares = c.ticks
				return c
			}
			p := compare(draw(300), draw(900), noise{deviation: 1e-9}).p
			for level := range below {
				if p <= level {
					below[level]++
				}
			}
		}
		for level, n := range below {
			// Four standard errors.
			if want := level * trials; math.Abs(float64(n)-want) > 4*math.Sqrt(want*(1-level))+0.1*want {
				t.Errorf("%d of %d are below %v", n, trials, level)
			}
		}
	}
}

// The t distribution as tables have it.
func TestTwoSided(t *testing.T) {
	for _, c := range []struct{ level, freedom, t float64 }{{0.05, math.Inf(1), 1.960}, {0.05, 4, 2.776}, {0.01, 4, 4.604}, {0.01, 8, 3.355}, {0.001, 16, 4.015}} {
		if got := math.Sqrt(atLevel(c.level, c.freedom)); math.Abs(got-c.t) > 0.02*c.t {
			t.Errorf("%v of %v degrees: %.3f, want %.3f", c.level, c.freedom, got, c.t)
		}
		if got := twoSided(atLevel(c.level, c.freedom), c.freedom); math.Abs(got-c.level) > 1e-9 {
			t.Errorf("%v of %v degrees comes back as %v", c.level, c.freedom, got)
		}
	}
}

func TestAdjust(t *testing.T) {
	ps := []float64{0.01, 0.04, 0.03, 0.5}
	var list []tested
	for i := range ps {
		list = append(list, tested{&ps[i], 7})
	}
	adjust(list)
	for i, want := range []float64{0.04, 0.16 / 3, 0.16 / 3, 0.5} { // by hand
		if math.Abs(ps[i]-want) > 1e-9 {
			t.Errorf("p %d is %v, want %v", i, ps[i], want)
		}
	}
	adjust(nil) // does not fall over
}

// build makes a profile of single functions and their ticks.
func build(functions map[profile.Function]int32) *profile.Profile {
	var b profile.Builder
	b.Meta = profile.Meta{Interval: time.Millisecond}
	for f, ticks := range functions {
		for range ticks {
			b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(f), 0, 0)), Weight: 1})
		}
		b.Meta.Duration += time.Duration(ticks) * time.Millisecond
	}
	return b.Profile()
}

func TestFunctionsAreMatched(t *testing.T) {
	f := func(name, file string, line, column int32) profile.Function {
		return profile.Function{Name: name, File: file, Line: line, Column: column}
	}
	before := build(map[profile.Function]int32{
		f("moved", "a.ts", 10, 1): 1, f("", "a.ts", 20, 5): 2, f("", "a.ts", 30, 5): 3, f("", "a.ts", 40, 5): 4,
		f("hashed", "assets/app-Bx12_9aZ.js", 1, 700): 5, f("gone", "a.ts", 50, 1): 6, f("get", "b.ts", 1, 1): 7,
	})
	after := build(map[profile.Function]int32{
		f("moved", "a.ts", 14, 1): 11, f("", "a.ts", 24, 5): 12, f("", "a.ts", 30, 5): 13, f("", "a.ts", 44, 5): 14,
		f("hashed", "assets/app-Cq77_0bY.js", 1, 800): 15, f("new", "a.ts", 50, 1): 16, f("get", "c.ts", 1, 1): 17,
	})
	got := map[string]bool{}
	for _, c := range Diff(before, after, DiffOptions{}).Functions {
		got[fmt.Sprintf("%s %s %d>%d %s", c.Name, c.File, c.Self.TicksBefore, c.Self.TicksAfter, c.Status)] = true
	}
	for _, want := range []string{"moved a.ts 1>11 ", "(anonymous) a.ts 2>12 ", "(anonymous) a.ts 3>13 ", "(anonymous) a.ts 4>14 ",
		"hashed assets/app-Cq77_0bY.js 5>15 ", "gone a.ts 6>0 gone", "new a.ts 0>16 new", "get b.ts 7>0 gone", "get c.ts 0>17 new"} {
		if !got[want] {
			t.Errorf("no %q in %v", want, got)
		}
	}
	must.Equal(t, len(got), 9)
}

// Chunks of similar names are not one file, and names that stay have no hash, however they look.
func TestChunksAreMatched(t *testing.T) {
	f := func(name, file string) profile.Function {
		return profile.Function{Name: name, File: file, Line: 1, Column: 100}
	}
	before := build(map[profile.Function]int32{
		f("t", "date-picker-D3kf9aZq.js"): 1, f("t", "date-range-CkHdoZEL.js"): 2, f("only", "vendor-DataGrid.js"): 3, f("g", "vendor-DataGrid.js"): 4, f("g", "vendor-DataList.js"): 5,
	})
	after := build(map[profile.Function]int32{
		f("t", "date-picker-Qx81LmPz.js"): 11, f("t", "date-range-BpSdWfYT.js"): 12, f("only", "vendor-DataList.js"): 13, f("g", "vendor-DataGrid.js"): 14, f("g", "vendor-DataList.js"): 15,
	})
	var got []string
	for _, c := range Diff(before, after, DiffOptions{}).Functions {
		got = append(got, fmt.Sprintf("%s %s %d>%d %s", c.Name, c.File, c.Self.TicksBefore, c.Self.TicksAfter, c.Status))
	}
	slices.Sort(got)
	must.Equal(t, got, []string{"g vendor-DataGrid.js 4>14 ", "g vendor-DataList.js 5>15 ", "only vendor-DataGrid.js 3>0 gone", "only vendor-DataList.js 0>13 new",
		"t date-picker-Qx81LmPz.js 1>11 ", "t date-range-BpSdWfYT.js 2>12 "})
}

// Servers tell versions of a script in its query. A file that is no URL may have a question mark in its name.
func TestVersionsInQueriesAreMatched(t *testing.T) {
	f := func(name, file string) profile.Function {
		return profile.Function{Name: name, File: file, Line: 1, Column: 100}
	}
	const site = "https://shop.example/js/"
	before := build(map[profile.Function]int32{f("f", site+"shop.js?ver=6.4.1"): 1, f("g", site+"app-BhK2p9_x.js?v=1"): 2, f("h", site+"same.js?a"): 3, f("h", site+"same.js?b"): 4, f("k", "what?.js"): 5})
	after := build(map[profile.Function]int32{f("f", site+"shop.js?ver=6.4.2"): 11, f("g", site+"app-Cq77_0bY.js?v=2"): 12, f("h", site+"same.js?a"): 13, f("h", site+"same.js?b"): 14, f("k", "what!.js"): 15})
	var got []string
	for _, c := range Diff(before, after, DiffOptions{}).Functions {
		got = append(got, fmt.Sprintf("%s %s %d>%d %s", c.Name, strings.TrimPrefix(c.File, site), c.Self.TicksBefore, c.Self.TicksAfter, c.Status))
	}
	slices.Sort(got)
	must.Equal(t, got, []string{"f shop.js?ver=6.4.2 1>11 ", "g app-Cq77_0bY.js?v=2 2>12 ", "h same.js?a 3>13 ", "h same.js?b 4>14 ", "k what!.js 0>15 new", "k what?.js 5>0 gone"})
}

func TestWithoutHash(t *testing.T) {
	for in, want := range map[string]string{
		"assets/app-BhK2p9_x.js": "assets/app.js", "main.3f2a91bc.chunk.js": "main.chunk.js", "vendor-components.js": "vendor-components.js",
		"src/app.ts": "src/app.ts", "": "", "a.js": "a.js",
		// Vite's and esbuild's without digits, after names of several words, and with hyphens.
		"assets/index-CkHdoZEL.js": "assets/index.js", "app-KQXWZBAB.mjs": "app.mjs", "chunk-AB2CDEFG.js": "chunk.js",
		"date-picker-D3kf9aZq.js": "date-picker.js", "date-range-Qx81LmPz.js": "date-range.js", "date-range-Qx-1LmPz.js": "date-range.js", "a--BhK2p9x.js": "a.js",
		// webpack's, Next's and Rollup's of other lengths.
		"main.3f2a91bc5d6e7f809a1b.js": "main.js", "page-0123456789abcdef.js": "page.js", "date-picker-D3kf9aZqL1.js": "date-picker.js", "app.k3j9x2ab.js": "app.js",
		// Words.
		"date-picker.js": "date-picker.js", "es-renderer2.js": "es-renderer2.js", "vendor-Bootstrap5.js": "vendor-Bootstrap5.js", "vendor-DataGridView.js": "vendor-DataGridView.js",
		"foo-bar-baz1.js": "foo-bar-baz1.js", "my-app.v2/main.js": "my-app.v2/main.js", "3f2a91bc.js": "3f2a91bc.js",
	} {
		must.Equal(t, WithoutHash(in), want, in)
	}
}

// Idle time belongs to no function, and lengths may differ.
func TestDiffIsNormalised(t *testing.T) {
	a, idle := profile.Function{Name: "a"}, profile.Function{Name: profile.NameIdle, Flags: profile.Pseudo}
	d := Diff(build(map[profile.Function]int32{a: 100, {Name: "b"}: 100}),
		build(map[profile.Function]int32{a: 1000, {Name: "b"}: 1000, idle: 5000}), DiffOptions{})
	if d.Changed != 0 || len(d.Functions) != 2 || d.Functions[0].Self.After != 50 || d.After.Busy != 2000 || d.After.Ticks != 7000 {
		t.Errorf("%+v", d)
	}
}

// Profiles with nothing to compare, and with weights no machine can count.
func TestDiffOfOddProfiles(t *testing.T) {
	huge := func() *profile.Profile {
		var b profile.Builder
		for i := range 40 {
			f := b.Function(profile.Function{Name: string(rune('a' + i%3))})
			b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 0, 0)), Weight: math.MaxInt32})
		}
		b.Sample(profile.Sample{Stack: profile.NoStack, Weight: math.MaxInt32})
		b.Meta.Interval, b.Meta.Duration = math.MaxInt64, math.MaxInt64
		return b.Profile()
	}()
	empty := (&profile.Builder{}).Profile()
	for _, pair := range [][2]*profile.Profile{{empty, empty}, {empty, shop()}, {shop(), empty}, {huge, huge}, {huge, shop()}} {
		for _, sameWork := range []bool{false, true} {
			d := Diff(pair[0], pair[1], DiffOptions{SameWork: sameWork})
			for _, c := range d.Functions {
				for _, s := range []Shift{c.Self, c.Total} {
					if math.IsNaN(s.P) || s.P < 0 || s.P > 1 || math.IsNaN(s.Margin) || math.IsNaN(s.After) {
						t.Errorf("%+v", c)
					}
				}
			}
			var text, data bytes.Buffer
			must.Do(t, WriteDiff(&text, d, 0))
			if err := WriteDiffJSON(&data, d, 0); err != nil || !json.Valid(data.Bytes()) {
				t.Errorf("%v: %s", err, &data)
			}
		}
	}
}

func TestDiffText(t *testing.T) {
	before, after := shop(), shop()
	var b profile.Builder
	b.Meta = after.Meta
	function := func(name string) profile.StackID {
		return b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: name, File: "src/cart/discount.ts", Line: 5}), 0, 0))
	}
	for range 60 {
		b.Sample(profile.Sample{Time: 4e8, Stack: function("discount"), Weight: 1})
	}
	after = must.Get(profile.Merge(after, b.Profile()))(t)
	after.Meta.Duration = 460 * time.Millisecond
	for name, o := range map[string]DiffOptions{"share": {}, "time": {SameWork: true}} {
		var text, data bytes.Buffer
		d := Diff(before, after, o)
		must.Do(t, WriteDiff(&text, d, 5))
		golden(t, "diff-"+name+".txt", text.String())
		must.Do(t, WriteDiffJSON(&data, d, 1))
		var list DiffList
		must.Do(t, json.Unmarshal(data.Bytes(), &list))
		first := list.Functions[0]
		if list.Changed != d.Changed || len(list.Functions) != d.Changed || first.Name != "discount" || first.Status != New ||
			!first.Self.Significant || first.Self.TicksAfter != 60 || (first.Self.Change == nil) != o.SameWork {
			t.Errorf("%s: %s", name, &data)
		}
	}
}
