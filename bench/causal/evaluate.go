package causal

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Evaluate computes what follows from the runs of a report.
func (r *Report) Evaluate() {
	for engine, e := range r.Engines {
		for program, t := range e.Programs {
			if err := t.evaluate(number(engine, program)); err != nil {
				r.Skipped = append(r.Skipped, Skip{engine, program, "doses", err.Error()})
				delete(e.Programs, program)
			}
		}
		for program, o := range e.Changes {
			if err := o.evaluate(number(engine, program)); err != nil {
				r.Skipped = append(r.Skipped, Skip{engine, program, "optimization", err.Error()})
				delete(e.Changes, program)
			}
		}
		e.sumUp(engine)
	}
}

// clock relates the doses of a program to the time that they took.
type clock struct {
	base      float64 // seconds without doses
	agreement float64
}

// dose is a function's dose in seconds by construction.
func (t *Trial) dose(r *Run, function int) float64 {
	f := &t.Functions[function]
	return float64(f.Calls) * float64(f.Step*multiple(r.Levels[function])) * t.Units[fmt.Sprint(r.Round)] / 1e9
}

func (t *Trial) doses(r *Run) float64 {
	sum := 0.0
	for f := range t.Functions {
		sum += t.dose(r, f)
	}
	return sum
}

func (r *Run) isBase() bool {
	return !slices.ContainsFunc(r.Levels, func(level int) bool { return level > 0 })
}

// arrangement identifies the runs that are compared: a round's condition.
func (r *Run) arrangement() string { return fmt.Sprint(r.Round, r.Levels) }

// evaluate computes what follows from a program's runs.
func (t *Trial) evaluate(seed uint64) error {
	fitted, drawn, err := t.clocks(seed)
	if err != nil {
		return err
	}
	t.Base = fitted.base
	agreements := make([]float64, len(drawn))
	for i := range drawn {
		agreements[i] = drawn[i].agreement
	}
	t.Agreement = estimate.Percentile(fitted.agreement, agreements)
	t.Ways = map[string]*Response{}
	for _, way := range t.wayNames() {
		if m := t.measure(way, fitted, drawn, seed); m != nil {
			t.Ways[way] = m
		}
	}
	if len(t.Ways) == 0 {
		return fmt.Errorf("no way has profiles with and without doses")
	}
	return nil
}

// wayNames are the ways with profiles.
func (t *Trial) wayNames() []string {
	var names []string
	for i := range t.Runs {
		if r := &t.Runs[i]; r.Way != clean && !slices.Contains(names, r.Way) {
			names = append(names, r.Way)
		}
	}
	return names
}

// fewestTimes are more than a line has parameters.
const fewestTimes = 3

// clocks fits the times of clean runs by a line: the time without doses, and the time of a dose.
// Of the runs of a condition in a round the shortest counts. Then it does so with
// residuals drawn again: wider ones, since a line through few times is near all of them, and
// since their scatter is known as badly as Student says.
func (t *Trial) clocks(seed uint64) (fitted clock, drawn []clock, err error) {
	shortest := map[string]*Run{}
	var order []string
	for i := range t.Runs {
		r := &t.Runs[i]
		if r.Way != clean || r.Seconds <= 0 {
			continue
		}
		key := r.arrangement()
		if shortest[key] == nil {
			order = append(order, key)
		}
		if shortest[key] == nil || r.Seconds < shortest[key].Seconds {
			shortest[key] = r
		}
	}
	var doses, seconds []float64
	for _, key := range order {
		doses, seconds = append(doses, t.doses(shortest[key])), append(seconds, shortest[key].Seconds)
	}
	fitted.base, fitted.agreement = estimate.Line(doses, seconds)
	if len(seconds) < fewestTimes {
		return fitted, nil, fmt.Errorf("the times of %d conditions do not say how far they scatter", len(seconds))
	}
	if math.IsNaN(fitted.agreement) || fitted.base <= 0 || fitted.agreement <= 0 {
		return fitted, nil, fmt.Errorf("the times of %d clean runs do not grow with the doses", len(seconds))
	}
	residuals := make([]float64, len(seconds))
	freedom := len(seconds) - 2
	wider := estimate.Wider(freedom) * math.Sqrt(float64(len(seconds))/float64(freedom))
	for i := range seconds {
		residuals[i] = wider * (seconds[i]/(fitted.base+fitted.agreement*doses[i]) - 1)
	}
	rng, again := rand.New(rand.NewPCG(seed, 1)), make([]float64, len(seconds))
	for range estimate.Resamples {
		for i := range again {
			again[i] = (fitted.base + fitted.agreement*doses[i]) * (1 + residuals[rng.IntN(len(residuals))])
		}
		var c clock
		if c.base, c.agreement = estimate.Line(doses, again); c.base <= 0 || c.agreement <= 0 {
			c = fitted
		}
		drawn = append(drawn, c)
	}
	return fitted, drawn, nil
}

