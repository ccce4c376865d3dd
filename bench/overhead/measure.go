package overhead

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/engine/node"
)

// Measure runs a plan, and as much more as the budget allows.
func Measure(ctx context.Context, o Options, progress figures.Progress) (*Report, error) {
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
	switch {
	case o.Trial:
		r.Trial = tried(c)
	case o.Prove:
		r.Proof = proved(c)
	}
	return r, nil
}

// record is what one invocation gave.
type record struct {
	Step
	order  Order
	result *Result
}

// collector runs steps.
type collector struct {
	plan      Plan
	invoke    func(context.Context, Step, *builds, Order, *rand.Rand, bool) (*Result, error)
	build     func(Step) (*builds, error)
	now       func() time.Time
	progress  figures.Progress
	rng       *rand.Rand
	uncounted string // why there are no instructions
	until     time.Time

	records []record
	skipped map[string]string // why, by cell
	missing map[string]string // engines
	took    map[string]time.Duration
	made    map[string]*builds
	beyond  int // steps for which there was no time
	unrun   int // those of the plan
}

func newCollector(plan Plan, invoke func(context.Context, Step, *builds, Order, *rand.Rand, bool) (*Result, error)) *collector {
	return &collector{
		plan: plan, invoke: invoke, build: buildsOf, now: time.Now, rng: rand.New(rand.NewPCG(plan.Seed, 2)),
		skipped: map[string]string{}, missing: map[string]string{}, took: map[string]time.Duration{}, made: map[string]*builds{},
	}
}

func buildsOf(s Step) (*builds, error) {
	if err := s.Program.InstallPackages(); err != nil {
		return nil, err
	}
	return makeBuilds(s.Engine, s.Program, s.Preset, !s.way.clean)
}

// run runs the plan's steps.
func (c *collector) run(ctx context.Context) error {
	c.until = c.now().Add(c.plan.Budget)
	for i, step := range c.plan.Steps {
		c.progress.Show("%d of %d: %s, %s", i+1, len(c.plan.Steps), step.cell, step.way.name)
		if err := c.step(ctx, step, nil); err != nil {
			return err
		}
	}
	c.unrun = c.beyond
	return nil
}

// kind is what steps that take about the same time have in common.
func (s Step) kind() string {
	return s.Engine + "/" + s.Program.Name + "/" + s.way.name
}

// expect is how long a step will take: as long as its like did.
func (c *collector) expect(s Step) time.Duration {
	if took, ok := c.took[s.kind()]; ok {
		return took
	}
	t := time.Duration(timesIn(s.Engine).warm * float64(time.Millisecond))
	for _, phase := range s.way.phases {
		each := time.Duration(phase.Ms * float64(time.Millisecond))
		if phase.Only == nil && !s.way.only {
			each *= 2
		}
		t += each
	}
	return 3*t/2 + time.Second
}

// step runs one invocation, if there is time for it. A failure concerns its cell.
func (c *collector) step(ctx context.Context, s Step, blocks map[string]int) error {
	key := s.cell.String()
	switch {
	case c.skipped[key] != "":
		return nil
	case c.missing[s.Engine] != "":
		c.skipped[key] = c.missing[s.Engine]
		return nil
	case c.now().Add(c.expect(s)).After(c.until):
		c.beyond++
		return nil
	}
	began := c.now()
	result, order, err := c.try(ctx, s, blocks)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.skipped[key] = figures.Cell(err.Error())
		var missing *browser.MissingError
		if errors.As(err, &missing) || errors.Is(err, node.ErrMissing) {
			c.missing[s.Engine] = c.skipped[key]
		}
		return nil
	}
	c.took[s.kind()] = max(c.took[s.kind()], c.now().Sub(began))
	c.records = append(c.records, record{s, *order, result})
	return nil
}

// tooLong ends an invocation that hangs.
const tooLong = 5 * time.Minute

func (c *collector) try(ctx context.Context, s Step, blocks map[string]int) (*Result, *Order, error) {
	key := fmt.Sprint(s.cell, s.way.clean)
	b := c.made[key]
	if b == nil {
		var err error
		if b, err = c.build(s); err != nil {
			return nil, nil, err
		}
		c.made[key] = b
	}
	order := orderOf(s)
	order.draw(c.rng)
	for i, phase := range order.Phases {
		if n := blocks[phase.Name]; n > 0 { // by number, where a pilot has told
			order.Phases[i].Blocks, order.Phases[i].Ms = n, 0
		}
	}
	limited, cancel := context.WithTimeout(ctx, tooLong)
	defer cancel()
	result, err := c.invoke(limited, s, b, order, c.rng, c.uncounted == "")
	if errors.Is(limited.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it did not end within %v", tooLong)
	}
	return result, &order, err
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

// aim is the half-width that the interval of a program's idle overhead should have: 1 %.
const aim = 0.01

// Where invocations do not differ they have at most this many blocks, and take at most this
// many times as long as in the pilot.
const (
	mostBlocks = 24
	mostTime   = 8
)

// design is how a cell is to be measured, as its pilot says.
type design struct {
	Variation   estimate.Variation `json:"variation"`
	Blocks      int                `json:"blocks"`
	Invocations int                `json:"invocations"`
}

// designs follow from the invocations so far. A block's cost is four turns, an
// invocation's what it takes besides.
func (c *collector) designs() map[string]design {
	logs, turn := map[string][][]float64{}, map[string]float64{}
	for _, r := range c.records {
		key := r.cell.String()
		logs[key] = append(logs[key], r.result.blocks(0, headline(r.Engine)))
		turn[key] = r.result.turnTime(0)
	}
	designs := map[string]design{}
	for key, invocations := range logs {
		v, ok := estimate.VariationOf(invocations)
		if !ok {
			continue
		}
		d := design{Variation: v}
		for _, r := range c.records {
			if r.cell.String() != key || turn[key] <= 0 {
				continue
			}
			start := milliseconds(c.took[r.cell.kindIdle()])/(4*turn[key]) - float64(len(invocations[0]))
			t := timesIn(r.Engine)
			most := min(mostBlocks, int(mostTime*t.idle/(2*turn[key])))
			d.Blocks = max(t.blocks, v.Iterations(max(1, start), max(1, most)))
			break
		}
		d.Invocations = v.Invocations(d.Blocks, aim)
		designs[key] = d
	}
	return designs
}

// kindIdle is the kind of a cell's invocations that record nothing.
func (c cell) kindIdle() string { return Step{c, waysIn(c.Engine)[0]}.kind() }

// more runs further invocations until the budget is spent: first those without a
// recording that cells still need for the interval aimed at, then rounds of recordings.
func (c *collector) more(ctx context.Context) error {
	for round := 1; ; round++ {
		before, designs := len(c.records), c.designs()
		steps, seen := []Step{}, map[string]int{}
		for _, r := range c.records {
			seen[r.cell.String()]++
		}
		done := map[string]bool{}
		for _, s := range c.plan.Steps {
			key := s.cell.String()
			if done[key+s.way.name] {
				continue
			}
			done[key+s.way.name] = true
			if s.way.clock != "" || seen[key] < designs[key].Invocations {
				steps = append(steps, s)
			}
		}
		c.rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		for _, s := range steps {
			c.progress.Show("further round %d: %s, %s", round, s.cell, s.way.name)
			if err := c.step(ctx, s, map[string]int{idlePhase: designs[s.cell.String()].Blocks}); err != nil {
				return err
			}
		}
		if len(c.records) == before {
			return nil
		}
	}
}

// headline is the meter that tables show first.
func headline(engine string) int {
	if isBrowser(engine) {
		return wallMeter
	}
	return mainMeter
}
