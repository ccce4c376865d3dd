package causal

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/internal/must"
)

// model makes up the runs of a program whose functions have known shares. A way is a
// matrix: the part of the time of function f that it shows under function g.
type model struct {
	share     []float64
	agreement float64 // of the clock with the doses
	noise     float64 // of times
	samples   float64 // 0: shares without chance
	rounds    int
}

type way func(f, g int) float64

func honest(f, g int) float64 {
	if f == g {
		return 1
	}
	return 0
}

// blind shows the time of function 0 under function 1.
func blind(f, g int) float64 {
	if f == 0 {
		f = 1
	}
	return honest(f, g)
}

// blank shows nothing.
func blank(f, g int) float64 { return 0 }

// dull shows 60 % of each function's time, the rest nowhere.
func dull(f, g int) float64 { return 0.6 * honest(f, g) }

func (m model) trial(rng *rand.Rand, ways map[string]way) *Trial {
	t := &Trial{Units: map[string]float64{}}
	for i := range m.share { // the lowest dose is 5 % of one second
		t.Functions = append(t.Functions, Function{Name: fmt.Sprint("f", i), Calls: 1000, Step: 50})
	}
	for n := range m.rounds {
		t.Units[fmt.Sprint(n+1)] = 1000
		for _, levels := range conditions(len(m.share), rng) {
			r := Run{Round: n + 1, Levels: levels}
			times, total := make([]float64, len(m.share)), 1.0
			for f := range times {
				added := m.agreement * t.dose(&r, f)
				times[f], total = m.share[f]+added, total+added
			}
			for range cleanRuns {
				c := r
				c.Way, c.Seconds = clean, total*(1+m.noise*rng.NormFloat64())
				t.Runs = append(t.Runs, c)
			}
			for _, name := range slices.Sorted(maps.Keys(ways)) { // chance in one order
				w, shows := r, ways[name]
				w.Way, w.Samples, w.Shares = name, max(m.samples, 1e9), make([]float64, len(times))
				for f := range times {
					for g := range times {
						w.Shares[g] += times[f] / total * shows(f, g)
					}
				}
				if m.samples > 0 {
					w.Shares, w.Samples = resampled(rng, w.Shares, m.samples), m.samples
				}
				t.Runs = append(t.Runs, w)
			}
		}
	}
	return t
}

var fiveShares = []float64{0.3, 0.2, 0.1, 0.05, 0.02}

// Without noise, slopes are what the ways show, also where the clock and the doses do not
// agree.
func TestSlopesAreTheTrueOnes(t *testing.T) {
	m := model{share: fiveShares, agreement: 1.4, rounds: 2}
	trial := m.trial(generator(1), map[string]way{"honest": honest, "blind": blind, "dull": dull})
	must.Do(t, trial.evaluate(1))
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) < 1e-3) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("agreement", trial.Agreement.Value, 1.4)
	near("base", trial.Base, 1)
	near("honest", trial.Ways["honest"].Slope.Value, 1)
	near("dull", trial.Ways["dull"].Slope.Value, 0.6)
	near("the function that a way is blind to", trial.Ways["blind"].Functions[0].Value, 0)
	near("another one", trial.Ways["blind"].Functions[2].Value, 1)
	for _, name := range []string{"honest", "dull"} {
		if c := trial.Ways[name].Choice; c.Right != 6 || c.Of != 6 || c.Regret > 1e-6 {
			t.Errorf("%s chooses %+v", name, c)
		}
	}
	if c := trial.Ways["blind"].Choice; c.Right == 6 || c.Regret <= 0 {
		t.Errorf("the blind way chooses %+v", c)
	}
}

// With noise in times and samples, the interval of the slope holds 1: also where a program ran in a
// single round, and its times are few.
func TestSlopeCovers(t *testing.T) {
	for _, m := range []model{
		{share: fiveShares, agreement: 1, noise: 0.01, samples: 800, rounds: 2},
		{share: fiveShares, agreement: 1, noise: 0.01, samples: 800, rounds: 1},
		{share: fiveShares, agreement: 1, noise: 0.04, samples: 1e5, rounds: 1},
	} {
		held, agreed, experiments := 0, 0, 60
		for i := range experiments {
			trial := m.trial(generator(uint64(i)), map[string]way{"honest": honest})
			must.Do(t, trial.evaluate(uint64(i)))
			if s := trial.Ways["honest"].Slope; s.Low <= 1 && 1 <= s.High {
				held++
			}
			if a := trial.Agreement; a.Low <= 1 && 1 <= a.High {
				agreed++
			}
		}
		if held < 53 || agreed < 53 {
			t.Errorf("%+v: %d of %d intervals hold the slope, %d the agreement", m, held, experiments, agreed)
		}
	}
}

func TestRandomChoice(t *testing.T) {
	trial := model{share: []float64{0.2, 0.1}, agreement: 1, rounds: 40}.trial(generator(5), nil)
	c := trial.byChance().sum()
	// Of two functions with different doses one is right; with the same dose, both are.
	if c.Of != 120 || c.Right < 0.55*120 || c.Right > 0.8*120 || c.Regret < 15 || c.Regret > 30 {
		t.Errorf("%+v", c)
	}
}

