package coordinator

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

const ms = int64(time.Millisecond)

// byHand is a coordinator whose clock runs without a goroutine, and whose time moves
// only in forward. There are so many processors.
func byHand(t *testing.T, procs int) *Coordinator {
	t.Helper()
	processors(t, procs)
	c := New(Options{Interval: time.Millisecond, Seed: 1})
	c.stand(0)
	c.done = make(chan struct{})
	c.pauses.begin()
	c.procs.Store(int32(runtime.GOMAXPROCS(0)))
	c.clock.begin(c.Now())
	c.due.Store(c.clock.deadline)
	return c
}

// forward moves time on to the next deadline, and by n-1 intervals more.
func (c *Coordinator) forward(n int64) {
	c.stand(c.clock.deadline + (n-1)*ms)
}

// stand sets the time until the next call.
func (c *Coordinator) stand(now int64) { c.since = func() time.Duration { return time.Duration(now) } }

// processors sets GOMAXPROCS for one test.
func processors(t *testing.T, n int) {
	t.Helper()
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// takes takes a counter's ticks, and fails the test unless there are so many.
func takes(t *testing.T, k *Counter, want int32) {
	t.Helper()
	weight, _, _ := k.Take()
	must.Equal(t, weight, want, "ticks taken")
}

// leaves is takes for the end of a task.
func leaves(t *testing.T, k *Counter, want int32) {
	t.Helper()
	weight, _, _ := k.Leave()
	must.Equal(t, weight, want, "ticks taken at the end")
}

// balanced fails the test when ticks do not add up.
func balanced(t *testing.T, got profile.Ticks) {
	t.Helper()
	must.Equal(t, got.Raised, got.Taken+got.Idle+got.GC+got.Lost, got)
}

func TestTickIsTakenWithItsWeight(t *testing.T) {
	c := byHand(t, 1)
	k := c.Register()
	k.Enter()
	if k.Poll() {
		t.Fatal("pending before the first deadline")
	}
	deadline := c.clock.deadline
	c.forward(1)
	if !k.Poll() {
		t.Fatal("nothing pending after a deadline")
	}
	k.Raise()
	weight, first, now := k.Take()
	if weight != 2 || first != deadline || now != deadline {
		t.Errorf("took %d ticks since %d at %d, want 2 since %d", weight, first, now, deadline)
	}
	if weight, _, _ := k.Take(); weight != 0 || k.Poll() {
		t.Errorf("took %d more", weight)
	}
	must.Equal(t, k.Ticks(), profile.Ticks{Raised: 2, Taken: 2})
	if late := c.Late(); late.Count != 1 || late.Max != 0 {
		t.Errorf("a tick raised by a check is late by %+v", late)
	}
}

// A deadline that passed before a task belongs to the wait, and one that passed
// in a task belongs to it, even if the clock was not read in time.
func TestNobodyPaysForAnothersTime(t *testing.T) {
	c := byHand(t, 1) // with more, the sampled moment is when the goroutine arrives
	k := c.Register()
	c.forward(1)
	k.Enter()
	if k.Poll() {
		t.Error("the task found a tick of the wait before it")
	}
	c.forward(1)
	leaves(t, k, 1)
	c.forward(1)
	k.Enter()
	leaves(t, k, 0)
	must.Equal(t, k.Ticks(), profile.Ticks{Raised: 3, Idle: 2, Taken: 1})
}

func TestIdleRunsAreGaps(t *testing.T) {
	c := New(Options{})
	k := c.Register()
	k.raise(10, 1, false)
	k.raise(20, 2, true) // a pause while nothing runs delays nothing
	k.Enter()
	k.raise(30, 3, true)
	k.raise(31, 1, true)
	k.Enter()
	k.Leave()
	k.raise(40, 1, false)
	k.Leave()
	k.raise(50, 1, false)
	k.Enter()
	k.Leave()
	k.raise(60, 1, false)
	want := []Outside{{profile.Idle, 10, 3}, {profile.GC, 30, 1}, {profile.GC, 31, 1}, {profile.Idle, 50, 1}, {profile.Idle, 60, 1}}
	must.Equal(t, k.Outside(), want, "outside")
	must.Equal(t, k.Ticks(), profile.Ticks{Raised: 10, Idle: 5, GC: 2, Taken: 3})
}

// However many runs there are, as of a load test whose users wait all the time, they take no
// more room: they become longer, and no tick falls out.
func TestOutsideIsBounded(t *testing.T) {
	l := outsideList{most: func() int { return 1000 }}
	for i := range int64(100_000) {
		l.endRun()
		l.add(profile.Idle, i*20e6, 2)
		if i%10 == 0 {
			l.add(profile.GC, i*20e6+5, 1)
		}
		if len(l.runs) > 1000 || cap(l.runs) > 4000 {
			t.Fatalf("%d runs in room for %d", len(l.runs), cap(l.runs))
		}
	}
	ticks := map[profile.Kind]int64{}
	for i, run := range l.runs {
		ticks[run.Kind] += run.Ticks
		if i > 0 && run.Time <= l.runs[i-1].Time {
			t.Errorf("%+v comes after %+v", run, l.runs[i-1])
		}
	}
	must.Equal(t, ticks, map[profile.Kind]int64{profile.Idle: 200_000, profile.GC: 10_000})
	if len(l.runs) < 500 {
		t.Errorf("only %d runs are left", len(l.runs))
	}
	last := l.between(99_000*20e6, 100_000*20e6)
	must.Equal(t, len(last) > 1, true, "the last of 100 parts can be told")
}

// When runs would be too long, the oldest fall out, and are counted. A list that had much room
// gives it back when others need it.
func TestOldRunsFallOut(t *testing.T) {
	most := 1 << 16
	l := outsideList{most: func() int { return most }}
	l.add(profile.Idle, 0, 1)
	l.endRun()
	for i := range int64(1 << 17) {
		l.add(profile.GC, i*longest, 1)
	}
	most = 100
	l.add(profile.Idle, longest<<17, 5)
	total := int64(0)
	for _, a := range l.runs {
		total += a.Ticks
	}
	if len(l.runs) > most || cap(l.runs) > 4*most {
		t.Errorf("%d runs in room for %d", len(l.runs), cap(l.runs))
	}
	must.Equal(t, total+l.gone, 1<<17+6, "total")
	must.Equal(t, l.runs[len(l.runs)-1], Outside{profile.Idle, longest << 17, 5})
	must.Equal(t, l.till, l.runs[0].Time-longest, "the last that fell out began")
}

// A day of rest can be reported hour by hour, and runs that are too old fall out.
func TestALongRest(t *testing.T) {
	var l outsideList
	const tick, hour = int64(10e6), int64(3600e9)
	l.keep = hour
	for at := int64(0); at < 24*hour; at += tick {
		l.add(profile.Idle, at, 1)
	}
	last := int64(0)
	for _, run := range l.between(24*hour-60e9, 24*hour) {
		last += run.Ticks
	}
	must.Equal(t, last, 60e9/tick, "the last minute's ticks")
	kept := int64(0)
	for _, run := range l.runs {
		kept += run.Ticks
	}
	must.Equal(t, kept+l.gone, 24*hour/tick, "all ticks")
	if kept < hour/tick || kept > hour/tick+maxRun/tick || cap(l.runs) > 4*int(hour/maxRun) {
		t.Errorf("%d ticks are kept, in room for %d runs", kept, cap(l.runs))
	}
	l.add(profile.Idle, 24*hour+tick, 1)
	l.forget(24 * hour)
	must.Equal(t, kept+l.gone, 24*hour/tick+kept, "after all are forgotten but one")
}

// Ticks of a wait within a task are idle; those before it are the task's.
func TestWaits(t *testing.T) {
	c := New(Options{Interval: time.Hour})
	k := c.Register()
	if _, _, _, ok := k.Wait(); ok {
		t.Error("it waits where nothing runs")
	}
	k.Enter()
	k.raise(10, 2, false)
	weight, first, _, ok := k.Wait()
	if weight != 2 || first != 10 || !ok || !k.Waiting() || c.busy.Load() != 0 {
		t.Errorf("it waits: %v, with %d ticks from %d, and %d runtimes are busy", ok, weight, first, c.busy.Load())
	}
	k.raise(20, 3, false)
	if _, _, _, ok := k.Wait(); ok {
		t.Error("it waits twice")
	}
	k.Resume()
	k.raise(30, 1, false)
	takes(t, k, 1)
	leaves(t, k, 0)
	must.Equal(t, k.Ticks(), profile.Ticks{Raised: 6, Idle: 3, Taken: 3})
	must.Equal(t, k.Outside(), []Outside{{profile.Idle, 20, 3}})
	must.Equal(t, c.busy.Load(), 0, "busy runtimes")
}

func TestMissedDeadlinesAreNotMadeUpFor(t *testing.T) {
	c := byHand(t, 2)
	k := c.Register()
	k.Enter()
	c.forward(100)
	k.Poll()
	takes(t, k, 1)
	if missed := k.Ticks().Missed; missed < 60 || missed > 140 {
		t.Errorf("%d missed", missed)
	}
}

// If scripts hold every processor, the deadlines that passed fell into them, as far as
// they had the processor.
func TestStarvedDeadlinesCount(t *testing.T) {
	for _, test := range []struct {
		ran, low, high int64
	}{{100 * ms, 60, 101}, {1000 * ms, 60, 140}, {40 * ms, 40, 41}, {0, 1, 1}} {
		c := byHand(t, 1)
		spent := time.Duration(0)
		c.cpu = func() (time.Duration, bool) { return spent, true }
		k, idle := c.Register(), c.Register()
		k.Enter()
		c.forward(1)
		k.Poll()
		k.Take()
		spent += time.Duration(test.ran)
		c.forward(100)
		k.Poll()
		weight, _, _ := k.Take()
		missed := k.Ticks().Missed
		if int64(weight) < test.low || int64(weight) > test.high || int64(weight)+missed < 60 || int64(weight)+missed > 141 {
			t.Errorf("%d ticks and %d missed after a hundred intervals of which %v were run", weight, missed, time.Duration(test.ran))
		}
		must.Equal(t, idle.Ticks().Idle, int64(weight)+1, "the idle runtime")
	}
}

// Asking for the processor time takes microseconds: a tick waits for it only if missed
// deadlines depend on it.
func TestATickDoesNotWaitForTheProcessorTime(t *testing.T) {
	c := byHand(t, 1)
	k := c.Register()
	k.Enter()
	asked := 0
	var raised int64
	c.cpu = func() (time.Duration, bool) {
		asked, raised = asked+1, k.ticks.Raised
		return 0, true
	}
	c.forward(1)
	k.Poll()
	must.Equal(t, []int64{int64(asked), raised}, []int64{1, 1}, "asked, when so many ticks were raised")
	c.forward(100)
	k.Poll()
	must.Equal(t, []int64{int64(asked), raised}, []int64{2, 1}, "asked, when so many ticks were raised")
}

// Processor time that the process spent before, while a processor was free, says nothing of
// deadlines that pass after scripts have taken the last one.
func TestEarlierProcessorTimeDoesNotCount(t *testing.T) {
	c := byHand(t, 2)
	spent := time.Duration(0)
	c.cpu = func() (time.Duration, bool) { return spent, true }
	first, second := c.Register(), c.Register()
	first.Enter()
	for range 200 {
		spent += time.Millisecond
		c.forward(1)
		c.wake(c.done)
	}
	first.Take()
	second.Enter()
	missed := c.Missed()
	c.forward(100) // the machine gives the process no processor
	first.Poll()
	takes(t, first, 1)
	takes(t, second, 1)
	if missed = c.Missed() - missed; missed < 60 {
		t.Errorf("%d missed", missed)
	}
}

// If nothing ran from one tick to the next, the deadlines that passed were idle.
func TestIdleDeadlinesCount(t *testing.T) {
	c := byHand(t, 1)
	k := c.Register()
	k.Enter()
	k.Leave()
	c.forward(100) // something ran at first: how much fell into it is unknown
	k.Poll()
	first := k.Ticks()
	if first.Idle != 1 || first.Missed < 60 {
		t.Errorf("%+v", first)
	}
	c.forward(100)
	k.Poll()
	if got := k.Ticks(); got.Idle < 60 || got.Missed != first.Missed {
		t.Errorf("%+v, then %+v", first, got)
	}
}

// On a system without processor times, scripts are assumed to have had the processor.
func TestStarvedDeadlinesWithoutProcessorTime(t *testing.T) {
	c := byHand(t, 1)
	c.cpu = func() (time.Duration, bool) { return 0, false }
	k := c.Register()
	k.Enter()
	c.forward(100)
	k.Poll()
	if weight, _, _ := k.Take(); weight < 60 || k.Ticks().Missed != 0 {
		t.Errorf("%d ticks, %d missed", weight, k.Ticks().Missed)
	}
}

func TestUnregistered(t *testing.T) {
	c := byHand(t, 1)
	c.forward(20)
	k, bare := c.Register(), c.Register() // earlier misses do not count for them
	for range restStride + 1 {
		bare.Pending()
	}
	c.forward(1)
	k.Poll()
	c.Unregister(k)
	c.Unregister(k)
	c.Unregister(bare)
	before := k.Ticks()
	c.forward(20)
	c.catchUp()
	if after := k.Ticks(); after != before || after.Raised != 1 || after.Missed > 2 {
		t.Errorf("account %+v, then %+v", before, after)
	}
	for range restStride + 1 {
		bare.Pending()
	}
	must.Equal(t, c.busy.Load(), 0)
}

func TestLeaveWithoutEnterPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	New(Options{}).Register().Leave()
}