// points are doses and responses of each function, in percent of the time without
// doses.
type points struct{ x, y [][]float64 }

// round is the base of a round in one way, with its conditions.
type round struct {
	base       *Run
	conditions []*Run
}

func (t *Trial) rounds(way string) []round {
	byNumber := map[int]*round{}
	for i := range t.Runs {
		r := &t.Runs[i]
		if r.Way != way || len(r.Shares) != len(t.Functions) || r.Samples <= 0 {
			continue
		}
		if byNumber[r.Round] == nil {
			byNumber[r.Round] = &round{}
		}
		if of := byNumber[r.Round]; r.isBase() {
			of.base = r
		} else {
			of.conditions = append(of.conditions, r)
		}
	}
	var list []round
	for _, n := range slices.Sorted(maps.Keys(byNumber)) {
		if of := byNumber[n]; of.base != nil && len(of.conditions) > 0 {
			list = append(list, *of)
		}
	}
	return list
}

// respond adds the responses of a round.
func (t *Trial) respond(to *points, of round, c clock, shares func(*Run) []float64) {
	before := shares(of.base)
	for _, r := range of.conditions {
		after, grown := shares(r), 1+c.agreement*t.doses(r)/c.base
		for f := range t.Functions {
			to.x[f] = append(to.x[f], 100*c.agreement*t.dose(r, f)/c.base)
			to.y[f] = append(to.y[f], 100*(after[f]*grown-before[f]))
		}
	}
}

func (t *Trial) noPoints() points {
	return points{make([][]float64, len(t.Functions)), make([][]float64, len(t.Functions))}
}

// slopes are the slopes of each function, and at the end the slope of all together.
func (p *points) slopes() []float64 {
	var list []float64
	for f := range p.x {
		list = append(list, estimate.ThroughOrigin(p.x[f], p.y[f]))
	}
	return append(list, estimate.ThroughOrigin(slices.Concat(p.x...), slices.Concat(p.y...)))
}

// measure evaluates a way, or returns nil if it has no profiles to compare.
func (t *Trial) measure(way string, fitted clock, drawn []clock, seed uint64) *Response {
	rounds := t.rounds(way)
	if len(rounds) == 0 {
		return nil
	}
	m, all := &Response{}, t.noPoints()
	runs := 0.0
	for _, of := range rounds {
		t.respond(&all, of, fitted, func(r *Run) []float64 { return r.Shares })
		for _, r := range append(of.conditions, of.base) {
			m.Samples, runs = m.Samples+r.Samples, runs+1
		}
	}
	m.Samples /= runs
	rng := rand.New(rand.NewPCG(seed, number(way)))
	values := all.slopes()
	replicates := make([][]float64, len(values))
	for _, c := range drawn {
		again := t.noPoints()
		for range rounds {
			t.respond(&again, rounds[rng.IntN(len(rounds))], c, func(r *Run) []float64 { return resampled(rng, r.Shares, r.Samples) })
		}
		for i, slope := range again.slopes() {
			replicates[i] = append(replicates[i], slope)
		}
	}
	for i := range t.Functions {
		m.Functions = append(m.Functions, estimate.Percentile(values[i], replicates[i]))
	}
	last := len(values) - 1
	m.Slope = estimate.Percentile(values[last], replicates[last])
	m.choices = choices{}
	k := 0 // as respond has added them
	for _, of := range rounds {
		for _, r := range of.conditions {
			m.choices[r.arrangement()] = pick(all.at(k))
			k++
		}
	}
	m.Choice = m.choices.sum()
	return m
}

// resampled are shares as other samples of the same execution would give them.
func resampled(rng *rand.Rand, of []float64, samples float64) []float64 {
	drawn, rest := make([]float64, len(of)), 1.0
	sum := 0.0
	for i, share := range of {
		rest -= share
		drawn[i] = estimate.Poisson(rng, share*samples)
		sum += drawn[i]
	}
	if sum += estimate.Poisson(rng, max(0, rest)*samples); sum > 0 {
		for i := range drawn {
			drawn[i] /= sum
		}
	}
	return drawn
}

