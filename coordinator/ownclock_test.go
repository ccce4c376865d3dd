package coordinator

import (
	"math"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// moved is a clock that moves only when a test adds to it.
type moved struct{ now time.Duration }

func (m *moved) read() time.Duration { return m.now }

// deadlines counts those that a clock has until a time, its end included.
func deadlines(interval time.Duration, seed uint64, until time.Duration) (n int64) {
	c := newClock(interval, seed)
	for c.begin(0); c.deadline <= int64(until); c.deadline += c.gap() {
		n++
	}
	return n
}

// Where the goroutine does not get to run, checks keep the clock: each deadline
// raises its tick, at the first check that comes after it.
func TestChecksDeliverEveryTick(t *testing.T) {
	for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
		for _, apart := range []time.Duration{10, 150, 20_000} { // between two checks, in nanoseconds
			const seed = 3
			m := &moved{}
			co := New(Options{Interval: interval, Seed: seed, Clock: m.read})
			c := co.Register()
			for range 3 * restStride { // the pace learns how rare checks are
				m.now += apart
				c.Pending()
			}
			began := m.now
			stop := co.Start()
			defer stop()
			c.Enter()
			for m.now < began+60*interval {
				m.now += apart
				due := co.due.Load()
				if !c.Pending() {
					continue
				}
				weight, first, now := c.Take()
				if weight != 1 || first != due || now-first >= int64(apart) {
					t.Fatalf("%v, checks %v apart: took %d due at %d, %d later; want 1 due at %d at the first check after it", interval, apart, weight, first, now-first, due)
				}
			}
			c.Leave()
			stop()
			ticks, want := c.Ticks(), deadlines(interval, seed, m.now-began)
			if ticks.Taken != want || ticks.Raised != want || ticks.Missed != 0 {
				t.Errorf("%v, checks %v apart: %+v, want %d ticks", interval, apart, ticks, want)
			}
			must.Equal(t, co.Elapsed(), int64(m.now), "it stopped at")
		}
	}
}

// A clock of one's own has no goroutine to raise ticks, whatever GOMAXPROCS is, and
// stops and starts like any other.
func TestNothingSleepsByAClockOfOnesOwn(t *testing.T) {
	processors(t, 4)
	m := &moved{}
	co := New(Options{Interval: time.Millisecond, Clock: m.read})
	c := co.Register()
	for range 3 {
		stop := co.Start()
		m.now += time.Second
		raised := c.Ticks().Raised
		time.Sleep(3 * time.Millisecond) // in which the machine's clock would tick
		if now := c.Ticks().Raised; now != raised {
			t.Errorf("%d ticks that no check raised", now-raised)
		}
		stop()
	}
	defer co.Join(time.Hour)()
	m.now += 24 * time.Hour
	c.Poll()
	if got := c.Ticks(); got.Idle != got.Raised || got.Idle < 10 {
		t.Errorf("a day without scripts at an hour: %+v", got)
	}
}

// Where checks run before the host first says that it runs a script, its first task is not charged
// for the time before it.
func TestTheFirstTaskPaysForItself(t *testing.T) {
	m := &moved{}
	co := New(Options{Interval: time.Millisecond, Clock: m.read})
	c := co.Register()
	defer co.Start()()
	c.Pending() // a check
	m.now += time.Minute
	c.Poll() // as the goroutine would
	m.now += time.Minute
	c.Enter()
	if c.Pending() {
		t.Error("ticks of the time before wait for the first check")
	}
	leaves(t, c, 0)
	ticks := c.Ticks()
	balanced(t, ticks)
	if ticks.Idle == 0 || ticks.Idle != ticks.Raised || co.busy.Load() != 0 {
		t.Errorf("%+v, and %d runtimes are busy", ticks, co.busy.Load())
	}
}

// However long an interval is, its deadlines are in the future.
func TestIntervalsAreBounded(t *testing.T) {
	for seed := range uint64(20) {
		m := &moved{}
		co := New(Options{Interval: math.MaxInt64, Seed: seed, Clock: m.read})
		c := co.Register()
		stop := co.Start()
		m.now += time.Hour
		c.Poll()
		stop()
		leave := co.Join(math.MaxInt64)
		m.now += time.Hour
		c.Poll()
		leave()
		must.Equal(t, c.Ticks(), profile.Ticks{}, "seed", seed)
	}
}
