package coordinator

import (
	"runtime"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestWithin(t *testing.T) {
	zero := time.Unix(1000, 0)
	at := func(µs int) time.Time { return zero.Add(time.Duration(µs) * time.Microsecond) }
	ends := []time.Time{at(900), at(500), at(100)} // latest first, as debug.GCStats has them
	lengths := []time.Duration{50 * time.Microsecond, 0, 20 * time.Microsecond}
	for µs, want := range map[int]bool{
		950: false, 901: false, 900: true, 870: true, 850: true, 849: false,
		500: true, 499: false, 100: true, 80: true, 79: false, 0: false,
	} {
		must.Equal(t, within(ends, lengths, at(µs)), want, µs)
	}
	if within(nil, nil, zero) {
		t.Error("in a pause when there was none")
	}
}

// Forced collections stop the world again and again; sooner or later a deadline
// falls into a pause. It must be the collector's, not the program's.
func TestPausesOfTheCollector(t *testing.T) {
	c := New(Options{Interval: 100 * time.Microsecond, Seed: 1})
	k, idle := c.Register(), c.Register()
	defer c.Start()()
	k.Enter()
	taken := int64(0)
	var garbage [][]*int
	until(t, "a deadline falls into a pause", func() bool { return k.Ticks().GC > 0 }, func() {
		list := make([]*int, 1<<12)
		for i := range list {
			list[i] = new(int)
			if k.Pending() {
				weight, _, _ := k.Take()
				taken += int64(weight)
			}
		}
		if garbage = append(garbage, list); len(garbage) > 64 {
			garbage = nil
		}
		runtime.GC()
	})
	weight, _, _ := k.Leave()
	taken += int64(weight)
	got := k.Ticks()
	balanced(t, got)
	if got.GC == 0 || got.Taken != taken {
		t.Errorf("took %d ticks, account %+v", taken, got)
	}
	if other := idle.Ticks(); other.GC != 0 || other.Idle == 0 {
		t.Errorf("the idle runtime's account is %+v", other)
	}
}