// evaluate compares what profiles say of a change with what it gained.
func (o *Optimization) evaluate(seed uint64) error {
	var before, after []float64
	for _, r := range o.Runs {
		switch {
		case r.Way != clean || r.Seconds <= 0:
		case r.After:
			after = append(after, r.Seconds)
		default:
			before = append(before, r.Seconds)
		}
	}
	if len(before) == 0 || len(after) == 0 {
		return fmt.Errorf("there is no pair of clean runs")
	}
	ratio := slices.Min(after) / slices.Min(before)
	ratios := estimate.Bootstrap(estimate.Resamples, seed, func(rng *rand.Rand) float64 {
		return slices.Min(estimate.Draw(rng, after, nil)) / slices.Min(estimate.Draw(rng, before, nil))
	})
	gains := make([]float64, len(ratios))
	for i := range ratios {
		gains[i] = 100 * (1 - ratios[i])
	}
	o.Gain = estimate.Percentile(100*(1-ratio), gains)
	o.Ways = map[string]*Reported{}
	for _, r := range o.Runs {
		if r.Way == clean || o.Ways[r.Way] != nil {
			continue
		}
		if reported := o.reported(r.Way, ratio, ratios, seed); reported != nil {
			o.Ways[r.Way] = reported
		}
	}
	return nil
}

// total is the function's share in the profiles of a way, with all their samples.
func (o *Optimization) total(way string, after bool) (share, samples float64) {
	for _, r := range o.Runs {
		if r.Way == way && r.After == after {
			share, samples = share+r.Total*r.Samples, samples+r.Samples
		}
	}
	return share / samples, samples
}

func (o *Optimization) reported(way string, ratio float64, ratios []float64, seed uint64) *Reported {
	before, n := o.total(way, false)
	after, m := o.total(way, true)
	if !(n > 0 && m > 0) {
		return nil
	}
	gain := 100 * (before - after*ratio)
	rng := rand.New(rand.NewPCG(seed, number(way)))
	gains, misses := make([]float64, len(ratios)), make([]float64, len(ratios))
	for i := range ratios {
		b, a := resampled(rng, []float64{before}, n), resampled(rng, []float64{after}, m)
		gains[i] = 100 * (b[0] - a[0]*ratios[i])
		misses[i] = math.Abs(gains[i] - 100*(1-ratios[i]))
	}
	return &Reported{
		Before: 100 * before, Gain: estimate.Percentile(gain, gains),
		Miss: estimate.Centred(math.Abs(gain-o.Gain.Value), misses).Bounded(0, 100),
	}
}

// sumUp computes the verdicts on ways, over programs.
func (e *Result) sumUp(engine string) {
	e.Ways, e.Chance = map[string]*Verdict{}, Choice{}
	slopes, regrets, misses := map[string][]estimate.Estimate{}, map[string][]estimate.Estimate{}, map[string][]estimate.Estimate{}
	var chances []float64
	functions := map[string][]float64{}
	verdict := func(way string) *Verdict {
		if e.Ways[way] == nil {
			e.Ways[way] = &Verdict{}
		}
		return e.Ways[way]
	}
	for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
		t := e.Programs[program]
		chance := t.byChance().sum()
		e.Chance.add(chance)
		chances = append(chances, chance.Regret)
		for way, m := range t.Ways {
			v := verdict(way)
			v.Programs++
			v.add(m.Choice)
			slopes[way] = append(slopes[way], m.Slope)
			regrets[way] = append(regrets[way], estimate.Exactly(m.Choice.Regret))
			for _, f := range m.Functions {
				functions[way] = append(functions[way], f.Value)
			}
		}
	}
	for _, program := range slices.Sorted(maps.Keys(e.Changes)) {
		for way, r := range e.Changes[program].Ways {
			verdict(way).Changes++
			misses[way] = append(misses[way], r.Miss)
		}
	}
	for way, v := range e.Ways {
		v.Slope, v.Regrets, v.Miss = mean(slopes[way], math.Inf(-1), engine, way), mean(regrets[way], 0, engine, way), mean(misses[way], 0, engine, way)
		v.Middle = [2]float64{figures.Quantile(functions[way], 0.25), figures.Quantile(functions[way], 0.75)}
	}
	e.Chance.Regret = figures.Mean(chances)
	e.compare(engine)
}

// mean is the mean of figures of programs, which are never below the least; nil if there are too few. The
// texts of about seed its replicates.
func mean(programs []estimate.Estimate, least float64, about ...string) *estimate.Estimate {
	m, ok := estimate.Mean(programs, number(about...))
	if !ok {
		return nil
	}
	m = m.Bounded(least, math.Inf(1))
	return &m
}

// add adds up choices.
func (c *Choice) add(other Choice) {
	if of := float64(c.Of + other.Of); of > 0 {
		c.Regret = (c.Regret*float64(c.Of) + other.Regret*float64(other.Of)) / of
	}
	c.Right, c.Of = c.Right+other.Right, c.Of+other.Of
}
