package bias

import (
	"math"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/profile"
)

// real fills the cells of a real program.
func (e *EngineReport) real(g *group, resamples int) []Skip {
	details, promise := g.promise()
	truths := map[[2]string]*reference{}
	cells, skipped := map[string]*Cell{}, []Skip(nil)
	for _, way := range g.ways(Profiled) {
		profiles := g.profiles(way.Name)
		if len(profiles) == 0 {
			continue
		}
		first, second := way.truths()
		truth := truths[[2]string{first, second}]
		if truth == nil {
			truth = newReference(g.profiles(first), g.profiles(second), details)
			truths[[2]string{first, second}] = truth
		}
		for _, rule := range rulesOf(way.Preset) {
			cell, name := newCell(profiles), cellName(way, rule)
			if truth.known() && distribute(profiles, rule, details[Strict]).Len() == 0 {
				skipped = append(skipped, Skip{g.engine, g.program, name, noSamples})
				continue
			}
			if truth.known() {
				seed := seed(g.engine, g.program, name)
				cell.compare(way, rule, profiles, truth, resamples, seed)
				e.scatterReal(g, way, rule, cell, details, seed)
			}
			cells[name] = cell
		}
	}
	if len(cells) == 0 {
		return skipped
	}
	e.Programs[g.program] = cells
	e.Promises[g.program] = promise
	e.independence(g, details[Strict])
	return skipped
}

// noSamples is why a cell has no figures: it is not a profile that is wrong everywhere.
const noSamples = "no sample of it is in a function of the program: its checks saw no tick"

// cellName is the way's; classic has a second cell under the rule that Facebook's does
// not have.
func cellName(way Way, rule Rule) string {
	if rule.Name != ruleOf(way.Preset).Name {
		return way.Name + ", " + rule.Name
	}
	return way.Name
}

// reference is what profiles are compared with, by level of detail.
type reference struct {
	details map[string]Detail
	runs    map[string][2]*Distribution
	both    map[string]*Distribution
}

func newReference(truth, again []*profile.Profile, details map[string]Detail) *reference {
	r := &reference{details: details, runs: map[string][2]*Distribution{}, both: map[string]*Distribution{}}
	for name, detail := range details {
		t, a := distribute(truth, rules[0], detail), distribute(again, rules[0], detail)
		if t.Len() > 0 && a.Len() > 0 {
			r.runs[name] = [2]*Distribution{t, a}
			r.both[name] = distribute(slices.Concat(truth, again), rules[0], detail)
		}
	}
	return r
}

func (r *reference) known() bool {
	_, ok := r.runs[Strict]
	return ok
}

func newCell(profiles []*profile.Profile) *Cell {
	c := &Cell{Overlaps: map[string]Comparison{}, Ranks: map[string]Ranks{}, Rules: map[string]map[string]float64{}}
	c.health(profiles)
	return c
}

// compare fills in the comparison with the truth, attributed by a rule.
func (c *Cell) compare(way Way, by Rule, profiles []*profile.Profile, truth *reference, resamples int, seed uint64) {
	promise := mergedName(way.Preset)
	for name, runs := range truth.runs {
		t, a := runs[0], runs[1]
		for _, rule := range rules {
			if rule.Name != by.Name {
				c.rule(rule.Name, name, Compare(distribute(profiles, rule, truth.details[name]), t, a, 0, seed).Overlap.Value)
			}
		}
		m := distribute(profiles, by, truth.details[name])
		comparison := Compare(m, t, a, resamples, seed)
		c.rule(by.Name, name, comparison.Overlap.Value)
		c.Overlaps[name] = comparison
		switch name {
		case promise:
			c.Overlaps[Promise], c.Ranks[Promise] = comparison, ranksOf(truth.both[name], m)
			c.Samples, c.TruthSamples = m.Len(), min(t.Len(), a.Len())
			c.Few = min(c.Samples, c.TruthSamples) < figures.FewSamples
			c.Ratio = 2 * float64(m.Len()) / float64(t.Len()+a.Len())
			c.Effective, c.TruthEffective = math.Round(m.effective()), math.Round(min(t.effective(), a.effective()))
			c.LeftOut, c.TruthLeftOut = m.LeftOut(), t.LeftOut()
			c.Functions = truth.both[name].Functions()
			c.Resolution = truth.details[name].Resolution(truth.both[Strict])
		case Strict:
			c.Ranks[Strict] = ranksOf(truth.both[name], m)
		}
	}
}