func TestPendingTicksDoNotOverflow(t *testing.T) {
	k := New(Options{}).Register()
	k.Enter()
	k.raise(0, math.MaxInt32-1, false)
	k.raise(0, 3, false)
	must.Equal(t, k.Ticks(), profile.Ticks{Raised: math.MaxInt32 + 2, Lost: math.MaxInt32 + 2})
	takes(t, k, math.MaxInt32)
	must.Equal(t, k.Ticks(), profile.Ticks{Raised: math.MaxInt32 + 2, Taken: math.MaxInt32, Lost: 2})
	k.Lose(5)
	must.Equal(t, k.Ticks(), profile.Ticks{Raised: math.MaxInt32 + 2, Taken: math.MaxInt32 - 5, Lost: 7})
}

// Three runtimes register, work and leave while one clock runs. Their accounts always
// add up, and in the end they agree with what the runtimes took.
func TestAccountIsExactUnderRace(t *testing.T) {
	c := New(Options{Interval: 50 * time.Microsecond, Seed: 9})
	defer c.Start()()
	const owners = 3
	var counters [owners]atomic.Pointer[Counter]
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for i := range owners {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 4 {
				k := c.Register()
				counters[i].Store(k)
				taken, lost := int64(0), int64(0)
				for range 300 {
					k.Enter()
					for range r.IntN(300) {
						if k.Pending() {
							weight, _, _ := k.Take()
							if taken += int64(weight); weight > 0 && r.IntN(4) == 0 {
								k.Lose(1)
								lost++
							}
						}
						if r.IntN(20) == 0 {
							k.Raise()
						}
					}
					weight, _, _ := k.Leave()
					taken += int64(weight)
					runtime.Gosched()
				}
				c.Unregister(k)
				got := k.Ticks()
				balanced(t, got)
				must.Equal(t, got.Taken, taken-lost, taken)
				must.Equal(t, got.Lost, lost, taken)
				outside := int64(0)
				for _, a := range k.Outside() {
					outside += a.Ticks
				}
				must.Equal(t, outside, got.Idle+got.GC+got.Lost, got)
			}
		})
	}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-stop:
				return
			default:
			}
			for i := range counters {
				if k := counters[i].Load(); k != nil {
					balanced(t, k.Ticks())
				}
			}
			runtime.Gosched()
		}
	}()
	wg.Wait()
	close(stop)
	<-watched
}

func TestTickAllocatesNothing(t *testing.T) {
	c := byHand(t, 1)
	k, idle := c.Register(), c.Register()
	k.Enter()
	idle.raise(0, 1, false)
	now := time.Duration(0)
	c.since = func() time.Duration { return now }
	if n := testing.AllocsPerRun(200, func() {
		now += time.Millisecond
		c.pauses.seen-- // as if the collector had run
		k.Poll()
		k.Take()
	}); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
	if k.Ticks().Taken < 50 {
		t.Errorf("%+v", k.Ticks())
	}
}
