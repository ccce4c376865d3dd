package answer

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// hourly is a store that has sums of hours only, as stores have of older time: the chunks of a test are at
// the start of an hour, and a question about a part of an hour is answered with all of it.
type hourly struct{ *memory.Store }

func wholeHours(s store.Selection) store.Selection {
	s.From, s.To = s.From.Truncate(time.Hour), s.To.Add(time.Hour-1).Truncate(time.Hour)
	return s
}

func (h hourly) Totals(ctx context.Context, s store.Selection, by store.Grouping) ([]store.Total, error) {
	return h.Store.Totals(ctx, wholeHours(s), by)
}

func (h hourly) Ticks(ctx context.Context, s store.Selection, by store.Grouping, limit int) (*store.Ticks, error) {
	return h.Store.Ticks(ctx, wholeHours(s), by, limit)
}

func newHourly(t testing.TB) *world {
	w := newWorld(t)
	w.Service = New(hourly{w.store}, Options{})
	return w
}

// An hour of which only the sum is kept is in one step, and the others of the hour are unknown.
func TestCourseHasAnHourOnce(t *testing.T) {
	w, ctx := newHourly(t), context.Background()
	for range 600 {
		w.chunk(nil, noon, ticks(script, "a", 30, profile.NameIdle, 5970))
	}
	of := day("shop")
	of.From, of.To = noon.Add(-time.Hour+2*time.Minute), noon.Add(3*time.Hour)
	points := must.Get(w.Course(ctx, of, 5*time.Minute))(t)
	must.Equal(t, len(points), 48)
	must.Equal(t, points[0].At, noon.Add(-time.Hour))
	for i, p := range points {
		if p.At.Equal(noon) {
			must.Equal(t, []any{p.Row.Views, p.Row.CPU.Value}, []any{int64(600), 300.})
		} else if p.Row != nil {
			t.Errorf("point %d at %v has %+v", i, p.At, *p.Row)
		}
	}
}

// Where minutes are kept, a point is the overview of its step, intervals included.
func TestCourseIsTheOverviewOfEachStep(t *testing.T) {
	w, ctx := newWorld(t), context.Background()
	for minute := range 180 {
		w.chunk(nil, noon.Add(time.Duration(minute)*time.Minute), ticks(script, "a", 10+minute%7, profile.NameIdle, 5000), rated(0.5, 10*time.Millisecond))
	}
	of := day("shop")
	of.From, of.To = noon, noon.Add(3*time.Hour)
	for i, p := range must.Get(w.Course(ctx, of, time.Hour))(t) {
		one := of
		one.From, one.To = noon.Add(time.Duration(i)*time.Hour), noon.Add(time.Duration(i+1)*time.Hour)
		want := must.Get(w.Overview(ctx, one, nil))(t).Rows[0]
		must.Equal(t, []any{p.Row.Views, p.Row.AllViews}, []any{want.Views, want.AllViews})
		if got, want := *p.Row.CPU, *want.CPU; math.Abs(got.Value-want.Value)+math.Abs(got.Low-want.Low)+math.Abs(got.High-want.High) > 1e-6 || got.Low == got.High {
			t.Errorf("hour %d: %+v, want %+v", i, got, want)
		}
	}
}

func TestBlocksFitTheirStep(t *testing.T) {
	for step, want := range map[time.Duration]time.Duration{
		time.Minute: time.Minute, 5 * time.Minute: time.Minute, 15 * time.Minute: 3 * time.Minute, 7 * time.Minute: time.Minute, time.Hour: 5 * time.Minute,
		6 * time.Hour: 30 * time.Minute, 24 * time.Hour: 2 * time.Hour, 7 * 24 * time.Hour: 24 * time.Hour, 90 * time.Second: 90 * time.Second, 13 * time.Minute: 13 * time.Minute,
	} {
		must.Equal(t, blockOf(step), want)
	}
}

// A trend asks for its steps in parts. An hour across the border of two of them counts once.
func TestTrendHasAnHourOnce(t *testing.T) {
	w, ctx := newHourly(t), context.Background()
	of := day("shop")
	of.From, of.To = noon.Add(20*time.Minute), noon.Add(7*24*time.Hour+20*time.Minute)
	for hour := range 7 * 24 {
		w.chunk(nil, noon.Add(time.Duration(hour+1)*time.Hour), ticks(script, "a", 40, "b", 60))
	}
	trend := must.Get(w.Trend(ctx, of, Function{"a", script, 1}, 15*time.Minute))(t)
	all := int64(0)
	for _, p := range trend.Points {
		if all += p.Ticks; p.Ticks != 0 && (p.Ticks != 100 || p.At.Minute() != 0) {
			t.Errorf("%v has %d ticks", p.At, p.Ticks)
		}
	}
	must.Equal(t, all, int64(7*24*100))
}
