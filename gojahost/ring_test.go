package gojahost

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// ticking is a host with a clock that the test moves. In its script, pass(ms) lets time
// pass, and then raises one tick and takes it.
func ticking(t testing.TB, options Options) (*Host, *handClock) {
	t.Helper()
	c := newHandClock(coordinator.Options{Interval: 1000 * time.Hour}) // ticks come by hand
	vm := goja.New()
	h := NewWith(vm, coordinator.New(c.options), options)
	h.coordinator.Start()
	must.Do(t, h.Install(handMade))
	_ = vm.Set("pass", func(call goja.FunctionCall) goja.Value {
		c.now += time.Duration(call.Argument(0).ToFloat() * float64(time.Millisecond))
		h.counter.Raise()
		return nil
	})
	_ = vm.Set("skip", func(call goja.FunctionCall) goja.Value {
		c.now += time.Duration(call.Argument(0).ToFloat() * float64(time.Millisecond))
		return nil
	})
	return h, c
}

// sampled counts the samples of a profile's functions, and checks its account.
func sampled(t *testing.T, p *profile.Profile) map[string]int64 {
	t.Helper()
	must.Do(t, p.CheckValid())
	all, sum := map[string]int64{}, int64(0)
	for i := range p.Len() {
		s, name := p.Sample(i), ""
		if s.Stack != profile.NoStack {
			name = p.DisplayName(p.Frames.Function[p.Stacks.Frame[s.Stack]])
		}
		all[name] += int64(s.Weight)
		sum += int64(s.Weight)
		if s.Time > int64(p.Meta.Duration) {
			t.Errorf("a sample at %v of %v", time.Duration(s.Time), p.Meta.Duration)
		}
	}
	if a := p.Meta.Ticks; a.Raised != sum || a.Raised != a.Taken+a.Idle+a.GC+a.Lost {
		t.Errorf("%d ticks, and the account is %+v", sum, a)
	}
	return all
}

// alone leaves a long test out of a short run, as under the race detector: one goroutine has
// no races.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: one goroutine has no races")
	}
}

// A day of ticks: the recording stays as large as an hour of it, the last minute is there,
// and the ticks that fell out are counted.
func TestADayOfTicks(t *testing.T) {
	alone(t)
	h, c := ticking(t, Options{Keep: time.Hour})
	must.Get(h.vm.RunString(`function work(n) { for (var i = 0; i < n; i++) { pass(100); if (F) C(1) } }`))(t)
	work, _ := goja.AssertFunction(h.vm.Get("work"))
	const hour = 36000
	for range 24 {
		must.Get(h.Callable(work)(nil, h.vm.ToValue(hour)))(t)
		chunks := 0
		for _, s := range h.recording.ring.segments {
			chunks += len(s.chunks)
		}
		if most := hour/chunkSize + 2*parts; chunks > most || h.recording.ring.count > hour+hour/parts+1 || len(h.recording.ring.gone) > maxSpans {
			t.Fatalf("after %v: %d samples in %d chunks, want %d at most", c.now, h.recording.ring.count, chunks, most)
		}
	}
	must.Equal(t, sampled(t, h.Last(time.Minute))["work"], 600, "in the last minute")
	p := h.Profile()
	kept := sampled(t, p)["work"]
	account := p.Meta.Ticks
	if kept < hour || account.Taken != kept || account.Dropped+kept != 24*hour || account.Lost != 0 {
		t.Errorf("%d ticks are kept, and the account is %+v", kept, account)
	}
	must.Equal(t, p.Meta.Duration >= time.Hour && p.Meta.Duration < time.Hour+2*time.Hour/parts, true, p.Meta.Duration)
	epoch := h.coordinator.Epoch()
	gone := h.Between(epoch.Add(2*time.Hour), epoch.Add(3*time.Hour))
	must.Equal(t, gone.Len(), 0, "samples of an hour that fell out")
	if d := gone.Meta.Ticks.Dropped; d < hour || d > hour+2*hour/parts+2 {
		t.Errorf("of an hour that fell out, %d ticks are dropped", d)
	}
}

