package services

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Windows are compared with windows of the same block, so a machine that becomes slower changes nothing.
func TestCompared(t *testing.T) {
	s := Service{}
	for _, slow := range []float64{1, 4} {
		block := func(slow float64) Block {
			return Block{
				clean: {CPU: slow, P50: slow, P99: slow}, again: {CPU: 1.21 * slow, P50: slow, P99: slow}, continuous: {CPU: 1.32 * slow, P50: slow, P99: 2 * slow},
			}
		}
		s.Sets = append(s.Sets, []Block{block(slow), block(2 * slow)})
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

// Windows of a process are alike, and processes are not: an interval from few processes holds
// the truth although each had many windows.
func TestIntervalsAreAboutProcesses(t *testing.T) {
	const rounds, truth = 400, 0.
	random := rand.New(rand.NewPCG(3, 4))
	held := 0
	for range rounds {
		s := Service{}
		for range usualSets {
			own := [3]float64{random.NormFloat64() * 0.03, random.NormFloat64() * 0.03, random.NormFloat64() * 0.03}
			var set []Block
			for range 20 {
				b := Block{}
				for i, way := range byTurns {
					v := math.Exp(own[i] + random.NormFloat64()*0.01)
					b[way] = Window{CPU: v, P50: v, P99: v}
				}
				set = append(set, b)
			}
			s.Sets = append(s.Sets, set)
		}
		if e := s.compared(func(w Window) float64 { return w.CPU }).Change; e.Low <= truth && truth <= e.High {
			held++
		}
	}
	if part := float64(held) / rounds; part < 0.92 {
		t.Errorf("%.1f %% of the intervals hold what is so, want 95", 100*part)
	}
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
	r := must.Get(Measure(t.Context(), Options{Only: "fastify", Window: 300 * time.Millisecond, Sets: 2}, figures.Progress{}))(t)
	must.Equal(t, len(r.Services), 1)
	s := r.Services[0]
	must.Equal(t, len(s.Sets), 2)
	for _, set := range s.Sets {
		must.Equal(t, len(set), 1)
		for _, way := range byTurns {
			if w := set[0][way]; w.Requests == 0 || w.P99 < w.P50 || w.P50 <= 0 {
				t.Errorf("%s: %+v", way, w)
			}
		}
	}
	if p := s.Profiles; p.Ticks == 0 || p.Files != 2 || len(p.Hottest) == 0 {
		t.Errorf("%+v", p)
	}
	must.Equal(t, len(r.CSV()), 13)
}
