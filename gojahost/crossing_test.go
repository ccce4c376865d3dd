package gojahost

import (
	"context"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost/internal/crossing"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// stacksOf counts a profile's ticks by stack, outermost first.
func stacksOf(p *profile.Profile) map[string]int64 {
	all := map[string]int64{}
	for i := range p.Len() {
		var names []string
		for s := p.Samples.Stack[i]; s != profile.NoStack; s = p.Stacks.Parent[s] {
			names = append(names, p.DisplayName(p.Frames.Function[p.Stacks.Frame[s]]))
		}
		slices.Reverse(names)
		all[strings.Join(names, " ")] += int64(p.Samples.Weight[i])
	}
	return all
}

// recordedByHand has a host recorded with a profiler of Go's that finds what the test says.
func recordedByHand(h *Host) *goRecording {
	g := &goRecording{Recording: crossing.New()}
	h.recording.goSide.Store(g)
	return g
}

// Ticks in a Go function are spread over what Go's profiler found under the same script
// stack, and each tick stays one.
func TestGoAboveScripts(t *testing.T) {
	pool, c, host := testPool(t, Options{})
	h := host()
	_ = h.vm.Set("pack", h.Native("pack", func(ms int) { c.now += time.Duration(ms) * time.Millisecond }))
	g := recordedByHand(h)
	stop := pool.Coordinator().Start()
	program := must.Get(pool.Compile("rule.js", []byte(`
		function mixed() { for (let i = 0; i < 20; i++) pack(10) }
		function busy() { for (let i = 0; i < 20; i++) pack(10) }
		function unseen() { for (let i = 0; i < 20; i++) pack(10) }
		mixed(); busy(); unseen(); pass(200)`)))(t)
	must.Get(h.As("tenant", "a").RunProgram(must.Get(program.In(h))(t)))(t)
	stop()
	must.Equal(t, len(g.sides), 1, "hosts")
	must.Equal(t, len(g.sides[0].calls), 4, "calls")
	flate, gob := crossing.Frame{Function: "flate.fill", File: "flate.go", Start: 3, Line: 5}, crossing.Frame{Function: "gob.Encode", File: "gob.go"}
	side := g.sides[0]
	samples := []crossing.Sample{ // of 200 ms each, by the script's clock
		{Call: side.name(0), Frames: []crossing.Frame{flate}, Count: 10},
		{Call: side.name(0), Frames: []crossing.Frame{flate, gob}, Count: 4},
		{Call: side.name(0), Count: 1},
		{Call: side.name(1), Frames: []crossing.Frame{gob}, Count: 40},
		{Call: "99.7", Frames: []crossing.Frame{gob}, Count: 40},
	}
	plain := h.recording.profile(everything(0))
	p := h.recording.profileAbove(everything(0), g.above(samples, 10*time.Millisecond))
	must.Do(t, p.CheckValid())
	must.Equal(t, p.Meta.Ticks, plain.Meta.Ticks, "the account")
	got, ticks := stacksOf(p), stacksOf(plain)
	top := "(top level) "
	for stack, want := range map[string]float64{
		"mixed pack flate.fill":            0.5 * float64(ticks[top+"mixed pack"]),
		"mixed pack flate.fill gob.Encode": 0.2 * float64(ticks[top+"mixed pack"]),
		"mixed pack":                       0.3 * float64(ticks[top+"mixed pack"]),
		"busy pack gob.Encode":             float64(ticks[top+"busy pack"]),
		"busy pack":                        0,
		"unseen pack":                      float64(ticks[top+"unseen pack"]),
		"pass":                             float64(ticks[top+"pass"]),
	} {
		// Deadlines are random, and 200 of them are 14 off; spreading them is 2 off at most.
		if n := float64(got[top+stack]); n < want-2-14 || n > want+2+14 || want == 0 && n > 0 || ticks[top+"busy pack"] < 100 {
			t.Errorf("%s has %v ticks, want %v", stack, n, want)
		}
	}
	must.Equal(t, p.Samples.Ticks(), plain.Samples.Ticks(), "ticks")
	must.Equal(t, byTags(p), byTags(plain), "by tag")
	must.Equal(t, p.Meta.Notes, []string{"Go functions are in the proportion of 55 samples of Go's, of 10ms each"})
	for i := range p.Functions.Name {
		if f := p.Function(profile.FunctionID(i)); f.Name == "flate.fill" {
			must.Equal(t, f, profile.Function{Name: "flate.fill", File: "flate.go", Line: 3, Flags: profile.NativeCode})
		}
	}
	attributed := profile.Attribute(p, profile.BySite)
	must.Equal(t, stacksOf(attributed)[top+"busy pack gob.Encode"], ticks[top+"busy pack"], "attributed")
	must.Equal(t, stacksOf(h.recording.profileAbove(everything(99), g.above(samples, 1))), map[string]int64{}, "of a host that has none")
}

// A goroutine has the label of the innermost Go function that a script called, none while
// it waits, and the labels of its task after it.
func TestLabelsOfGoroutines(t *testing.T) {
	h, _ := ticking(t, Options{})
	recordedByHand(h)
	var seen []string
	look := func(where string) { seen = append(seen, where+": "+labelsHere(t)) }
	inner := func(fail bool) {
		look("inner")
		h.Waiting(func() { look("waiting") })
		look("waited")
		if fail {
			panic(h.vm.NewTypeError("failed"))
		}
	}
	_ = h.vm.Set("inner", h.Native("inner", inner))
	_ = h.vm.Set("outer", h.Native("outer", func(fail bool) {
		look("outer")
		_, err := h.vm.RunString(fmt.Sprintf("inner(%v)", fail))
		look(fmt.Sprint("outer again, ", err != nil))
	}))
	_ = h.vm.Set("look", func() { look("task") })
	ctx := pprof.WithLabels(context.Background(), pprof.Labels("tenant", "a"))
	task := h.AsIn(ctx)
	run := func(source string) {
		must.Do(t, task.Run(func() error { _, err := h.vm.RunString(source); return err }))
	}
	run("outer(false); look()")
	run("outer(true); look()")
	h.recording.goSide.Store(nil)
	run("outer(false); look()")
	all := strings.Join(seen, "\n")
	must.Equal(t, all, strings.TrimSpace(`
outer: call 0, tenant a
inner: call 1, tenant a
waiting: tenant a
waited: call 1, tenant a
outer again, false: call 0, tenant a
task: tenant a
outer: call 2, tenant a
inner: call 3, tenant a
waiting: tenant a
waited: call 3, tenant a
outer again, true: call 2, tenant a
task: tenant a
outer: tenant a
inner: tenant a
waiting: tenant a
waited: tenant a
outer again, false: tenant a
task: tenant a`))
	pprof.SetGoroutineLabels(context.Background())
}

// labelsHere are the labels of the goroutine that calls it.
func labelsHere(t *testing.T) string {
	var text strings.Builder
	must.Do(t, pprof.Lookup("goroutine").WriteTo(&text, 1))
	for block := range strings.SplitSeq(text.String(), "\n\n") {
		if !strings.Contains(block, "labelsHere") {
			continue
		}
		_, labels, _ := strings.Cut(block, "# labels: {")
		labels, _, _ = strings.Cut(labels, "}")
		var list []string
		for label := range strings.SplitSeq(labels, ", ") {
			key, value, _ := strings.Cut(strings.ReplaceAll(label, `"`, ""), ":")
			if key == "jsprofile.call" {
				key, value = "call", value[strings.LastIndex(value, ".")+1:]
			}
			list = append(list, key+" "+value)
		}
		return strings.Join(list, ", ")
	}
	return "no goroutine"
}

// Calls without bound have labels up to a bound.
func TestLabelsOfCallsAreBounded(t *testing.T) {
	h, _ := ticking(t, Options{MaxTags: 2 * maxCalls})
	g := recordedByHand(h)
	_ = h.vm.Set("noop", h.Native("noop", func() {}))
	main := must.Get(goja.Compile("", "noop()", false))(t)
	for i := range maxCalls + 10 {
		must.Get(h.As("session", fmt.Sprint(i)).RunProgram(main))(t)
	}
	must.Equal(t, len(g.sides[0].calls), maxCalls)
	h.recording.goSide.Store(nil)
	must.Get(h.RunProgram(main))(t)
	if h.goSide != nil {
		t.Error("the host keeps the recording")
	}
}

// spin is what Go's profiler has to find.
//
//go:noinline
func spin(until time.Time) (turns int) {
	for time.Now().Before(until) {
		for range 10000 {
			turns += turns%7 + 1
		}
	}
	return turns
}

// With the machine's clock and Go's own profiler, the Go function is above the native one,
// which is above the script's. How much of it is there is not looked at here.
func TestRecordGo(t *testing.T) {
	pool := NewPool(coordinator.New(coordinator.Options{Interval: time.Millisecond}), Options{})
	h := must.Get(pool.Host(goja.New()))(t)
	_ = h.vm.Set("digest", h.Native("digest", func() { spin(time.Now().Add(50 * time.Millisecond)) }))
	program := must.Get(pool.Compile("rule.js", []byte("function rule() { for (let i = 0; i < 3; i++) digest() }\nrule()")))(t)
	main := must.Get(program.In(h))(t)
	must.Happen(t, "Go's profiler finds it", func() bool {
		stop := must.Get(pool.RecordGo())(t)
		must.Refuse(pool.RecordGo())(t, "gojahost: recording Go: ", "a second one")
		must.Get(h.RunProgram(main))(t)
		p := must.Get(stop())(t)
		again := must.Get(stop())(t)
		must.Equal(t, again, p, "stopped again")
		must.Do(t, p.CheckValid())
		for stack := range stacksOf(p) {
			at, above, _ := strings.Cut(stack, " digest ")
			if at == "(top level) rule" && strings.Contains(above, "gojahost.TestRecordGo.func") && strings.Contains(above, "gojahost.spin") {
				return true
			}
		}
		return false
	})
	must.Get(must.Get(h.RecordGo())(t)())(t)
}

// The recording of one host of a pool has calls of that host alone.
func TestRecordGoOfOneHost(t *testing.T) {
	_, _, host := testPool(t, Options{})
	one, other := host(), host()
	stop := must.Get(one.RecordGo())(t)
	for _, h := range []*Host{one, other} {
		must.Get(h.RunScript("rule.js", "pass(1)"))(t)
	}
	must.Equal(t, []bool{one.goSide != nil, other.goSide != nil}, []bool{true, false}, "hosts with calls")
	must.Get(stop())(t)
}
