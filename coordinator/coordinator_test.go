package coordinator

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// hang ends a wait that would never end. It judges nothing: all events that a test waits for
// happen within milliseconds, or on a busy machine within seconds.
const hang = 5 * time.Minute

// until repeats something until a condition holds.
func until(t *testing.T, what string, holds func() bool, do func()) {
	t.Helper()
	for end := time.Now().Add(hang); !holds(); do() {
		if time.Now().After(end) {
			t.Errorf("never: %s", what)
			return
		}
	}
}

// check asks the counter as a script's check would, and takes pending ticks.
func check(c *Counter) {
	for range 50 {
		if c.Pending() {
			c.Take()
		}
	}
}

// work is a task of a few thousand checks.
func work(c *Counter) {
	c.Enter()
	defer c.Leave()
	for range 100 {
		check(c)
	}
}

func TestManyRuntimesOneCoordinator(t *testing.T) {
	co := New(Options{Interval: time.Millisecond, Seed: 1})
	stop := co.Start()
	var wait sync.WaitGroup
	counters := make([]*Counter, 3)
	// Each is busy until its account shows it, and then idle until its account shows that.
	busyAndIdle := func(c *Counter) {
		taken, idle := c.Ticks().Taken, c.Ticks().Idle
		c.Enter()
		until(t, "a tick is taken", func() bool { return c.Ticks().Taken > taken }, func() { check(c) })
		c.Leave()
		until(t, "a tick is idle", func() bool { return c.Ticks().Idle > idle }, runtime.Gosched)
	}
	for i := range counters {
		counters[i] = co.Register()
		wait.Go(func() {
			for range 5 {
				busyAndIdle(counters[i])
			}
		})
	}
	// One registers and leaves while the others run.
	passing := co.Register()
	busyAndIdle(passing)
	co.Unregister(passing)
	raised := passing.Ticks().Raised
	wait.Wait()
	if now := passing.Ticks().Raised; now != raised {
		t.Errorf("an unregistered runtime got %d ticks", now-raised)
	}
	stop()
	for i, c := range counters {
		ticks := c.Ticks()
		balanced(t, ticks)
		if ticks.Taken < 5 || ticks.Idle < 5 {
			t.Errorf("runtime %d: %+v: it was busy and idle five times, and both must show", i, ticks)
		}
	}
}

// One runtime must not swallow another's tick.
func TestEachRuntimeHasItsOwnTick(t *testing.T) {
	co := New(Options{Interval: time.Hour})
	a, b := co.Register(), co.Register()
	a.Enter()
	b.Enter()
	co.tick(co.Now(), co.Now())
	takes(t, a, 1)
	if !b.Pending() {
		t.Error("b's tick is gone")
	}
	takes(t, b, 1)
	takes(t, b, 0)
}

func TestWeightAndSkid(t *testing.T) {
	co := New(Options{Interval: time.Hour})
	c := co.Register()
	c.Enter()
	c.raise(100, 1, false)
	c.raise(200, 1, false)
	c.raise(300, 1, false)
	weight, first, now := c.Take()
	if weight != 3 || first != 100 || now < 300 {
		t.Errorf("took %d from %d at %d", weight, first, now)
	}
	c.Enter()
	c.raise(400, 1, false)
	leaves(t, c, 0)
	if weight, first, _ = c.Leave(); weight != 1 || first != 400 {
		t.Errorf("left with %d from %d", weight, first)
	}
	c.raise(500, 1, false)
	if c.Pending() {
		t.Error("a tick reached the flag while nothing ran")
	}
	must.Equal(t, c.Ticks(), profile.Ticks{Raised: 5, Taken: 4, Idle: 1})
}

// A host that does not bracket its tasks still gets samples.
func TestUnbracketedHost(t *testing.T) {
	co := New(Options{Interval: time.Millisecond})
	c := co.Register()
	stop := co.Start()
	defer stop()
	until(t, "a tick reaches the flag", func() bool { return c.Ticks().Taken > 0 }, func() { check(c) })
	if c.Bracketed() {
		t.Error("the host did not bracket anything")
	}
}

func TestStopLeavesNothingBehind(t *testing.T) {
	for _, interval := range []time.Duration{100 * time.Microsecond, 10 * time.Millisecond, time.Hour} {
		co := New(Options{Interval: interval})
		c := co.Register()
		stop := co.Start()
		work(c)
		stop()
		stop() // harmless
		raised := c.Ticks().Raised
		work(c)
		if now := c.Ticks().Raised; now != raised {
			t.Errorf("%v: raised %d ticks after stop", interval, now-raised)
		}
		if stacks := allStacks(); strings.Contains(stacks, "coordinator.(*Coordinator).run") {
			t.Errorf("%v: the goroutine is still there:\n%s", interval, stacks)
		}
		again := co.Start()
		again()
	}
}

func allStacks() string {
	buffer := make([]byte, 1<<20)
	return string(buffer[:runtime.Stack(buffer, true)])
}

// A deadline inside a pause of the collector is the collector's.
func TestCollectorPauses(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	epoch := time.Now()
	var p pauses
	p.begin()
	now := int64(time.Since(epoch))
	if p.cover(now-1, now) {
		t.Error("a pause before any collection")
	}
	runtime.GC()
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	end := int64(stats.PauseEnd[0].Sub(epoch))
	inside := end - int64(stats.Pause[0])/2
	now = int64(time.Since(epoch))
	if !p.cover(inside, now) {
		t.Errorf("deadline %d is in the pause that ended at %d", inside, end)
	}
	if p.cover(end+1000, now) {
		t.Error("a deadline after the pause is not in it")
	}
	if p.cover(end-int64(time.Second), now) {
		t.Error("a deadline long before the pause is not in it")
	}
}

func BenchmarkPending(b *testing.B) {
	co := New(Options{Interval: time.Millisecond})
	c := co.Register()
	c.Enter()
	stop := co.Start()
	defer stop()
	for b.Loop() {
		if c.Pending() {
			c.Take()
		}
	}
}

// A host that does say when it runs scripts gets no sample of a check outside.
func TestCheckOutsideOfTasks(t *testing.T) {
	co := New(Options{Interval: time.Hour})
	c := co.Register()
	for range restStride + 1 {
		c.Pending()
	}
	if c.Bracketed() || co.busy.Load() != 1 {
		t.Errorf("checks ran, and %d runtimes are taken for busy", co.busy.Load())
	}
	c.Enter()
	c.Leave()
	if !c.Bracketed() || co.busy.Load() != 0 {
		t.Errorf("after the first task %d runtimes are taken for busy", co.busy.Load())
	}
	for range restStride + 1 {
		c.Pending()
	}
	c.Raise()
	if c.Pending() {
		t.Error("a tick outside of tasks reached the flag")
	}
}

// Whenever so many more ticks wait, someone is told.
func TestWhenOverdue(t *testing.T) {
	c := New(Options{}).Register()
	told := make(chan bool, 9)
	c.WhenOverdue(3, func() { told <- true })
	c.Enter()
	for _, raised := range []int{3, 3, 2, 1} {
		for range raised {
			c.Raise()
		}
		if raised != 2 {
			<-told
		}
	}
	c.Take()
	c.Raise()
	c.Raise()
	c.Leave()
	for range 9 {
		c.Raise() // idle
	}
	if n := len(told); n > 0 {
		t.Errorf("told %d times more", n)
	}
}