// Samples are too old some day, also where none comes after them.
func TestOldSamplesFallOutWhileNothingRuns(t *testing.T) {
	h, c := ticking(t, Options{Keep: time.Hour})
	must.Get(h.vm.RunString(`function work(n) { for (var i = 0; i < n; i++) { pass(1000); if (F) C(1) } }`))(t)
	work, _ := goja.AssertFunction(h.vm.Get("work"))
	must.Get(h.Callable(work)(nil, h.vm.ToValue(600)))(t)
	c.now += 2 * time.Hour
	h.counter.Raise()
	p := h.Profile()
	must.Equal(t, sampled(t, p), map[string]int64{profile.NameIdle: 1})
	must.Equal(t, p.Meta.Ticks.Dropped, 600, "dropped")
	must.Equal(t, p.Meta.Duration, time.Hour)
	state := h.State()
	must.Equal(t, []int64{int64(state.Samples), state.Ticks.Raised, state.Ticks.Dropped}, []int64{0, 601, 600})
	must.Equal(t, state.Oldest.IsZero(), true, state.Oldest)
	must.Get(h.Callable(work)(nil, h.vm.ToValue(3)))(t)
	must.Equal(t, sampled(t, h.Drain()), map[string]int64{"work": 3, profile.NameIdle: 1})
}

// Many stacks fall out, too.
func TestStacksAreBounded(t *testing.T) {
	alone(t)
	h, _ := ticking(t, Options{})
	must.Get(h.vm.RunString(`
		function down(n, i) { if (n) return i % 2 ? down(n - 1, i >> 1) : up(n - 1, i >> 1); pass(1); if (F) C(1) }
		function up(n, i) { if (n) return i % 2 ? down(n - 1, i >> 1) : up(n - 1, i >> 1); pass(1); if (F) C(1) }
		function work() { for (var i = 0; i < 1500; i++) down(900 + i % 500, i * 7) }`))(t)
	work, _ := goja.AssertFunction(h.vm.Get("work"))
	must.Get(h.Callable(work)(nil))(t)
	nodes, count := 0, 0
	for _, s := range h.recording.ring.segments {
		nodes, count = nodes+len(s.stacks.nodes), count+1
	}
	if nodes > MaxStacks+MaxStacks/parts || count > parts+1 {
		t.Errorf("%d stacks in %d segments", nodes, count)
	}
	p := h.Profile()
	sampled(t, p)
	if p.Meta.Ticks.Dropped == 0 {
		t.Error("nothing fell out")
	}
	must.Equal(t, p.Meta.Ticks.Taken+p.Meta.Ticks.Dropped, 1500, p.Meta.Ticks)
}

// From one Drain to the next, each tick is in one profile; Reset forgets.
func TestDrain(t *testing.T) {
	h, c := ticking(t, Options{})
	must.Get(h.vm.RunString(`function f(n) { for (var i = 0; i < n; i++) { pass(10); if (F) C(1) } }`))(t)
	f, _ := goja.AssertFunction(h.vm.Get("f"))
	run := func(n int) { must.Get(h.Callable(f)(nil, h.vm.ToValue(n)))(t) }
	run(3)
	c.now += time.Second
	h.counter.Raise() // idle
	first := h.Drain()
	must.Equal(t, sampled(t, first), map[string]int64{"f": 3, profile.NameIdle: 1})
	must.Equal(t, h.Drain().Len(), 0, "samples of an empty recording")
	run(4)
	second := h.Drain()
	must.Equal(t, sampled(t, second), map[string]int64{"f": 4})
	must.Equal(t, second.Meta.Start.Sub(first.Meta.Start), time.Second+30*time.Millisecond, "the second begins after the first")
	run(5)
	h.Reset()
	run(2)
	must.Equal(t, sampled(t, h.Profile()), map[string]int64{"f": 2})
}

// A part of a recording has the ticks of that part, and their account.
func TestBetween(t *testing.T) {
	h, c := ticking(t, Options{})
	must.Get(h.vm.RunString(`
		function early() { pass(100); if (F) C(1) }
		function late() { pass(100); if (F) C(1) }`))(t)
	early, _ := goja.AssertFunction(h.vm.Get("early"))
	late, _ := goja.AssertFunction(h.vm.Get("late"))
	must.Get(h.Callable(early)(nil))(t)
	middle := h.coordinator.Epoch().Add(c.now + 1)
	c.now += time.Second
	h.counter.Raise()
	must.Get(h.Callable(late)(nil))(t)
	must.Equal(t, sampled(t, h.Between(h.coordinator.Epoch(), middle)), map[string]int64{"early": 1})
	must.Equal(t, sampled(t, h.Between(middle, middle.Add(time.Hour))), map[string]int64{"late": 1, profile.NameIdle: 1})
	must.Equal(t, sampled(t, h.Last(50*time.Millisecond)), map[string]int64{"late": 1})
	must.Equal(t, h.Between(middle, middle).Len(), 0)
	must.Equal(t, h.Between(middle.Add(time.Hour), middle).Len(), 0, "backwards")
}

