package bias

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/truth"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// exactBlocks compare profiles by all presets, and all of the engine's samplers, with known
// distributions: all programs in one process of each way, since most of what a run takes is the
// engine's start, and in as many rounds as there are to be processes. Programs run alone where that has a reason, and where they are named.
func exactBlocks(o Options, round int) []Block {
	var blocks []Block
	for _, e := range engines {
		if e.name == currentNode {
			continue
		}
		if !o.Quick {
			ways := append(cleanWays()[:1], profiledWays(presets, "", standardInterval)...)
			blocks = append(blocks, Block{Engine: e.name, Program: fixtures.Pack(), Round: round, Ways: append(ways, samplerWays(e.name)...)})
		}
		for _, program := range fixtures.Exact() {
			if o.alone(e.name, program, round) {
				blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: exactWays(o, e.name, program, round)})
			}
		}
	}
	return blocks
}

// alone reports whether an exact program also runs by itself.
func (o Options) alone(engine string, program fixtures.Program, round int) bool {
	switch {
	case browser.Is(engine):
		return (o.Quick || o.Only != "") && o.inBrowser(engine, round) && slices.Contains(smallExact, program.Name)
	case o.Quick:
		return slices.Contains(quickExact, program.Name)
	case round > 1 && o.Part == "":
		return false
	case o.Only != "":
		return true
	}
	return program.Name == beating || slices.Contains(tracedPrograms, program.Name)
}

// beating has a cycle of 10 ms: would the clock beat with it?
const beating = "periodic"

// exactWays are the ways of a program that runs by itself.
func exactWays(o Options, engine string, program fixtures.Program, round int) []Way {
	interval := o.intervalIn(engine, program)
	if program.Idle {
		interval /= 5 // only a little of its time can be sampled
	}
	some, samplers := presets, samplerWays(engine)
	if o.Quick {
		some, samplers = presets[len(presets)-1:], samplers[:1]
	}
	ways := slices.Concat(cleanWays()[:1], profiledWays(some, "", interval), samplers)
	if program.Name == beating {
		ways = append(ways, profiledWays(ends[1:], "", usualInterval)...)
	}
	if !browser.Is(engine) && round == 1 { // pages' clocks are too coarse
		ways = append(ways, tracedWays(program)...)
	}
	return ways
}

// samplerWays run an engine's samplers, each at the interval that suits it.
func samplerWays(engine string) []Way {
	var ways []Way
	for _, s := range truth.Samplers() {
		if s.Engine == engine {
			ways = append(ways, Way{Name: s.Name, Use: Truth, Sampler: s.Name})
		}
	}
	return ways
}

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
	cells := e.Exact[g.program]
	if cells == nil {
		cells = map[string]*ExactCell{}
	}
	for _, way := range append(g.ways(Profiled), g.ways(Truth)...) {
		name, rule := way.Name, ruleOf(way.Preset)
		if way.Use == Truth {
			name, rule = way.Sampler, rules[0]
		}
		measured := &Distribution{}
		for _, p := range g.profiles(way.Name) {
			measured.addKnown(profile.Attribute(p, rule.Rule), program)
		}
		if measured.Len() == 0 && way.Use == Truth {
			continue
		}
		cell := &ExactCell{ // it may show nothing, if nothing is checked
			Samples: measured.Len(), Few: measured.Len() < figures.FewSamples, Tiny: program.Tiny,
			Overlap: OverlapInterval(known, measured, resamples, seed(g.engine, g.program, name)),
			Worst:   Worst(known, measured), Shares: measured.Shares(), Overhead: g.overhead(way.Name),
		}
		if n := measured.effective(); n < fewestExact {
			cell.Alone = fmt.Sprintf("%.0f effective samples", n)
		}
		cells[name] = cell
		if way.Use == Truth {
			e.sampler(way.Sampler).scores[g.program] = truth.Grade(program, g.profiles(way.Name), resamples, seed(g.engine, g.program, name, "score"))
		}
		e.scatterExact(g, way, name, known, program)
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

// scatterExact notes how a cell of an exact program differs among processes: an engine that
// inlines does so anew in each, for all programs of a pack.
func (e *EngineReport) scatterExact(g *group, way Way, name string, known *Distribution, program fixtures.Program) {
	var values []float64
	for _, in := range g.processes(way.Name) {
		measured := &Distribution{}
		for _, p := range in[way.Name] {
			measured.addKnown(profile.Attribute(p, ruleOf(way.Preset).Rule), program)
		}
		if measured.Len() > 0 {
			values = append(values, Overlap(known, measured))
		}
	}
	e.scatter("exact, "+name, values, func(wider func(Estimate) Estimate) {
		cell := e.Exact[g.program][name]
		cell.Overlap = wider(cell.Overlap)
		if way.Use == Truth {
			score := e.Samplers[name].scores[g.program]
			score.Overlap = wider(score.Overlap)
			e.Samplers[name].scores[g.program] = score
		}
	})
}

// fewestExact is the effective number of samples from which the overlap with a known
// distribution says something: its functions are few, and its interval from fewer is no
// interval.
const fewestExact = 100

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
		if f.File != "" && path.Base(f.File) != program.Name+".js" { // of the pack
			return elsewhere
		}
		return cmp.Or(program.Key(f.Name, int(f.Line)), elsewhere)
	})
}

