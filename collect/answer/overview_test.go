package answer

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// counts makes a chunk one of a session that sends what was slow: it has counts and no profile.
func counts(rate float64, interactions, slow int64, inp time.Duration) func(*record.Chunk) {
	return func(c *record.Chunk) {
		c.Rate, c.Interval, c.Observed = rate, 0, 0
		c.Counts = &record.Counts{Interactions: interactions, Slow: map[profile.What]int64{profile.Interaction: slow}, LongTasks: 2 * slow, INP: inp}
	}
}

func rated(rate float64, interval time.Duration) func(*record.Chunk) {
	return func(c *record.Chunk) { c.Rate, c.Interval = rate, interval }
}

func TestOverviewCountsWhoWasNotProfiled(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	cart, home := record.Labels{"route": "/cart", "release": "1"}, record.Labels{"route": "/", "release": "1"}
	for hour := range 12 {
		at := noon.Add(time.Duration(2*hour-12) * time.Hour)
		w.chunk(cart, at, ticks(script, "a", 30, profile.NameIdle, 5970), rated(0.1, 10*time.Millisecond))
		w.chunk(home, at, ticks(script, "a", 30, profile.NameIdle, 2970), rated(0.5, 20*time.Millisecond))
		for range 5 { // the same page views, sampled twice
			w.chunk(cart, at, nil, counts(0.5, 10, 1, 240*time.Millisecond))
		}
	}
	o := must.Get(w.Overview(ctx, day("shop"), []string{"route", "release"}))(t)
	must.Equal(t, len(o.Rows), 2)
	first, second := o.Rows[0], o.Rows[1]
	must.Equal(t, first.Labels, map[string]string{"route": "/cart", "release": "1"})
	must.Equal(t, []any{first.Chunks, first.Views, first.AllViews, first.INPViews}, []any{int64(72), int64(72), 120., int64(60)})
	must.Equal(t, *first.CPU, Estimate{300, 300, 300}) // all blocks are alike
	must.Equal(t, math.Round(1e6*first.BusyShare.Value), math.Round(1e6*300/60000))
	must.Equal(t, *first.SlowShare, Estimate{0.1, 0.1, 0.1})
	must.Equal(t, *first.LongTasks, 2.)
	if math.Abs(first.INP.Value-240) > 0.025*240 || first.INP.Low > first.INP.Value || first.INP.High < first.INP.Value {
		t.Error(first.INP)
	}
	must.Equal(t, second.Labels["route"], "/")
	must.Equal(t, []any{second.AllViews, second.CPU.Value, second.INP, second.SlowShare, second.LongTasks},
		[]any{24., 600., (*Estimate)(nil), (*Estimate)(nil), (*float64)(nil)})

	sum := must.Get(w.Overview(ctx, day("shop"), nil))(t)
	must.Equal(t, len(sum.Rows), 1)
	must.Equal(t, sum.Rows[0].CPU.Value, (120.*300+24*600)/144)
	empty := must.Get(w.Overview(ctx, day("nobody"), nil))(t)
	must.Equal(t, []any{len(empty.Rows), empty.Rows[0].Views, empty.Rows[0].CPU}, []any{1, int64(0), (*Estimate)(nil)})
	must.Equal(t, len(must.Get(w.Overview(ctx, day("nobody"), []string{"route"}))(t).Rows), 0)
}

// Ticks of different rates and intervals add up by the time that they represent.
func TestRatesAndIntervalsAddUp(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	w.chunk(nil, noon, ticks(script, "a", 500), rated(0.5, 10*time.Millisecond))       // 10 s
	w.chunk(nil, noon, ticks(script, "b", 500), rated(0.01, 20*time.Millisecond))      // 1000 s
	w.chunk(nil, noon, ticks(script, "c", 500), rated(0.1, 10*time.Millisecond))       // 50 s
	w.chunk(nil, noon, ticks(script, "forged", 1), rated(1e-300, 10*time.Millisecond)) // counts 1000 times the median: 100 s
	f := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, f.Ticks, 1501)
	got := map[string]float64{}
	for _, row := range f.Functions {
		got[row.Name] = row.SelfMs
	}
	r := must.Get(w.Profile(ctx, day("shop"), ProfileOptions{}))(t)
	tick := r.Scale * float64(r.Profile.Meta.Interval) / 1e6 // by which rounding may be wrong
	for name, want := range map[string]float64{"a": 10e3, "b": 1000e3, "c": 50e3, "forged": 100e3} {
		if math.Abs(got[name]-want) > tick || tick > 20 {
			t.Errorf("%s has %v ms, want %v to within %v", name, got[name], want, tick)
		}
	}
	must.Equal(t, r.Profile.Meta.Summed, true)
	must.Do(t, r.Profile.CheckValid())
}