func ranksOf(truth, measured *Distribution) Ranks {
	r := Ranks{Worst: Worst(truth, measured), HottestRank: HottestRank(truth, measured)}
	if rho, ok := Spearman(truth, measured, topFunctions); ok {
		r.Spearman = &rho
	}
	return r
}

func (c *Cell) rule(rule, detail string, value float64) {
	if c.Rules[rule] == nil {
		c.Rules[rule] = map[string]float64{}
	}
	c.Rules[rule][detail] = value
}

// health sums up the fate of the ticks.
func (c *Cell) health(profiles []*profile.Profile) {
	var raised, lost, missed int64
	for _, p := range profiles {
		raised += p.Meta.Ticks.Raised
		lost += p.Meta.Ticks.Lost
		missed += p.Meta.Ticks.Missed
	}
	if promised := float64(raised + missed); promised > 0 {
		c.Lost, c.Missed = 100*float64(lost)/promised, 100*float64(missed)/promised
	}
}

// cpu is a way's CPU time by round, where it is known.
func (g *group) cpu(way string) map[int]float64 {
	times := map[int]float64{}
	for _, r := range g.runs {
		if r.Way.Name == way && r.CPU > 0 {
			times[r.Round] = float64(r.CPU)
		}
	}
	return times
}

// overhead is by how much a way's CPU times exceed the clean run's of the same round, in
// percent: the median, or nil.
func (g *group) overhead(way string) *float64 {
	clean, percents := g.cpu("clean"), []float64(nil)
	for round, time := range g.cpu(way) {
		if before, ok := clean[round]; ok {
			percents = append(percents, 100*(time/before-1))
		}
	}
	if len(percents) == 0 {
		return nil
	}
	middle := figures.Median(percents)
	return &middle
}

// independence compares profiles that differ only in the seed of their clock (those
// of different rounds), in its interval, or in whether checks poll it.
func (e *EngineReport) independence(g *group, detail Detail) {
	add := func(name string, a, b []*profile.Profile) {
		if len(a) == 0 || len(b) == 0 {
			return
		}
		row := e.Independence[name]
		if row == nil {
			row = &IndependenceRow{}
			e.Independence[name] = row
		}
		pair := CompareByChance(distribute(a, rules[0], detail), distribute(b, rules[0], detail), 200, seed(g.engine, g.program, name))
		n := float64(row.Pairs)
		row.Overlap, row.Chance = (row.Overlap*n+pair.Overlap)/(n+1), (row.Chance*n+pair.Chance)/(n+1)
		row.Pairs++
		if pair.Independent() {
			row.Independent++
		}
	}
	for _, way := range g.ways(Profiled) {
		if way.Clock != "" {
			shared := strings.Replace(way.Name, " "+way.Clock, "", 1)
			add("clock, "+shared, g.profiles(shared), g.profiles(way.Name))
		} else if way.After > 0 {
			add("the field, "+way.Preset.String(), g.profiles(way.Preset.String()), g.profiles(way.Name))
		} else if !isStandard(way.Interval) {
			add("interval, "+way.Preset.String(), g.profiles(way.Preset.String()), g.profiles(way.Name))
		}
		if !isStandard(way.Interval) {
			continue
		}
		if all := g.profiles(way.Name); len(all) >= 2 {
			add("seed, "+way.Name, all[:1], all[1:2])
		}
	}
	if truth := g.profiles("truth"); len(truth) >= 2 {
		add("truth of two runs", truth[:1], truth[1:2])
	}
}