// SamplerReport is how far one of the engine's samplers is right.
type SamplerReport struct {
	// Kinds are its qualifications by kind of exact program.
	Kinds map[string]*truth.Qualification `json:"kinds"`
	// Standing is "truth" if it qualifies for every kind, else "reference".
	Standing string `json:"standing"`
	// Agreement is with the sampler that real programs are compared with: the mean overlap
	// over the exact programs, and the program with the lowest.
	Agreement *Agreement `json:"agreement,omitempty"`

	scores map[string]truth.Score // by program
}

func (e *EngineReport) sampler(name string) *SamplerReport {
	if e.Samplers == nil {
		e.Samplers = map[string]*SamplerReport{}
	}
	s := e.Samplers[name]
	if s == nil {
		s = &SamplerReport{scores: map[string]truth.Score{}}
		e.Samplers[name] = s
	}
	return s
}

// Agreement is how far two samplers of an engine agree on the exact programs.
type Agreement struct {
	Programs      int     `json:"programs"`
	Mean          float64 `json:"mean"`
	Lowest        float64 `json:"lowest"`
	LowestProgram string  `json:"lowestProgram"`
}

// qualify judges the samplers by their scores, and compares them with the reference.
func (e *EngineReport) qualify(reference string) {
	for name, s := range e.Samplers {
		s.Kinds = truth.Qualify(s.scores)
		s.Standing = truth.Standing(s.Kinds)
		if name != reference {
			s.Agreement = e.agreement(name, reference)
		}
	}
}

// agreement is nil if no program ran under both.
func (e *EngineReport) agreement(a, b string) *Agreement {
	var of Agreement
	for _, program := range slices.Sorted(maps.Keys(e.Exact)) {
		cells := e.Exact[program]
		if cells[a] == nil || cells[b] == nil {
			continue
		}
		overlap := Overlap(Known(cells[a].Shares), Known(cells[b].Shares))
		if of.Programs == 0 || overlap < of.Lowest {
			of.Lowest, of.LowestProgram = overlap, program
		}
		of.Programs++
		of.Mean += overlap
	}
	if of.Programs == 0 {
		return nil
	}
	of.Mean /= float64(of.Programs)
	return &of
}

// referenceIn is the sampler that real programs are compared with in an engine.
func referenceIn(engine string) string {
	for _, e := range engines {
		if e.name == engine {
			return e.sampler
		}
	}
	return ""
}

// Standing is what the sampler with which profiles of real programs are compared in an
// engine has earned to be called: "truth" or "reference".
func (r *Report) Standing(engine string) string {
	if e := r.Engines[engine]; e != nil && e.Samplers[referenceIn(engine)] != nil {
		return e.Samplers[referenceIn(engine)].Standing
	}
	return truth.IsReference
}

// samplersTable shows for which kinds of program which samplers are truths.
func (e *EngineReport) samplersTable(b *strings.Builder) {
	if len(e.Samplers) == 0 {
		return
	}
	kinds := map[string]map[string]*truth.Qualification{}
	var names []string
	for _, s := range truth.Samplers() {
		if report := e.Samplers[s.Name]; report != nil {
			names, kinds[s.Name] = append(names, s.Name), report.Kinds
		}
	}
	fmt.Fprintf(b, "\n## The engine's own samplers\n\nOverlap with the known distribution, without what chance takes from it: the mean over the exact programs of a kind.\nBold: a truth for the kind, with %d or more on each of its programs. Otherwise the lowest is named.\n\n%s",
		truth.Qualified, truth.QualificationTable(names, kinds))
	for _, name := range names {
		if a := e.Samplers[name].Agreement; a != nil {
			fmt.Fprintf(b, "\n%s agrees with the reference on %d programs to %.1f %%, the least on %s: %.1f.\n", name, a.Programs, a.Mean, a.LowestProgram, a.Lowest)
		}
	}
}