// A recording of few samples takes room for few.
func TestSmallRecordings(t *testing.T) {
	for _, most := range []int{1, 100, 1000, parts * chunkSize, 2*parts*chunkSize + 1} {
		h, _ := ticking(t, Options{MaxSamples: most})
		room := 0
		for range 3 * most / 2 {
			h.recording.add(nil, sample{stack: noStack, native: -1, weight: 1, kind: profile.Program})
		}
		for _, s := range h.recording.ring.segments {
			for _, chunk := range s.chunks {
				room += cap(chunk)
			}
		}
		if room > most+most/parts+2*parts {
			t.Errorf("%d samples at most have room for %d", most, room)
		}
	}
}

// Any goroutine may read a recording while scripts run and the clock stops and starts.
func TestReadingWhileRecording(t *testing.T) {
	co := coordinator.New(coordinator.Options{Interval: 100 * time.Microsecond})
	pool := NewPool(co, Options{Keep: time.Second, MaxSamples: 256})
	program := must.Get(pool.Compile("spin.js", []byte(spinning+"main(3)")))(t)
	const runtimes = 8
	var working, reading sync.WaitGroup
	done := make(chan struct{})
	for i := range runtimes {
		working.Go(func() {
			h, err := pool.Host(goja.New())
			if err != nil {
				t.Error(err)
				return
			}
			main, _ := program.In(h)
			for n := range 10 {
				if _, err := h.As("runtime", fmt.Sprint(i), "turn", fmt.Sprint(n)).RunProgram(main); err != nil {
					t.Error(err)
				}
			}
			if i%2 == 0 {
				h.Close()
			}
		})
	}
	read := func(look func()) {
		reading.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					look()
					runtime.Gosched()
				}
			}
		})
	}
	valid := func(p *profile.Profile) {
		if err := p.CheckValid(); err != nil {
			t.Error(err)
		}
	}
	read(func() { valid(pool.Profile()) })
	read(func() { valid(pool.Last(time.Millisecond)) })
	read(func() { valid(pool.Drain()); pool.Usage(); pool.State() })
	read(func() { co.Start()() })
	working.Wait()
	close(done)
	reading.Wait()
	valid(pool.Profile())
}

// Drained profiles hold every tick that checks took, however they are cut.
func TestDrainsHoldEveryTick(t *testing.T) {
	var now atomic.Int64 // which the test's goroutine reads, too
	vm := goja.New()
	h := New(vm, coordinator.New(coordinator.Options{Interval: 1000 * time.Hour, Clock: func() time.Duration { return time.Duration(now.Load()) }}))
	h.coordinator.Start()
	must.Do(t, h.Install(handMade))
	_ = vm.Set("pass", func() { now.Add(1e6); h.counter.Raise() })
	must.Get(vm.RunString(`function f(n) { for (var i = 0; i < n; i++) { pass(); if (F) C(1) } }`))(t)
	f, _ := goja.AssertFunction(h.vm.Get("f"))
	done, total, lost := make(chan struct{}), int64(0), int64(0)
	go func() {
		defer close(done)
		_, err := h.Callable(f)(nil, h.vm.ToValue(20000))
		if err != nil {
			t.Error(err)
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		p := h.Drain()
		must.Do(t, p.CheckValid())
		total, lost = total+p.Meta.Ticks.Taken, lost+p.Meta.Ticks.Lost
	}
	must.Equal(t, total, 20000)
	must.Equal(t, lost, 0, "ticks that are lost and taken")
}

// BenchmarkProfile measures the profile of a host whose recording is full, by the clock and
// by the processor's time, which a busy machine changes less.
func BenchmarkProfile(b *testing.B) {
	h, _ := ticking(b, Options{})
	must.Get(h.vm.RunString(`
		function leaf(n) { pass(1); if (F) C(1) }
		function down(n, i) { if (n) return down(n - 1, i); leaf(i); if (i % 3) { pass(1); if (F) C(1) } }
		function work(n) { for (var i = 0; i < n; i++) down(i % 60, i) }`))(b)
	work, _ := goja.AssertFunction(h.vm.Get("work"))
	must.Get(h.Callable(work)(nil, h.vm.ToValue(MaxSamples*3/4)))(b)
	spent, samples := cpuTime(b), 0
	for b.Loop() {
		samples = h.Profile().Len()
	}
	b.ReportMetric(float64(cpuTime(b)-spent)/1e6/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(samples), "samples")
}
