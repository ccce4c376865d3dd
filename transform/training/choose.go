package training

import (
	"cmp"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/functable"
)

// Choose picks the checks whose cost, in the time that was counted, stays within so many percent.
//
// Candidates are parts of functions: its entry and exit checks, and then its loops' (alone if it
// has no others), which tell the same function's time sooner. The cost of a part is its
// executions, each times the time of its form. Its value is the time that it tells apart,
// estimated in statements: each entry runs the function's own once, each turn of a counted loop
// half of them, and a call to what loops in the engine counts as a hundred; loops next to entry
// and exit checks are worth a tenth of that. With a profile, the value is the time that it shows
// in the function, and the estimate only breaks ties.
//
// Parts are taken in the order of value by cost, ties by value, then file, hash and index, each
// if it still fits. So a larger budget keeps everything that comes before the first part that
// did not fit the smaller one. Loops come after the rest of their function, and only with it.
//
// If no part that costs anything fits, the entry checks of the functions with most statements
// remain, ten of them, ties in the same order, whatever they cost (Choice.Exceeds).
func (c *Counts) Choose(costs Costs, percent float64, profile Times) *Choice {
	choice := &Choice{units: map[Script]*Unit{}, Nanoseconds: c.duration(), Percent: percent}
	for i := range c.Files {
		f := &c.Files[i]
		unit := &Unit{Functions: make(map[int32]*Chosen, len(f.Functions))}
		choice.units[Script{f.File, f.Hash}] = unit
		for k := range f.Functions {
			function := &f.Functions[k]
			unit.Functions[function.Index] = &Chosen{Function: function, Percent: 100 * costs.of(function, function.Sites()) / choice.Nanoseconds}
		}
	}
	parts := c.parts(costs, profile)
	slices.SortFunc(parts, compareParts)
	budget := choice.Nanoseconds * percent / 100
	fitted, costly := false, false
	for i := range parts {
		p := &parts[i]
		chosen := choice.chosen(p)
		costly = costly || p.cost > 0
		if p.loops && !p.alone && chosen.Sites == 0 || choice.Cost+p.cost > budget {
			continue
		}
		chosen.Sites |= p.sites
		choice.Cost += p.cost
		fitted = fitted || p.cost > 0
	}
	if costly && !fitted {
		choice.leaveLargest(parts, costs)
	}
	return choice
}

// Times are how long a profile shows each function itself, in nanoseconds; nil without one.
type Times func(file string, f *Function) float64

// Choice is which sites of a build are checked.
type Choice struct {
	units map[Script]*Unit
	// Nanoseconds is the time that was counted, without the counting, and Percent the budget.
	Nanoseconds, Percent float64
	// Cost is what the checks that were chosen would have taken of it.
	Cost float64
	// Exceeds says that nothing fits the budget, and the checks that remain exceed it.
	Exceeds bool
}

// Overhead is the cost in percent.
func (c *Choice) Overhead() float64 { return 100 * c.Cost / c.Nanoseconds }

// Unit is the choice for one script.
type Unit struct {
	Functions map[int32]*Chosen // by index, those that were executed
}

// Chosen is the choice for one function.
type Chosen struct {
	*Function
	Sites   functable.Sites // those that are checked
	Percent float64         // what all of its sites would take
	Largest bool            // it is one of the largest, and nothing fits
}

// Of returns the choice for a script, which is empty if nothing in it was executed.
func (c *Choice) Of(s Script) *Unit {
	if unit := c.units[s]; unit != nil {
		return unit
	}
	return &Unit{}
}

func (c *Choice) chosen(p *part) *Chosen { return c.units[p.script].Functions[p.function.Index] }

// part is a candidate.
type part struct {
	script             Script
	function           *Function
	sites              functable.Sites
	loops, alone       bool
	cost, value, ratio float64
}

// The rest of the estimate of a function's own work, see Choose.
const (
	turnShare  = 0.5
	engineWork = 100
	loopShare  = 0.1
	largest    = 10
)

func (c *Counts) parts(costs Costs, profile Times) []part {
	var parts []part
	for file, f := range c.Functions() {
		entries, turns, exits := f.executions()
		runs := max(entries, exits) // a selection may have only one of them
		statements := max(1, float64(f.Statements))
		turning := turns * statements * turnShare
		value := runs*statements + turning
		if f.Iterates {
			value += max(1, runs) * engineWork
		}
		if profile != nil {
			value = profile(file.File, f) + value/1e6
		}
		script := Script{file.File, file.Hash}
		base := part{script: script, function: f, sites: f.Sites() &^ functable.Loop}
		base.cost, base.value = costs.of(f, base.sites), value
		base.ratio = ratio(value, base.cost)
		if base.sites != 0 {
			parts = append(parts, base)
		}
		if len(f.Loops) == 0 {
			continue
		}
		loop := part{script: script, function: f, sites: functable.Loop, loops: true, alone: base.sites == 0, cost: costs.of(f, functable.Loop), value: value}
		loop.ratio = ratio(value, loop.cost)
		if !loop.alone {
			loop.value *= loopShare
			loop.ratio = min(ratio(loop.value, loop.cost), base.ratio)
		}
		parts = append(parts, loop)
	}
	return parts
}

func ratio(value, cost float64) float64 {
	if cost <= 0 {
		return math.Inf(1)
	}
	return value / cost
}

// compareParts puts loops after the rest of their function, whose ratio and value are no less.
func compareParts(a, b part) int {
	return cmp.Or(cmp.Compare(b.ratio, a.ratio), cmp.Compare(b.value, a.value), compareNames(a, b))
}

func compareNames(a, b part) int {
	return cmp.Or(cmp.Compare(a.script.File, b.script.File), cmp.Compare(a.script.Hash, b.script.Hash), cmp.Compare(a.function.Index, b.function.Index), compareBools(a.loops, b.loops))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// leaveLargest keeps the entry checks of the largest functions, and nothing else.
func (c *Choice) leaveLargest(parts []part, costs Costs) {
	for _, unit := range c.units {
		for _, chosen := range unit.Functions {
			chosen.Sites = 0
		}
	}
	c.Cost, c.Exceeds = 0, true
	entries := slices.DeleteFunc(parts, func(p part) bool { return p.sites&functable.Entry == 0 })
	slices.SortFunc(entries, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.function.Statements, a.function.Statements), compareNames(a, b))
	})
	for i := range entries[:min(largest, len(entries))] {
		p := &entries[i]
		chosen := c.chosen(p)
		chosen.Sites, chosen.Largest = functable.Entry, true
		c.Cost += costs.of(p.function, functable.Entry)
	}
}
