package profile

import (
	"math"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestTickTime(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		name               string
		interval, duration time.Duration
		ticks              Ticks
		of                 int64
		want               time.Duration
	}{
		{"more ticks than the duration holds, by chance", 10 * ms, 1860 * ms, Ticks{Raised: 212}, 212, 1860 * ms},
		{"fewer, by chance", 10 * ms, second, Ticks{Raised: 80}, 40, 500 * ms},
		{"one", 10 * ms, 35 * ms, Ticks{Raised: 1}, 1, 35 * ms},
		{"a clock that is late", ms, 100 * second, Ticks{Raised: 80_000}, 80_000, 100 * second},
		{"missed deadlines", ms, second, Ticks{Raised: 600, Missed: 400}, 600, second},
		{"a machine that slept", ms, second, Ticks{Raised: 100, Missed: 900}, 100, 100 * ms},
		{"two threads, merged", ms, 10 * second, Ticks{Raised: 20_000}, 20_000, 20 * second},
		{"a page that was hidden", 10 * ms, 100 * second, Ticks{Raised: 4_000}, 4_000, 40 * second},
		{"no account", 10 * ms, second, Ticks{}, 30, 300 * ms},
		{"no duration", 10 * ms, 0, Ticks{Raised: 30}, 30, 300 * ms},
		{"no clock", 0, second, Ticks{Raised: 30}, 30, 0},
		{"too long to say", math.MaxInt64, math.MaxInt64, Ticks{}, 3, math.MaxInt64},
		{"a hostile account", ms, 1, Ticks{Raised: math.MaxInt64, Missed: math.MaxInt64}, 1, ms},
	} {
		p := &Profile{Meta: Meta{Interval: c.interval, Duration: c.duration, Ticks: c.ticks}}
		if got := p.TickTime().Of(c.of); got != c.want {
			t.Errorf("%s: %d ticks are %v, want %v", c.name, c.of, got, c.want)
		}
	}
}

// Without an account the ticks of the samples count, unless they are few.
func TestTickTimeWithoutAccount(t *testing.T) {
	for ticks, want := range map[int64]time.Duration{10: 10 * ms, 1000: 9 * ms} {
		var b Builder
		b.Meta = Meta{Interval: 10 * ms, Duration: time.Duration(ticks) * 9 * ms}
		b.Add(Sample{Stack: b.Pseudo(NoStack, NameProgram)}, ticks)
		if got := b.Profile().TickTime().Of(1); got != want {
			t.Errorf("one of %d ticks is %v, want %v", ticks, got, want)
		}
	}
}

// Exact ticks are as long as the file says, also among others when they are merged.
func TestExactTicks(t *testing.T) {
	made := func(exact bool) *Profile {
		var b Builder
		b.Meta = Meta{Interval: 10 * ms, Duration: 9 * time.Second, Exact: exact}
		b.Add(Sample{Stack: b.Pseudo(NoStack, NameProgram)}, 1000)
		return b.Profile()
	}
	exact, counted := made(true), made(false)
	must.Equal(t, exact.TickTime(), TickTime(10*ms))
	must.Equal(t, counted.TickTime(), TickTime(9*ms))
	for _, c := range []struct {
		parts []*Profile
		want  time.Duration
	}{{[]*Profile{exact, exact}, 20 * time.Second}, {[]*Profile{exact, counted}, 19 * time.Second}} {
		p := must.Get(Merge(c.parts...))(t)
		must.Equal(t, p.TickTime().Of(p.Samples.Ticks()), c.want)
	}
}

// Between and Focus leave each tick the time that it has in the whole, and so does all that is
// done to a part.
func TestPartsKeepTheTickTime(t *testing.T) {
	var b Builder
	b.Meta = Meta{Interval: 10 * ms, Duration: 90 * ms, Ticks: Ticks{Raised: 10}}
	f := b.Stack(NoStack, b.Frame(b.Function(Function{Name: "f"}), 0, 0))
	for i := range 10 {
		b.Sample(Sample{Time: int64(time.Duration(9*i) * ms), Stack: f, Weight: 1})
	}
	p := b.Profile()
	all := func(Function) bool { return true }
	first, second := Between(p, 0, 45*ms), Between(p, 45*ms, 90*ms)
	none := func(Function) bool { return false }
	for _, part := range []*Profile{
		p, first, Focus(p, all), Focus(second, all),
		Attribute(first, BySite), Fold(first, none), Symbolize(first, nil), must.Get(Merge(first, second))(t), must.Get(Merge(first))(t),
	} {
		if got := part.TickTime().Of(part.Samples.Ticks()); got != time.Duration(9*part.Len())*ms {
			t.Errorf("%d ticks are %v", part.Len(), got)
		}
	}
}
