package coordinator

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/coordinator/cputime"
	"github.com/fieldprof/fieldprof/profile"
)

// busyFor asks the counter as a script's checks would, and takes what it sees.
func busyFor(c *Counter, d time.Duration) (samples int, ticks int64) {
	c.Enter()
	defer c.Leave()
	for end := time.Now().Add(d); time.Now().Before(end); {
		for range 50 {
			if c.Pending() {
				if weight, _, _ := c.Take(); weight > 0 {
					samples++
					ticks += int64(weight)
				}
			}
		}
	}
	return samples, ticks
}

func assertAccount(t *testing.T, ticks profile.Ticks) {
	t.Helper()
	if ticks.Raised != ticks.Taken+ticks.Idle+ticks.GC+ticks.Lost {
		t.Errorf("the account does not balance: %+v", ticks)
	}
}

func TestManyRuntimesOneCoordinator(t *testing.T) {
	co := New(Options{Interval: time.Millisecond, Seed: 1})
	stop := co.Start()
	var wait sync.WaitGroup
	counters := make([]*Counter, 3)
	for i := range counters {
		counters[i] = co.Register()
		wait.Go(func() {
			for range 5 {
				busyFor(counters[i], 20*time.Millisecond)
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	// One comes and goes while the others run.
	passing := co.Register()
	busyFor(passing, 20*time.Millisecond)
	co.Unregister(passing)
	wait.Wait()
	stop()
	for i, c := range counters {
		ticks := c.Ticks()
		assertAccount(t, ticks)
		if ticks.Taken == 0 || ticks.Idle == 0 {
			t.Errorf("runtime %d: %+v: it was busy and idle, and both must show", i, ticks)
		}
	}
	if ticks := passing.Ticks(); ticks.Taken == 0 {
		t.Errorf("the passing runtime took nothing: %+v", ticks)
	}
	raised := passing.Ticks().Raised
	if now := passing.Ticks().Raised; now != raised {
		t.Errorf("an unregistered runtime still gets ticks")
	}
}

// One runtime must not swallow another's tick.
func TestEachRuntimeHasItsOwnTick(t *testing.T) {
	co := New(Options{Interval: time.Hour})
	a, b := co.Register(), co.Register()
	a.Enter()
	b.Enter()
	co.tick(co.Now(), co.Now())
	if weight, _, _ := a.Take(); weight != 1 {
		t.Errorf("a took %d", weight)
	}
	if !b.Pending() {
		t.Error("b's tick is gone")
	}
	if weight, _, _ := b.Take(); weight != 1 {
		t.Errorf("b took %d", weight)
	}
	if weight, _, _ := b.Take(); weight != 0 {
		t.Errorf("b took %d of nothing", weight)
	}
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
	if weight, _, _ := c.Leave(); weight != 0 {
		t.Errorf("the inner task took %d", weight)
	}
	if weight, first, _ = c.Leave(); weight != 1 || first != 400 {
		t.Errorf("left with %d from %d", weight, first)
	}
	c.raise(500, 1, false)
	if c.Pending() {
		t.Error("a tick reached the flag while nothing ran")
	}
	assertAccount(t, c.Ticks())
	if ticks := c.Ticks(); ticks.Taken != 4 || ticks.Idle != 1 {
		t.Errorf("%+v", ticks)
	}
}

// A host that does not bracket its tasks still gets samples.
func TestUnbracketedHost(t *testing.T) {
	co := New(Options{Interval: time.Millisecond})
	c := co.Register()
	stop := co.Start()
	defer stop()
	taken := 0
	for end := time.Now().Add(5 * time.Second); taken == 0 && time.Now().Before(end); {
		if c.Pending() {
			weight, _, _ := c.Take()
			taken += int(weight)
		}
	}
	if taken == 0 {
		t.Error("no tick reached the flag")
	}
	if c.Bracketed() {
		t.Error("the host did not bracket anything")
	}
}

func TestStopLeavesNothingBehind(t *testing.T) {
	for _, interval := range []time.Duration{100 * time.Microsecond, 10 * time.Millisecond, time.Hour} {
		co := New(Options{Interval: interval})
		c := co.Register()
		stop := co.Start()
		busyFor(c, 3*time.Millisecond)
		stop()
		stop() // harmless
		raised := c.Ticks().Raised
		busyFor(c, 3*time.Millisecond)
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

// Where the goroutine does not get to run, checks keep the clock. The share is
// counted against the processor time there was: a loaded machine may take the
// whole process off for a while. It is random, so the best of some runs counts.
func TestTicksAreDelivered(t *testing.T) {
	for _, procs := range []int{1, 2} {
		for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
			best := 0.0
			for try := 0; try < 8 && best < 0.8; try++ {
				best = max(best, delivered(procs, interval, uint64(try+1)))
			}
			if best < 0.8 {
				t.Errorf("GOMAXPROCS=%d at %v: %.0f %% of the nominal ticks", procs, interval, 100*best)
			}
		}
	}
}

func delivered(procs int, interval time.Duration, seed uint64) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	co := New(Options{Interval: interval, Seed: seed})
	c := co.Register()
	stop := co.Start()
	began := time.Now()
	spent, known := cputime.Process()
	busyFor(c, 60*interval)
	elapsed := time.Since(began)
	if known {
		after, _ := cputime.Process()
		elapsed = min(elapsed, after-spent)
	}
	stop()
	return float64(c.Ticks().Raised) / (float64(elapsed) / float64(interval))
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
		t.Error("a deadline behind the pause is not in it")
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
