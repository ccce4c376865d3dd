package overhead

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/engine/node"
)

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
	build     func(context.Context, Step) (*builds, error)
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

func buildsOf(ctx context.Context, s Step) (*builds, error) {
	if err := s.Program.InstallPackages(); err != nil {
		return nil, err
	}
	return makeBuilds(ctx, s.cell, !s.way.clean)
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

// pair is what steps with the same two builds have in common.
func (s Step) pair() string { return fmt.Sprint(s.cell, s.way.clean) }

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
	key := s.pair()
	b := c.made[key]
	if b == nil {
		var err error
		if b, err = c.build(ctx, s); err != nil {
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
