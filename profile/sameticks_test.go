package profile

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// timed is a profile of a file that says how long each sample lasted, in ticks of its own.
func timed(tick time.Duration, weights ...int32) *Profile {
	b := Builder{Meta: Meta{Interval: tick, Exact: true}}
	for i, weight := range weights {
		b.Sample(Sample{Time: int64(i), Stack: b.Pseudo(NoStack, NameProgram), Weight: weight})
	}
	return b.Profile()
}

// Profiles whose ticks are exact add up, whatever the ticks are.
func TestSameTicks(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		of      []*Profile
		tick    time.Duration
		weights []int32
	}{
		{[]*Profile{timed(10*ms, 1, 3), timed(10*ms, 2)}, 10 * ms, []int32{1, 3, 2}},
		{[]*Profile{timed(10*ms, 1, 3), timed(16*ms, 2)}, 2 * ms, []int32{5, 15, 16}},
		{[]*Profile{timed(us, 250), timed(125*us, 2)}, us, []int32{250, 250}},
		{[]*Profile{timed(us, 3), timed(16667, 1, 1, 1)}, us, []int32{3, 17, 16, 17}}, // 50,001 ns
		{[]*Profile{timed(7, 4), timed(11, 7, 7)}, 7, []int32{4, 11, 11}},
		{[]*Profile{timed(us, 1, 1), timed(time.Second, 1<<30)}, time.Second / (1 << 10), nil}, // a hostile one
	} {
		p := must.Get(Merge(c.of...))(t)
		must.Do(t, p.CheckValid())
		must.Equal(t, p.Meta.Interval, c.tick)
		must.Equal(t, p.TickTime(), TickTime(c.tick))
		if c.weights != nil {
			must.Equal(t, slices.Concat(SameTicks(c.of...)[0].Samples.Weight, SameTicks(c.of...)[1].Samples.Weight), c.weights)
		}
		if p.Len() > 2000 {
			t.Errorf("%d samples", p.Len())
		}
		want := 0.0
		for _, part := range c.of {
			want += part.exactTime()
		}
		if off := math.Abs(p.exactTime() - want); off > float64(c.tick)*float64(len(c.of))/2 {
			t.Errorf("%v: off by %v", c.tick, off)
		}
	}
}

// Counted ticks are not durations: the time that each represents is known only on average.
func TestTicksThatAreNotTimes(t *testing.T) {
	counted := timed(10*ms, 1)
	counted.Meta.Exact = false
	must.Refuse(Merge(timed(16*ms, 1), counted))(t, "record them with one interval")
	counted.Meta.Interval = 16500 * time.Microsecond // nearly the interval of one, but not what both have in common
	must.Refuse(Merge(timed(16*ms, 1), counted, timed(10*ms, 1)))(t, "their ticks do not add up")
	counted.Meta.Interval = 10100 * time.Microsecond
	mean := must.Get(Merge(timed(10*ms, 1), counted, timed(10300*time.Microsecond, 1)))(t)
	must.Equal(t, mean.Meta.Interval, 10133333*time.Nanosecond)
}
