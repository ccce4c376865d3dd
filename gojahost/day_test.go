package gojahost

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// day is a host that works for twenty tenants in turn: nine tenths of each second in a task,
// and idle for one. A coordinator of its own raises the ticks, by a clock that the test moves.
type day struct {
	*testing.T
	host    *Host
	clock   *handClock
	step    time.Duration // from one check to the next
	work    goja.Callable
	tenants []*Task
	tasks   int
}

func newDay(t *testing.T, interval, keep time.Duration) *day {
	t.Helper()
	c := newHandClock(coordinator.Options{Interval: interval, Seed: 11})
	vm := goja.New()
	d := &day{T: t, clock: c, step: interval / 2, host: NewWith(vm, coordinator.New(c.options), Options{Keep: keep})}
	must.Do(t, d.host.Install(handMade))
	_ = vm.Set("pass", func(goja.FunctionCall) goja.Value { c.pass(d.step, ""); return nil })
	must.Get(vm.RunString(`
		function loop(n) { for (var i = 0; i < n; i++) { pass(); if (F) C(1) } }
		function down(depth, n) { if (depth) return down(depth - 1, n); loop(n) }`))(t)
	d.work, _ = goja.AssertFunction(vm.Get("down"))
	for n := range 20 {
		d.tenants = append(d.tenants, d.host.As("tenant", fmt.Sprint(n)))
	}
	t.Cleanup(d.host.coordinator.Start())
	c.start()
	return d
}

// pass lets time pass: whole seconds, of which each begins idle. Stacks differ from minute to
// minute, so that those of the morning are not those of the evening.
func (d *day) pass(span time.Duration) {
	for ; span > 0; span -= time.Second {
		for idle := time.Second / 10; idle > 0; idle -= d.step {
			d.clock.pass(d.step, "")
			d.host.counter.Poll() // as the coordinator's goroutine would
		}
		depth, steps := d.tasks/60%97, int64(9*time.Second/10/d.step)
		task := d.tenants[d.tasks%len(d.tenants)].Callable(d.work)
		must.Get(task(nil, d.host.vm.ToValue(depth), d.host.vm.ToValue(steps)))(d)
		d.tasks++
	}
}

// peak lets as much time pass as a segment of the recording has, and returns the most that
// was in use meanwhile: a recording grows until its oldest segment falls out.
func (d *day) peak(segment time.Duration) (most uint64) {
	const looks = 8
	for range looks {
		d.pass(max(segment/looks, time.Second))
		runtime.GC()
		runtime.GC() // what the first has finalized
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		most = max(most, now.HeapAlloc)
	}
	return most
}

// account checks that no tick is missing: the ticks in the recording and those that fell out of
// it are all that were raised, and with the missed deadlines all that there were.
func (d *day) account() profile.Ticks {
	p := d.host.Profile()
	sampled(d.T, p)
	all, reference := d.host.State().Ticks, d.clock.reference.Ticks()
	due := reference.Raised + reference.Missed
	if all.Raised != all.Taken+all.Idle+all.GC+all.Lost || all.Raised+all.Missed != due || all.Lost != 0 {
		d.Errorf("of %d deadlines: %+v", due, all)
	}
	if kept := p.Meta.Ticks; kept.Raised+kept.Dropped != all.Raised || kept.Dropped != all.Dropped {
		d.Errorf("a profile with %+v of %+v", kept, all)
	}
	return all
}

// lastMinute checks that a minute is in the recording as a whole, with each of its ticks.
func (d *day) lastMinute() {
	before := d.host.State().Ticks
	d.pass(time.Minute)
	after := d.host.State().Ticks
	p := d.host.Last(time.Minute)
	sampled(d.T, p)
	if got := p.Meta.Ticks; got.Taken != after.Taken-before.Taken || got.Idle != after.Idle-before.Idle || got.Dropped != 0 {
		d.Errorf("the last minute has %+v, between %+v and %+v", got, before, after)
	}
}

// 24 hours of ticks: memory stays as it was after the first, the last minute is always there,
// and no tick is lost that the account does not show. FIELDPROF_FULL=1 has whole hours, which
// are 8.6 million ticks. Otherwise an hour has two and a half minutes, and a short test two hours.
func TestMemoryStaysFlat(t *testing.T) {
	const interval = 10 * time.Millisecond
	hour, hours := time.Hour/24, 24
	switch {
	case testing.Short():
		hours = 2
	case os.Getenv("FIELDPROF_FULL") != "":
		hour = time.Hour
	}
	keep := hour / 2
	d := newDay(t, interval, keep)
	var first, last uint64
	for n := range hours {
		end := time.Duration(n+1) * hour
		d.pass(end - d.clock.now - keep/parts - 2*time.Minute)
		d.lastMinute()
		d.account()
		if last = d.peak(keep / parts); n == 0 {
			first = last
		}
	}
	all := d.account()
	t.Logf("%d ticks in %v; %d bytes in use after the first hour, %d after the last", all.Raised, d.clock.now, first, last)
	if d.clock.now < time.Duration(hours-1)*hour || all.Raised < int64(d.clock.now/interval)*9/10 {
		t.Errorf("%+v in %v", all, d.clock.now)
	}
	if difference := float64(last)/float64(first) - 1; difference < -0.05 || difference > 0.05 {
		t.Errorf("%d bytes in use after the first hour, and %d after the last", first, last)
	}
}