// A forged rate is bounded by the rates of the other chunks, also if it comes with more ticks than all of them.
func TestForgedRateWithManyTicks(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	for range 20 {
		w.chunk(nil, noon, ticks(script, "a", 100), rated(0.1, 10*time.Millisecond))
	}
	w.chunk(nil, noon, ticks(script, "forged", 360_000), rated(1e-6, 10*time.Millisecond))
	f := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, f.Functions[0].Name, "forged")
	if got, want := f.Functions[0].SelfMs, 360_000.*10*10*mostWeight; math.Abs(got-want) > want/1000 {
		t.Errorf("it has %v ms, want %v", got, want)
	}
	if !slices.ContainsFunc(f.Notes, func(note string) bool { return strings.Contains(note, "claim a sample rate") }) {
		t.Errorf("%q", f.Notes)
	}
}

func TestValuesAreInOrder(t *testing.T) {
	w := newWorld(t)
	w.chunk(record.Labels{"x-plan": "free", "route": "/", "release": "1"}, noon, nil)
	w.chunk(record.Labels{"x-plan": "pro", "route": "/cart", "release": "1"}, noon, nil)
	w.chunk(record.Labels{"route": "/cart", "release": "1"}, noon, nil)
	v := must.Get(w.Values(context.Background(), day("shop")))(t)
	must.Equal(t, v.Labels, []LabelValues{
		{"release", []LabelValue{{"1", 3}}},
		{"route", []LabelValue{{"/cart", 2}, {"/", 1}}},
		{"x-plan", []LabelValue{{"free", 1}, {"pro", 1}}},
	})
}

func TestTrendShowsTheReleaseThatChangedAFunction(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	for hour := range 24 {
		release, part := "1", 20
		if hour >= 12 {
			release, part = "2", 50
		}
		if hour != 5 { // an hour without sessions
			w.chunk(record.Labels{"release": release}, noon.Add(time.Duration(hour-12)*time.Hour), ticks(script, "a", part, "b", 100-part, profile.NameIdle, 500))
		}
	}
	for _, release := range []string{"1", "2"} {
		w.upload(release, "app.js.map", store.FileMap, mapTo("parse", "src/app.ts"))
	}
	// The map has one name for what is at one place: here it names both functions.
	trend := must.Get(w.Trend(ctx, day("shop"), Function{"parse", "src/app.ts", 99}, time.Hour))(t)
	must.Equal(t, len(trend.Points), 24)
	must.Equal(t, trend.Points[5].Self == nil && trend.Points[5].Ticks == 0, true)
	must.Equal(t, trend.Points[6].Self.Value, 1.)
	must.Equal(t, trend.Releases, []TrendSwitch{{"1", noon.Add(-12 * time.Hour)}, {"2", noon}})

	w = newWorld(t)
	for hour := range 24 {
		part := 20
		if hour >= 12 {
			part = 50
		}
		w.chunk(nil, noon.Add(time.Duration(hour-12)*time.Hour), ticks(script, "a", part, "b", 100-part, profile.NameIdle, 500))
	}
	trend = must.Get(w.Trend(ctx, day("shop"), Function{"a", script, 1}, time.Hour))(t)
	for hour, p := range trend.Points {
		want := 0.2
		if hour >= 12 {
			want = 0.5
		}
		must.Equal(t, []any{p.Self.Value, p.Total.Value, p.Ticks}, []any{want, want, int64(100)})
		if p.Self.High-p.Self.Low > 0.25 { // the change is not taken for noise
			t.Errorf("hour %d: %+v", hour, *p.Self)
		}
	}
	// The store is asked for many steps in several parts.
	trend = must.Get(w.Trend(ctx, day("shop"), Function{"a", script, 1}, time.Second))(t)
	all := int64(0)
	for _, p := range trend.Points {
		all += p.Ticks
	}
	must.Equal(t, []any{len(trend.Points), trend.StepSec, all}, []any{720, int64(120), int64(2400)})
}
