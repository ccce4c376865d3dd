package gojahost

import (
	"math"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// outsideWork is a pool whose runtimes, one at a time, are idle for most of the time.
type outsideWork struct {
	*testing.T
	pool   *Pool
	clock  *handClock
	host   func() *Host
	reader *coordinator.Counter // of no runtime: it raises ticks in time, as the goroutine would, and counts them
	raised []int64              // by second
}

func newOutsideWork(t *testing.T, options Options) *outsideWork {
	t.Helper()
	w := &outsideWork{T: t}
	w.pool, w.clock, w.host = testPool(t, options)
	w.reader = w.pool.Coordinator().Register()
	t.Cleanup(w.pool.Coordinator().Start())
	return w
}

// second lets a second pass, in which a runtime works for ten milliseconds.
func (w *outsideWork) second(h *Host) {
	w.raised = append(w.raised, w.reader.Ticks().Raised)
	must.Do(w, h.Run(func() error { w.pass(10); return nil }))
	w.pass(990)
}

func (w *outsideWork) pass(milliseconds int) {
	for range milliseconds {
		w.clock.now += time.Millisecond
		w.reader.Poll()
	}
}

// oneStretch checks that all of a profile lies in its time: it has no more ticks than were
// raised since it begins, and together with what fell out all that ever were.
func (w *outsideWork) oneStretch(p *profile.Profile) {
	w.Helper()
	sampled(w.T, p)
	from := p.Meta.Start.Sub(w.pool.Coordinator().Epoch())
	due := w.reader.Ticks().Raised - w.raised[from/time.Second]
	state, account := w.pool.State().Ticks, p.Meta.Ticks
	if account.Raised > due || account.Raised == 0 || account.Dropped != state.Dropped || account.Raised+account.Dropped != state.Raised {
		w.Errorf("%+v since %v, in which %d were due; in all %+v", account, from, due, state)
	}
}

// Idle ticks are kept as long as samples are: those of runtimes that are gone, too.
func TestIdleTicksFallOut(t *testing.T) {
	w := newOutsideWork(t, Options{Keep: time.Minute})
	for n := range 600 {
		h := w.host()
		w.second(h)
		h.Close()
		if n%100 == 99 {
			w.oneStretch(w.pool.Profile())
			must.Equal(t, w.pool.Last(10*time.Second).Meta.Ticks.Dropped, 0, "dropped in the last ten seconds")
		}
	}
	w = newOutsideWork(t, Options{MaxSamples: 50})
	h := w.host()
	for range 200 {
		w.second(h)
	}
	w.oneStretch(w.pool.Profile())
	w.oneStretch(w.pool.Drain())
}

// Ticks that are lost have their time, too: they are in no other part of a recording.
func TestLostTicksHaveATime(t *testing.T) {
	c := newHandClock(coordinator.Options{Interval: 1000 * time.Hour}) // ticks come by hand
	pool := NewPool(coordinator.New(c.options), Options{})
	defer pool.Coordinator().Start()()
	h := must.Get(pool.Host(goja.New()))(t)
	c.now = time.Minute
	must.Do(t, h.Run(func() error {
		h.counter.Raise()
		h.Close()
		return nil
	}))
	c.now = time.Hour
	lost := func(p *profile.Profile) int64 { return sampled(t, p)[profile.NameLost] }
	epoch := pool.Coordinator().Epoch()
	must.Equal(t, lost(pool.Last(time.Minute)), 0, "in the last minute")
	must.Equal(t, lost(pool.Last(2*time.Hour)), 1, "in all time")
	must.Equal(t, lost(pool.Between(epoch, epoch.Add(2*time.Minute))), 1, "when it was lost")
	must.Equal(t, lost(pool.Between(epoch.Add(2*time.Minute), epoch.Add(c.now))), 0, "since then")
	must.Equal(t, lost(pool.Drain()), 1, "drained")
	must.Equal(t, lost(pool.Profile()), 0, "after that")
}

// The account that State has only grows.
func TestStateOnlyGrows(t *testing.T) {
	w := newOutsideWork(t, Options{Keep: 10 * time.Second})
	var last profile.Ticks
	grows := func(when string) {
		t.Helper()
		now := w.pool.State().Ticks
		a, b := reflect.ValueOf(last), reflect.ValueOf(now)
		for i := range a.NumField() {
			if a.Field(i).Int() > b.Field(i).Int() {
				t.Errorf("%s: %+v, then %+v", when, last, now)
			}
		}
		must.Equal(t, now.Raised, now.Taken+now.Idle+now.GC+now.Lost, now)
		last = now
	}
	for range 5 {
		h := w.host()
		for range 30 {
			w.second(h)
			grows("later")
		}
		must.Do(t, h.Run(func() error {
			w.pass(50)
			grows("ticks wait")
			return nil
		}))
		grows("they are taken")
		w.pool.Drain()
		grows("drained")
		w.second(h)
		h.Close()
		grows("closed")
	}
	if last.Dropped == 0 {
		t.Errorf("nothing fell out: %+v", last)
	}
}

// The runtimes of a pool share the room for idle ticks, whether they wait all day or from
// one moment to the next.
func TestRoomForIdleTicks(t *testing.T) {
	c := newHandClock(coordinator.Options{Interval: time.Hour})
	pool := NewPool(coordinator.New(c.options), Options{})
	var hosts []*Host
	const runtimes = 4096
	for range runtimes {
		hosts = append(hosts, must.Get(pool.Host(goja.New()))(t))
	}
	for range 200 {
		c.now += time.Second
		for _, h := range hosts {
			h.counter.Raise()
			h.counter.Enter()
			h.counter.Leave()
		}
	}
	runs, ticks := 0, int64(0)
	for _, run := range pool.recording.snapshot(everything(0)).outside {
		runs, ticks = runs+1, ticks+run.Ticks
	}
	must.Equal(t, ticks, 200*runtimes, "ticks")
	if runs > maxOutside {
		t.Errorf("%d runs", runs)
	}
}

// The profile of one runtime of many takes room for its own samples.
func TestProfilesTakeRoomForTheirSamples(t *testing.T) {
	pool, _, host := testPool(t, Options{})
	one, other := host(), host()
	for range 1 << 16 {
		other.recording.add(nil, sample{stack: noStack, native: -1, weight: 1, host: other.id, kind: profile.Program})
	}
	allocated := func() uint64 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return now.TotalAlloc
	}
	least := uint64(math.MaxUint64) // goroutines left by earlier tests allocate, too, but not each time
	for range 20 {
		before := allocated()
		must.Equal(t, one.Profile().Len(), 0)
		least = min(least, allocated()-before)
	}
	if least > 1<<20 {
		t.Errorf("%d bytes for no sample of %d", least, pool.State().Samples)
	}
	must.Equal(t, other.Profile().Len(), 1<<16)
}
