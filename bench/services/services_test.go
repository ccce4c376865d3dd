package services

import (
	"math"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Windows are compared with those of the same block, so a machine that becomes slower changes nothing.
func TestCompared(t *testing.T) {
	s := Service{}
	for _, slow := range []float64{1, 2, 4, 8} {
		s.Blocks = append(s.Blocks, Block{
			clean: {CPU: slow, P50: slow, P99: slow}, again: {CPU: 1.21 * slow, P50: slow, P99: slow}, continuous: {CPU: 1.32 * slow, P50: slow, P99: 2 * slow},
		})
	}
	s.sumUp()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	near("clean", s.CPU.Clean, 3)
	near("floor", s.CPU.Floor.Value, 21)
	near("change", s.CPU.Change.Value, 20) // from the mean of both clean ones
	near("change, highest", s.CPU.Change.High, 20)
	near("p99", s.P99.Change.Value, 100)
	near("p50", s.P50.Change.Value, 0)
}

// Functions of Node's profile are found by name, file and line; idle time is of no share.
func TestProfiles(t *testing.T) {
	make := func(ticks map[string]int32) *profile.Profile {
		var b profile.Builder
		b.Meta.Interval = time.Millisecond
		for name, weight := range ticks {
			stack := profile.NoStack
			if name[0] == '(' {
				stack = b.Pseudo(stack, name)
			} else {
				stack = b.Stack(stack, b.Frame(b.Function(profile.Function{Name: name, File: "src/" + name + ".js", Line: 7, Column: 1}), 8, 1))
			}
			b.Sample(profile.Sample{Stack: stack, Weight: weight})
		}
		return b.Profile()
	}
	p := compare(
		make(map[string]int32{"a": 30, "b": 20, "other": 40, profile.NameProgram: 10, profile.NameIdle: 900}),
		make(map[string]int32{"a": 40, "b": 25, "c": 15, profile.NameProgram: 20, profile.NameIdle: 500}),
	)
	must.Equal(t, p.Program, Share{Ours: 10, Node: 20})
	must.Equal(t, p.Ticks, 100)
	must.Equal(t, p.Hottest, []Hot{
		{"a", "a.js", 7, Share{30, 40}, 2}, {"b", "b.js", 7, Share{20, 25}, 3}, {"c", "c.js", 7, Share{0, 15}, 0},
	})
	must.Equal(t, [2]int{p.Shown, p.Among}, [2]int{2, 2})
}

// A service is built, put under load and compared, in windows that are too short to say anything.
func TestMeasure(t *testing.T) {
	must.Have(t, "node", "npm")
	r := must.Get(Measure(t.Context(), Options{Only: "fastify", Window: 300 * time.Millisecond}, figures.Progress{}))(t)
	must.Equal(t, len(r.Services), 1)
	s := r.Services[0]
	must.Equal(t, len(s.Blocks), 2)
	for _, b := range s.Blocks {
		for _, way := range []string{clean, again, continuous} {
			if w := b[way]; w.Requests == 0 || w.P99 < w.P50 || w.P50 <= 0 {
				t.Errorf("%s: %+v", way, w)
			}
		}
	}
	if p := s.Profiles; p.Ticks == 0 || p.Files != 1 || len(p.Hottest) == 0 {
		t.Errorf("%+v", p)
	}
	must.Equal(t, len(r.CSV()), 13)
}
