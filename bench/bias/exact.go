package bias

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// exactBlocks compare profiles, and the engine's sampler in its usual form, with known
// distributions.
func exactBlocks(o Options, round int) []Block {
	var blocks []Block
	for _, program := range fixtures.Exact() {
		for _, e := range engines {
			if e.name == currentNode || isBrowser(e.name) && !(o.inBrowser(e.name, round) && slices.Contains(smallExact, program.Name)) || o.Quick && !slices.Contains(quickExact, program.Name) {
				continue
			}
			interval := o.intervalIn(e.name, program)
			if program.Idle {
				interval /= 5 // only a little of its time can be sampled
			}
			some := ends
			switch {
			case o.Quick:
				some = ends[1:]
			case o.Part != "": // the whole plan has no time for it
				some = append([]transform.Preset{transform.Classic}, ends...)
			}
			ways := append(cleanWays()[:1], profiledWays(some, "", interval)...)
			ways = append(ways, Way{Name: "truth", Use: Truth, Sampler: inliningSampler(e.sampler), Interval: interval})
			if program.Name == "periodic" { // a cycle of 10 ms: would the clock beat with it?
				ways = append(ways, profiledWays(ends[1:], "", usualInterval)...)
			}
			if !isBrowser(e.name) && round == 1 { // pages' clocks are too coarse
				ways = append(ways, tracedWays(program)...)
			}
			blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: ways})
		}
	}
	return blocks
}

// inliningSampler samples the program as it runs in the field.
func inliningSampler(sampler string) string { return strings.TrimSuffix(sampler, "-noinline") }

// elsewhere is the key of all functions that a program's declaration does not list:
// they count as one, with the remaining time.
const elsewhere = "(functions not listed)"

// exact fills the cells of a program of known distribution.
func (e *EngineReport) exact(g *group, program fixtures.Program, resamples int) {
	expected, rest := map[string]float64{}, 100.0
	for _, key := range slices.Sorted(maps.Keys(program.Expected)) {
		expected[key] = program.Expected[key]
		rest -= program.Expected[key]
	}
	expected[elsewhere] = max(rest, 0)
	known := Known(expected)
	cells := map[string]*ExactCell{}
	for _, way := range append(g.ways(Profiled), g.ways(Truth)...) {
		name, rule := way.Name, ruleOf(way.Preset)
		if way.Use == Truth {
			name, rule = way.Sampler, rules[0]
		}
		measured := &Distribution{}
		for _, p := range g.profiles(way.Name, "") {
			measured.addKnown(profile.Attribute(p, rule.Rule), program)
		}
		if measured.Len() == 0 {
			continue
		}
		cells[name] = &ExactCell{
			Samples: measured.Len(), Few: measured.Len() < figures.FewSamples, Tiny: program.Tiny,
			Overlap: OverlapInterval(known, measured, resamples, seed(g.engine, g.program, name)),
			Worst:   Worst(known, measured), Shares: measured.Shares(), Overhead: g.overhead(way.Name),
		}
	}
	for _, way := range g.ways(Traced) { // calls are measured and not sampled: no intervals
		measured := g.traced(way.Name, program)
		overlap := Overlap(known, measured)
		cells[way.Name] = &ExactCell{
			Tiny: program.Tiny, Overlap: Estimate{Value: overlap, Low: overlap, High: overlap},
			Worst: Worst(known, measured), Shares: measured.Shares(), Known: expected, Overhead: g.overhead(way.Name),
		}
	}
	if len(cells) > 0 {
		e.Exact[g.program] = cells
	}
}

// addKnown adds the self time of an attributed profile by the keys of a program
// of known distribution. Builtins are their callers'.
func (d *Distribution) addKnown(p *profile.Profile, program fixtures.Program) {
	all := Detail{apart: map[string]bool{}}
	for f := range p.Functions.Name {
		function := p.Function(profile.FunctionID(f))
		all.apart[Key(function)] = function.Line > 0 || program.Key(function.Name, 0) != ""
	}
	d.add(p, all, ByTicks, func(owner profile.FunctionID) string {
		if owner < 0 {
			return elsewhere
		}
		f := p.Function(owner)
		return cmp.Or(program.Key(f.Name, int(f.Line)), elsewhere)
	})
}
