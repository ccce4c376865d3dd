package training

import "github.com/fieldprof/fieldprof/functable"

// Costs are how long one check takes that finds the flag down, by the kind of its site, in
// nanoseconds.
type Costs struct{ Entry, Loop, Exit float64 }

// The costs by form. They are assumptions: no measure of the bench has calibrated them yet.
var (
	Inline  = Costs{Entry: 0.8, Loop: 0.8, Exit: 0.8}
	Compact = Costs{Entry: 1.0, Loop: 1.0, Exit: 1.0}
	Goja    = Costs{Entry: 30, Loop: 30, Exit: 40}
)

// counting is how long a site of a counting build takes. So much is taken off the time of the
// training run, but no more than half of it.
const counting = 2.0

// of is what some sites of a function took, all together.
func (c Costs) of(f *Function, sites functable.Sites) float64 {
	entry, loops, exit := f.executions()
	cost := 0.0
	if sites&functable.Entry != 0 {
		cost += entry * c.Entry
	}
	if sites&functable.Loop != 0 {
		cost += loops * c.Loop
	}
	if sites&functable.Exit != 0 {
		cost += exit * c.Exit
	}
	return cost
}

// duration is how long the program would have been busy without the counting, in nanoseconds.
func (c *Counts) duration() float64 {
	busy := c.Milliseconds * 1e6
	executed := 0.0
	for i := range c.Files {
		for k := range c.Files[i].Functions {
			entry, loops, exit := c.Files[i].Functions[k].executions()
			executed += entry + loops + exit
		}
	}
	return max(busy-executed*counting, busy/2)
}