// A profile that shows nothing names no function: it is right as often as a random choice, whatever the order of
// functions.
func TestTiesAreLeftToChance(t *testing.T) {
	for _, doses := range [][]float64{{20, 10, 5}, {5, 10, 20}} {
		if c := pick(doses, []float64{0, 0, 0}); math.Abs(c.Right-1./3) > 1e-9 || math.Abs(c.Regret-125./3) > 1e-9 || c.Of != 1 {
			t.Errorf("%v: %+v", doses, c)
		}
	}
	if c := pick([]float64{10, 20, 20}, []float64{1, 3, 3}); c.Right != 1 || c.Regret != 0 {
		t.Errorf("two functions that grew alike: %+v", c)
	}
	trial := model{share: fiveShares, agreement: 1, rounds: 2}.trial(generator(1), map[string]way{"blank": blank})
	must.Do(t, trial.evaluate(1))
	if c, chance := trial.Ways["blank"].Choice, trial.byChance().sum(); math.Abs(c.Right-chance.Right) > 1e-9 || math.Abs(c.Regret-chance.Regret) > 1e-9 {
		t.Errorf("%+v, a random choice %+v", c, chance)
	}
}

// Ways are compared program by program: what all ways have in common in a program falls out.
func TestAgainst(t *testing.T) {
	e := &Result{Programs: map[string]*Trial{}, Changes: map[string]*Optimization{}}
	for i := range 6 {
		m := model{share: fiveShares, agreement: 1, samples: 50 * float64(1+i*i), rounds: 3} // from hard to easy
		trial := m.trial(generator(uint64(i)), map[string]way{"balanced": honest, "precise": honest, "classic": blank, "v8": honest})
		must.Do(t, trial.evaluate(uint64(i)))
		e.Programs[fmt.Sprint("p", i)] = trial
	}
	e.sumUp("node")
	if got := e.rivals(); len(got) != 2 || got[0] != random || got[1] != "v8" {
		t.Errorf("rivals %q", got)
	}
	alike, worse := e.Ways["balanced"].Against["v8"], e.Ways["classic"].Against["v8"]
	if alike.Programs != 6 || alike.Right.Low > 0 || alike.Right.High < 0 || alike.Regret.Low > 0 || alike.Regret.High < 0 {
		t.Errorf("two ways that are alike: %s, %s", points0(*alike.Right), points0(*alike.Regret))
	}
	if worse.Regret.High >= 0 || worse.Right.Value >= 0 || e.Ways["precise"].Against[random].Right.Low <= 0 {
		t.Errorf("a way that shows nothing: %s, %s", points0(*worse.Right), points0(*worse.Regret))
	}
	if e.Ways["v8"].Against["v8"] != nil {
		t.Error("a way is compared with itself")
	}
	if rights := e.Ways["balanced"].Rights; rights.Low < 0 || rights.High > 100 || rights.Value < 50 {
		t.Errorf("%+v", rights)
	}
	// Conditions that only one of them has say nothing.
	a, b := choices{"1": {1, 1, 0}, "2": {0, 1, 50}}, choices{"1": {0, 1, 10}, "3": {1, 1, 0}}
	if right, regret, some := a.over(b); right != 100 || regret != 10 || !some {
		t.Errorf("%v, %v", right, regret)
	}
	if _, _, some := a.over(nil); some {
		t.Error("there is a comparison with nothing")
	}
}

// An optimization that halves a function with 40 % of the time gains 20 %.
func TestReportedGain(t *testing.T) {
	o := &Optimization{Runs: []ChangeRun{
		{Way: clean, Seconds: 1}, {Way: clean, Seconds: 1}, {Way: clean, After: true, Seconds: 0.8}, {Way: clean, After: true, Seconds: 0.8},
		{Way: "honest", Total: 0.4, Samples: 1e6}, {Way: "honest", After: true, Total: 0.25, Samples: 1e6},
		{Way: "blind", Total: 0.1, Samples: 1e6}, {Way: "blind", After: true, Total: 0.125, Samples: 1e6},
		{Way: "lost", Total: 0.1, Samples: 1e6},
	}}
	must.Do(t, o.evaluate(1))
	want := func(what string, got estimate.Estimate, value float64) {
		if math.Abs(got.Value-value) > 1e-9 || got.Low > value+0.2 || got.High < value-0.2 {
			t.Errorf("%s: %+v, want %v", what, got, value)
		}
	}
	want("measured", o.Gain, 20)
	want("honest", o.Ways["honest"].Gain, 20)
	want("honest misses by", o.Ways["honest"].Miss, 0)
	want("blind", o.Ways["blind"].Gain, 0)
	want("blind misses by", o.Ways["blind"].Miss, 20)
	if o.Ways["lost"] != nil {
		t.Error("a way without a profile after the change has a gain")
	}
}

// The report lists runs that it cannot evaluate, and no mean contains them.
func TestUnevaluable(t *testing.T) {
	good := model{share: fiveShares, agreement: 1, rounds: 1}.trial(generator(1), map[string]way{"balanced": honest})
	short := model{share: fiveShares, agreement: 0, rounds: 1}.trial(generator(2), map[string]way{"balanced": honest})
	r := &Report{Engines: map[string]*Result{"goja": {
		Programs: map[string]*Trial{"good": good, "short": short, "empty": {}},
		Changes:  map[string]*Optimization{"none": {}},
	}}}
	r.Evaluate()
	if e := r.Engines["goja"]; len(e.Programs) != 1 || len(e.Changes) != 0 || len(r.Skipped) != 3 || e.Ways["balanced"].Programs != 1 {
		t.Errorf("%+v, skipped %+v", e, r.Skipped)
	}
	if r.Engines["goja"].Ways["balanced"].Slope != nil {
		t.Error("one program has a mean")
	}
}
