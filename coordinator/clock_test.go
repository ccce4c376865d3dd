package coordinator

import (
	"math"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Gaps are a rest and an exponential wait: one interval on average, with the spread of
// that distribution.
func TestGapsAreExponential(t *testing.T) {
	const n = 200_000
	for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
		c := newClock(interval, 1)
		i := float64(interval)
		low, sum, beyond := int64(math.MaxInt64), 0.0, 0
		for range n {
			g := c.gap()
			low, sum = min(low, g), sum+float64(g)
			if float64(g) > i/restPart+2*(i-i/restPart) {
				beyond++
			}
		}
		if low < int64(interval)/restPart {
			t.Errorf("interval %v: a gap of %d", interval, low)
		}
		// The mean of n gaps has a standard deviation of interval/√n.
		if mean := sum / n; math.Abs(mean-i) > 5*i/math.Sqrt(n) {
			t.Errorf("interval %v: mean gap %.1f", interval, mean)
		}
		if share, want := float64(beyond)/n, math.Exp(-2); math.Abs(share-want) > 5*math.Sqrt(want*(1-want)/n) {
			t.Errorf("interval %v: %.4f of the waits are longer than two of them, want %.4f", interval, share, want)
		}
	}
	if c := newClock(7, 1); c.gap() < 1 {
		t.Error("no gap")
	}
}

func TestDeadlinesDependOnTheSeedAlone(t *testing.T) {
	punctual, late, other := newClock(time.Millisecond, 7), newClock(time.Millisecond, 7), newClock(time.Millisecond, 8)
	punctual.begin(0)
	late.begin(0)
	other.begin(0)
	same := 0
	for range 1000 {
		must.Equal(t, punctual.deadline, late.deadline, "being late moved a deadline from")
		if punctual.deadline == other.deadline {
			same++
		}
		other.pass(other.deadline)
		// Within the rest after a deadline the next one is never reached.
		late.pass(late.deadline + int64(time.Millisecond)/restPart - 1)
		must.Equal(t, punctual.pass(punctual.deadline), 0)
	}
	if same > 100 {
		t.Errorf("two seeds share %d of 1000 deadlines", same)
	}
}

func TestPassedDeadlinesAreSkipped(t *testing.T) {
	reference, c := newClock(time.Millisecond, 3), newClock(time.Millisecond, 3)
	reference.begin(0)
	c.begin(0)
	now := int64(100 * time.Millisecond)
	want := int64(-1) // the first is not missed
	for reference.deadline <= now {
		reference.pass(reference.deadline)
		want++
	}
	if missed := c.pass(now); missed != want || c.deadline != reference.deadline || c.deadline <= now {
		t.Errorf("%d deadlines missed, next at %d; want %d, %d", missed, c.deadline, want, reference.deadline)
	}
}

func TestLongSleepIsCountedWithoutDrawing(t *testing.T) {
	c := newClock(time.Millisecond, 3)
	c.begin(0)
	now := int64(1000 * time.Hour)
	passed := c.pass(now)
	want := float64(now) / float64(time.Millisecond)
	if ratio := float64(passed) / want; ratio < 0.999 || ratio > 1.001 {
		t.Errorf("%d deadlines in %v", passed, time.Duration(now))
	}
	if c.deadline <= now || c.deadline > now+20*int64(time.Millisecond) {
		t.Errorf("next deadline %v from now", time.Duration(c.deadline-now))
	}
}

// paced is a clock whose deadlines checks look for at their pace.
type paced struct {
	clock clock
	pace
	now, checks, readings int64
	ticks, exact          int64 // those that came, and those that came at the first check after their deadline
}

func newPaced(interval time.Duration) *paced {
	p := &paced{clock: newClock(interval, 5)}
	p.clock.begin(0)
	return p
}

// row has a number of checks pass, one each so many ns.
func (p *paced) row(checks, each int64) {
	for range checks {
		p.now += each
		p.checks++
		if p.left--; p.left < 0 {
			p.look(each)
		}
	}
}

// look reads the clock, at the first chance for so many ns.
func (p *paced) look(each int64) {
	p.readings++
	if p.now >= p.clock.deadline {
		p.ticks++
		if p.now-each < p.clock.deadline {
			p.exact++
		}
		p.clock.pass(p.now)
	}
	p.next(p.now, p.clock.deadline)
}

// The clock must be read at every check near a deadline, seldom before, and
// the tick must come at the first check after it however checks are spaced.
func TestPaceFindsTheFirstCheckAfterTheDeadline(t *testing.T) {
	for _, each := range []int64{10, 100, 1000, 50_000, 3_000_000} {
		p := newPaced(time.Millisecond)
		p.row(int64(2000*time.Millisecond)/each, each)
		if p.exact < p.ticks*99/100 {
			t.Errorf("a check each %d ns: %d of %d ticks at the first check", each, p.exact, p.ticks)
		}
		if limit := p.checks/min(maxStride, max(1, maxStrideTime/(each+1))) + (16+gaps+minGuard/each)*p.ticks; p.readings > limit {
			t.Errorf("a check each %d ns: %d readings for %d ticks and %d checks", each, p.readings, p.ticks, p.checks)
		}
	}
}

// Functions that call into Go for long alternate with loops of small steps.
func TestPaceWithUnevenChecks(t *testing.T) {
	for _, pattern := range [][]struct{ checks, each int64 }{
		{{1, 100_000}, {1, 2000}},
		{{6, 100_000}, {1, 400_000}, {3, 1000}},
		{{20, 300}, {1, 150_000}, {2, 50_000}},
		{{300, 100}, {1, 500_000}, {5, 80_000}},
		{{1000, 100}, {10, 3000}},
	} {
		for _, interval := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
			p := newPaced(interval)
			for p.now < 1000*int64(interval) {
				for _, row := range pattern {
					p.row(row.checks, row.each)
				}
			}
			if p.exact < p.ticks*95/100 {
				t.Errorf("%v, each %v: %d of %d ticks at the first check", pattern, interval, p.exact, p.ticks)
			}
			if p.readings*readingTime > p.now/40 {
				t.Errorf("%v, each %v: %d readings in %d ns", pattern, interval, p.readings, p.now)
			}
		}
	}
}

// Between two calls into Go, which read the clock whatever the pace is, are fewer checks than
// a stride has.
func TestPaceLearnsFromShortRows(t *testing.T) {
	const interval = 10 * time.Millisecond
	p := newPaced(interval)
	for p.now < 1000*int64(interval) {
		p.row(20, 100)
		p.row(6, 100_000)
		p.now += 50_000
		p.interrupt(p.now)
		p.look(50_000)
	}
	if p.exact < p.ticks*95/100 {
		t.Errorf("%d of %d ticks at the first check", p.exact, p.ticks)
	}
}

// When checks suddenly become rare, at most maxStride of them pass without a reading;
// while the clock is stopped, at most restStride.
func TestPaceIsBounded(t *testing.T) {
	var p pace
	p.next(1, 1<<50)
	p.next(2, 1<<50)
	must.Equal(t, p.stride, maxStride, "stride")
	p.next(3, never)
	must.Equal(t, p.stride, restStride, "stride")
	p.next(4, 1)
	must.Equal(t, p.stride, 1, "stride")
}
