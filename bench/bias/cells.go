package bias

import (
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// real fills the cells of a real program.
func (e *EngineReport) real(g *group, resamples int) {
	truth, again := g.profiles("truth", ""), g.profiles("truth again", "")
	details := g.details()
	cells := map[string]*Cell{}
	for _, way := range g.ways(Profiled) {
		profiles := g.profiles(way.Name, "")
		if len(profiles) == 0 {
			continue
		}
		cell := &Cell{Overlaps: map[string]Comparison{}, Rules: map[string]map[string]float64{}}
		cell.health(profiles)
		if len(truth) > 0 && len(again) > 0 {
			cell.compare(g, way, profiles, truth, again, details, resamples)
		}
		cells[way.Name] = cell
	}
	if len(cells) == 0 {
		return
	}
	e.Programs[g.program] = cells
	e.independence(g, details[Strict])
}

// compare fills in the comparison with the truth.
func (c *Cell) compare(g *group, way Way, profiles, truth, again []*profile.Profile, details map[string]Detail, resamples int) {
	for name, detail := range details {
		t, a := distribute(truth, rules[0], detail), distribute(again, rules[0], detail)
		if t.Len() == 0 || a.Len() == 0 {
			continue
		}
		natural := ruleOf(way.Preset)
		for _, rule := range rules {
			m := distribute(profiles, rule, detail)
			if rule != natural {
				c.rule(rule.Name, name, Compare(m, t, a, 0, 0).Overlap.Value)
				continue
			}
			comparison := Compare(m, t, a, resamples, seed(g.engine, g.program, way.Name, name))
			c.rule(rule.Name, name, comparison.Overlap.Value)
			c.Overlaps[name] = comparison
			if name != mergedName(way.Preset) {
				continue
			}
			c.Overlaps[Promise] = comparison
			c.Samples, c.TruthSamples = m.Len(), min(t.Len(), a.Len())
			c.Few = min(c.Samples, c.TruthSamples) < figures.FewSamples
			c.LeftOut, c.TruthLeftOut = m.LeftOut(), t.LeftOut()
			both := distribute(append(truth[:len(truth):len(truth)], again...), rules[0], detail)
			c.Worst = Worst(both, m)
			if rho, ok := Spearman(both, m, 20); ok {
				c.Spearman = &rho
			}
			c.HottestRank = HottestRank(both, m)
		}
	}
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
func (g *group) cpu(way, variant string) map[int]float64 {
	times := map[int]float64{}
	for _, r := range g.runs {
		if r.Way.Name == way && r.Variant == variant && r.CPU > 0 {
			times[r.Round] = float64(r.CPU)
		}
	}
	return times
}

// growths are how much larger CPU times are than others of the same round.
func growths(from, to map[int]float64) []float64 {
	var list []float64
	for _, round := range slices.Sorted(maps.Keys(to)) {
		if before, ok := from[round]; ok {
			list = append(list, to[round]/before-1)
		}
	}
	return list
}

// overheads are a way's CPU times against the clean run's of the same round, in
// percent.
func (g *group) overheads(way string) []float64 {
	percents := growths(g.cpu("clean", g.variant), g.cpu(way, g.variant))
	for i := range percents {
		percents[i] *= 100
	}
	return percents
}

// overhead is the median of a way's overheads, or nil.
func (g *group) overhead(way string) *float64 {
	percents := g.overheads(way)
	if len(percents) == 0 {
		return nil
	}
	middle := figures.Median(percents)
	return &middle
}

// act fills in the effect of extra work on a profile.
func (e *EngineReport) act(g *group, program fixtures.Program) {
	change, ok := changes[g.program]
	if !ok {
		return
	}
	way := transform.Precise.String()
	before, after := g.profiles(way, Before), g.profiles(way, After)
	growth := change.Growth
	if growth == 0 {
		growth = g.growth()
	}
	details := g.details()
	b, a := distribute(before, rules[0], details[Strict]), distribute(after, rules[0], details[Strict])
	if b.Len() == 0 || a.Len() == 0 || growth <= 0 {
		return
	}
	key := ""
	for candidate, label := range a.labels {
		if label == change.Function {
			key = candidate
		}
	}
	e.Actions[program.Name] = &Action{Function: change.Function, Growth: 100 * growth, Few: min(b.Len(), a.Len()) < figures.FewSamples,
		Actionability: Act(b, a, key, growth)}
}

// growth is the part of the clean program's CPU time that a change added: the median
// of the rounds.
func (g *group) growth() float64 {
	return figures.Median(growths(g.cpu("clean", Before), g.cpu("clean", After)))
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
			add("clock, "+shared, g.profiles(shared, ""), g.profiles(way.Name, ""))
		} else if !isStandard(way.Interval) {
			add("interval, "+way.Preset.String(), g.profiles(way.Preset.String(), ""), g.profiles(way.Name, ""))
		}
		if !isStandard(way.Interval) {
			continue
		}
		if all := g.profiles(way.Name, ""); len(all) >= 2 {
			add("seed, "+way.Name, all[:1], all[1:2])
		}
	}
	if truth := g.profiles("truth", ""); len(truth) >= 2 {
		add("truth of two rounds", truth[:1], truth[1:2])
	}
}
