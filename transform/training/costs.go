package training

import "github.com/fieldprof/fieldprof/functable"

// Costs are how long one check takes that finds the flag down, by the kind of its site, in
// nanoseconds.
type Costs struct{ Entry, Loop, Exit float64 }

// The costs by form. A check itself takes less than a nanosecond; the rest is what the engine does
// not do because of it, such as inlining its function. In V8, twenty programs with all checks of
// precise take 0.2 to 9 ns more for each execution, half of them up to 1.6, and four of five up to
// about 3: the programs of `go run ./bench overhead --max-overhead 2%`, whose builds show what comes of it.
// The costs in goja are assumed.
var (
	Inline  = Costs{Entry: 3, Loop: 3, Exit: 3}
	Compact = Costs{Entry: 3.5, Loop: 3.5, Exit: 3.5}
	Goja    = Costs{Entry: 30, Loop: 30, Exit: 40}
)

// counting is how long a site of a counting build takes, as on these programs: 4 to 15 ns in V8, half
// of them up to 7. So much is taken off the time of the training run, but no more than four
// fifths of it: where counting takes more than it is thought to, budgets are kept rather than exceeded.
const counting = 7.0

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
	for _, f := range c.Functions() {
		executed += f.Executions()
	}
	return max(busy-executed*counting, busy/5)
}
