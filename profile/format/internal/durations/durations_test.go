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

// A gap that is much longer than most counts as one of them.
func TestGaps(t *testing.T) {
	const ms = int64(time.Millisecond)
	for _, c := range []struct {
		in   []int64
		want Gaps
	}{
		{nil, Gaps{}},
		{[]int64{10 * ms, 8 * ms, 900 * ms, 12 * ms}, Gaps{232500000, 1000 * ms}}, // a janky second is believed
		{[]int64{10 * ms, 8 * ms, 8 * 3600_000 * ms, 12 * ms}, Gaps{10 * ms, 1000 * ms}},
		{[]int64{300 * ms, 300 * ms, 2900 * ms, 3100 * ms, 300 * ms}, Gaps{950 * ms, 3000 * ms}},
		{[]int64{0, 0, 0, 2000 * ms}, Gaps{0, 1000 * ms}},
		{[]int64{8 * 3600_000 * ms}, Gaps{0, 10_000 * ms}}, // two samples do not tell
		{[]int64{1 << 62, 1 << 62}, Gaps{0, 10_000 * ms}},
	} {
		g := GapsOf(len(c.in), func(i int) int64 { return c.in[i] })
		must.Equal(t, g, c.want, c.in)
	}
	g := Gaps{Mean: 10, Longest: 100}
	must.Equal(t, []int64{g.Lasts(100), g.Lasts(101)}, []int64{100, 10})
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

func TestAreWhole(t *testing.T) {
	for _, c := range []struct {
		period, unit int64
		in           []int64
		want         bool
	}{
		{10, 1, nil, true}, {10, 1, []int64{0, 10, 30}, true}, {10, 1, []int64{10, 11}, false}, {10, 1, []int64{19}, false},
		{10, 3, []int64{12, 18, 20}, true}, {10, 3, []int64{13}, false}, {10, 20, []int64{15}, true},
	} {
		must.Equal(t, AreWhole(len(c.in), func(i int) int64 { return c.in[i] }, c.period, c.unit), c.want, c)
	}
}
