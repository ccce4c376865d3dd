package overhead

import (
	"context"

	"github.com/fieldprof/fieldprof/bench/estimate"
)

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

// designs follow from the invocations so far. A block costs four turns, and an
// invocation the rest of its time.
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
