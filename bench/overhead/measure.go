package overhead

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/engine/browser"
)

// Measure runs a plan, and as much more as the budget allows.
func Measure(ctx context.Context, o Options, progress figures.Progress) (*Report, error) {
	if o.Replay != "" {
		return replayed(o)
	}
	plan := NewPlan(o)
	if len(plan.Steps) == 0 {
		return nil, fmt.Errorf("no program of this plan has %q in engine/name, in the engines asked for (fixtures/README.md lists them; goja, node, chromium and firefox are measured)", o.Only)
	}
	c := newCollector(plan, invoke)
	c.progress = progress
	if counter, err := openCounter(); err != nil {
		c.uncounted = err.Error()
	} else {
		closeCounter(counter)
	}
	began := time.Now()
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	if !o.Trial && !o.Prove {
		if err := c.more(ctx); err != nil {
			return nil, err
		}
	}
	r := evaluate(c)
	r.Origin, r.Seed, r.Took, r.Quick = figures.Here(o.arguments()), plan.Seed, time.Since(began).Round(time.Second), o.Quick
	r.Within = o.MaxOverhead
	switch {
	case o.Trial:
		r.Trial = tried(c)
	case o.Prove:
		r.Proof = proved(c)
	}
	return r, nil
}

// replayed evaluates recorded invocations again.
func replayed(o Options) (*Report, error) {
	name := costsName
	switch {
	case o.MaxOverhead > 0:
		name = trainedName
	case o.Trial:
		name = trialName
	case o.Prove:
		name = proofName
	case browser.Only(o.Engines):
		name = browsersName
	}
	reports, err := ReadRecorded(o.Replay)
	if err != nil {
		return nil, err
	}
	r := reports[name]
	if r == nil {
		return nil, fmt.Errorf("%s has no %s.json", o.Replay, name)
	}
	if o.Trial {
		if r.Trial == nil {
			return nil, fmt.Errorf("%s/%s.json has no trial of the instrument", o.Replay, name)
		}
		r.Trial.evaluate()
		return r, nil
	}
	if o.Prove {
		if r.Proof == nil {
			return nil, fmt.Errorf("%s/%s.json compares no isolates", o.Replay, name)
		}
		for key, of := range r.Proof.Programs {
			of.estimate(key)
		}
	}
	r.sumUp()
	return r, nil
}

// orderOf is a step's order, before chance has had its say.
func orderOf(s Step) Order {
	t := timesIn(s.Engine)
	order := Order{
		Program: s.Program.Path, Fewest: t.rounds, Turn: t.turn, Warm: t.warm, Extra: s.way.extra,
		Interval: milliseconds(usual), Clock: s.way.clock, Phases: append([]Phase(nil), s.way.phases...),
	}
	if s.way.only {
		order.Rounds, order.Only = proofRoundsOf[s.Program.Name], s.way.phases[0].Only
	}
	return order
}

// invoke runs a step's order where it belongs.
func invoke(ctx context.Context, s Step, b *builds, order Order, rng *rand.Rand, counts bool) (*Result, error) {
	switch s.Engine {
	case "goja":
		return invokeGoja(ctx, b, presetName(s.Preset, !s.way.clean), order, rng, counts)
	case "node":
		return invokeNode(ctx, b, order, rng, counts)
	}
	return invokePage(ctx, browser.Name(s.Engine), b, order)
}

// headline is the meter that tables show first.
func headline(engine string) int {
	if browser.Is(engine) {
		return wallMeter
	}
	return mainMeter
}
