package coordinator

import (
	"testing"
	"time"
)

// runs reports whether the clock runs, and at which interval.
func runs(c *Coordinator) (bool, time.Duration) {
	return c.due.Load() != never, c.Interval()
}

func expectRun(t *testing.T, c *Coordinator, running bool, interval time.Duration) {
	t.Helper()
	if is, at := runs(c); is != running || at != interval {
		t.Errorf("it runs: %v, at %v; want %v, %v", is, at, running, interval)
	}
}

// The clock runs for all who want it, at the smallest gap that any of them asks for;
// the caller of Start decides.
func TestJoin(t *testing.T) {
	c := New(Options{Interval: 20 * time.Millisecond})
	slow := c.Join(50 * time.Millisecond)
	expectRun(t, c, true, 50*time.Millisecond)
	fast := c.Join(time.Millisecond)
	expectRun(t, c, true, time.Millisecond)
	stop := c.Start()
	expectRun(t, c, true, 20*time.Millisecond)
	plain := c.Join(0)
	stop()
	stop()
	expectRun(t, c, true, time.Millisecond)
	fast()
	fast()
	expectRun(t, c, true, 20*time.Millisecond)
	plain()
	expectRun(t, c, true, 50*time.Millisecond)
	slow()
	expectRun(t, c, false, 20*time.Millisecond)
	c.Start()()
	expectRun(t, c, false, 20*time.Millisecond)
}

// A clock that was slow when someone joined ticks at once as they asked.
func TestJoinWhileItWaits(t *testing.T) {
	c := New(Options{})
	defer c.Join(time.Hour)()
	counter := c.Register()
	defer c.Join(time.Millisecond)()
	until(t, "five ticks", func() bool { return counter.Ticks().Raised >= 5 }, func() { time.Sleep(time.Millisecond) })
}

// Starts nest.
func TestStartNests(t *testing.T) {
	c := New(Options{Interval: 20 * time.Millisecond})
	outer := c.Start()
	inner := c.Start()
	outer()
	outer()
	expectRun(t, c, true, 20*time.Millisecond)
	inner()
	expectRun(t, c, false, 20*time.Millisecond)
}

func TestManyJoin(t *testing.T) {
	c := New(Options{Interval: time.Millisecond})
	done := make(chan struct{})
	for i := range 8 {
		go func() {
			for n := range 50 {
				c.Join(time.Duration(1+(i+n)%5) * 100 * time.Microsecond)()
			}
			done <- struct{}{}
		}()
	}
	for range 8 {
		<-done
	}
	expectRun(t, c, false, time.Millisecond)
}
