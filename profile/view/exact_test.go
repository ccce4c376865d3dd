package view

import (
	"math"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Runs of the same times do not differ, whatever exact ticks their files count them in.
func TestRunsOfExactTicks(t *testing.T) {
	of := func(tick, unit time.Duration) *profile.Profile {
		b := profile.Builder{Meta: profile.Meta{Interval: tick, Exact: true}}
		for i := range 300 {
			f := b.Function(profile.Function{Name: []string{"a", "b"}[i%2]})
			b.Sample(profile.Sample{Time: int64(i), Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Weight: int32(time.Duration(2+2*(i%3)) * unit / tick)})
		}
		return b.Profile()
	}
	p, q := of(2*time.Millisecond, time.Millisecond), of(time.Millisecond, time.Millisecond)
	margins := func(before, after []*profile.Profile) (all []float64) {
		for _, f := range must.Get(DiffRuns(before, after, DiffOptions{SameWork: true}))(t).Functions {
			all = append(all, f.Self.SecondsBefore, f.Self.Margin)
		}
		return all
	}
	must.Equal(t, margins([]*profile.Profile{p, q}, []*profile.Profile{q, p}), margins([]*profile.Profile{q, q}, []*profile.Profile{q, q}))

	// Margins are of the number of samples, whatever the number of ticks in each.
	coarse, fine := of(time.Second, time.Second), of(time.Microsecond, time.Second)
	want := margins([]*profile.Profile{coarse}, []*profile.Profile{coarse})
	for i, got := range margins([]*profile.Profile{fine}, []*profile.Profile{fine}) {
		if math.Abs(got-want[i]) > 1e-9*want[i] {
			t.Errorf("%v with fine ticks, %v with coarse ones", got, want[i])
		}
	}
}
