package durations

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestTick(t *testing.T) {
	const ms, us = int64(time.Millisecond), int64(time.Microsecond)
	for _, c := range []struct {
		in   []int64
		want int64
	}{
		{nil, 0},
		{[]int64{0, -5}, 0},
		{[]int64{10 * ms, 10 * ms, 0, 30 * ms}, 10 * ms},
		{[]int64{1007 * us, 993 * us}, us},
		{[]int64{7, 11}, 1},
		{[]int64{ms + 1, ms}, us},
	} {
		must.Equal(t, Tick(len(c.in), func(i int) int64 { return c.in[i] }), c.want, c.in)
	}
}

func TestCountsAddUp(t *testing.T) {
	c := Counter{Tick: 1000}
	sum, all := int64(0), int64(0)
	for i := range int64(10_000) {
		d := (i*i + 7*i) % 2_500
		all += d
		ticks := c.Count(d)
		if ticks < 0 || ticks > 3 {
			t.Fatalf("%d ticks for %d", ticks, d)
		}
		sum += ticks
	}
	if off := all - sum*1000; off < -500 || off > 500 {
		t.Errorf("off by %d", off)
	}
	if (&Counter{}).Count(5) != 0 || c.Count(-5) != 0 {
		t.Error("ticks from nothing")
	}
}
