package bias

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// Terms describe a report's origin.
type Terms struct {
	Origin    figures.Origin
	Part      Part
	Took      time.Duration
	Resamples int
}

// Evaluate makes a report of recordings, in any order. It runs nothing: the
// same recordings give the same report.
func Evaluate(recordings []*Recording, terms Terms) *Report {
	recordings = unpack(recordings)
	report := &Report{Origin: terms.Origin, Part: terms.Part, Took: terms.Took, Resamples: terms.Resamples,
		Engines: map[string]*EngineReport{}, Skipped: skips(recordings)}
	programs := map[string]fixtures.Program{}
	for _, p := range fixtures.All() {
		programs[p.Name] = p
	}
	for _, g := range groups(recordings) {
		e := report.engine(g.engine)
		e.Version = g.runs[0].Version
		program, ok := programs[g.program]
		switch {
		case !ok:
			report.Skipped = append(report.Skipped, Skip{g.engine, g.program, "all", "no such fixture any more"})
		case g.variant == Clocked:
			e.observe(g)
		case g.variant != "": // of a measure that archives from before causal have
		case program.Expected != nil:
			e.exact(g, program, terms.Resamples)
		default:
			report.Skipped = append(report.Skipped, e.real(g, terms.Resamples)...)
		}
	}
	for name, e := range report.Engines {
		e.Load = loadOf(recordings, name)
		e.amongProcesses()
		e.sumUp(name, programs)
		e.qualify(referenceIn(name))
		e.skids(recordings, report.Engines)
	}
	return report
}

func (r *Report) engine(name string) *EngineReport {
	e := r.Engines[name]
	if e == nil {
		e = &EngineReport{Means: map[string]*Mean{}, Floor: map[string]Estimate{}, Programs: map[string]map[string]*Cell{},
			Exact: map[string]map[string]*ExactCell{}, Skids: map[string]figures.Skids{}, Independence: map[string]*IndependenceRow{}, Observers: map[string]*Observer{}, Promises: map[string]*Promised{}}
		r.Engines[name] = e
	}
	return e
}

// group is the recordings of one program in one engine.
type group struct {
	engine, program string
	variant         string // "" or Clocked
	runs            []*Recording
}

// groups groups the recordings that were not skipped, in a fixed order.
func groups(recordings []*Recording) []*group {
	var list []*group
	find := map[[3]string]*group{}
	for _, r := range recordings {
		if r.Skipped != "" {
			continue
		}
		key := [3]string{r.Engine, r.Program, r.Variant}
		g := find[key]
		if g == nil {
			g = &group{engine: r.Engine, program: r.Program, variant: r.Variant}
			find[key] = g
			list = append(list, g)
		}
		g.runs = append(g.runs, r)
	}
	return list
}

// ways are the group's ways with a use, by name, in order of first appearance.
func (g *group) ways(use Use) []Way {
	var ways []Way
	for _, r := range g.runs {
		if r.Way.Use == use && !slices.ContainsFunc(ways, func(w Way) bool { return w.Name == r.Way.Name }) {
			ways = append(ways, r.Way)
		}
	}
	return ways
}

// profiles are the profiles of a way, in order of rounds.
func (g *group) profiles(way string) []*profile.Profile {
	var list []*profile.Profile
	for _, r := range g.runs {
		if r.Way.Name == way && r.Profile != nil {
			list = append(list, r.Profile)
		}
	}
	return list
}

// ownDetails are levels of detail by the transform's own table: every function, and those
// in which each preset has checks.
func (g *group) ownDetails() map[string]Detail {
	details := map[string]Detail{}
	for _, r := range g.runs {
		if len(r.Functions) == 0 || r.Way.Preset == transform.Classic {
			continue // classic is held to balanced's promise
		}
		if _, ok := details[Strict]; !ok {
			details[Strict] = NewDetail(Strict, r.Functions)
		}
		name := mergedName(r.Way.Preset)
		if _, ok := details[name]; !ok {
			checked := slices.DeleteFunc(slices.Clone(r.Functions), func(f profile.Function) bool { return f.Flags&profile.Checked == 0 })
			details[name] = NewDetail(name, checked)
		}
	}
	return details
}

// mergedName is "merged(N)"; N = 1 is nearly strict.
func mergedName(p transform.Preset) string {
	switch p {
	case transform.Fine:
		return "merged(3)"
	case transform.Precise:
		return "merged(1)"
	}
	return "merged(10)"
}

// Rule is one way of attributing the same samples.
type Rule struct {
	Name     string
	Rule     profile.Rule
	Weighing Weighing
}

// rules are replayed on every profile.
var rules = []Rule{
	{"design", profile.BySite, ByTicks},
	{"own frame", profile.OwnFrame, ByTicks},
	{"caller frame", profile.CallerFrame, ByTicks},
	{"design, each sample once", profile.BySite, BySample},
	{"design, weights from three ticks", profile.BySite, LongTicks},
}

// ruleOf is a preset's intended rule: classic's is Facebook's.
func ruleOf(p transform.Preset) Rule {
	if p == transform.Classic {
		return rules[1]
	}
	return rules[0]
}

// rulesOf are the rules under which a preset has cells: its own, and for classic the one
// that may be better.
func rulesOf(p transform.Preset) []Rule {
	if p == transform.Classic {
		return rules[1:3]
	}
	return rules[:1]
}

// distribute adds up profiles, attributed by a rule.
func distribute(ps []*profile.Profile, rule Rule, detail Detail) *Distribution {
	d := &Distribution{}
	for _, p := range ps {
		d.AddProfile(profile.Attribute(p, rule.Rule), detail, rule.Weighing)
	}
	return d
}

// seed makes resampling repeatable, and different in every cell.
func seed(parts ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(parts, "\x00")))
	return h.Sum64()
}

// skips gathers the recordings that were skipped, by reason.
func skips(recordings []*Recording) []Skip {
	ways := map[Skip][]string{}
	for _, r := range recordings {
		if r.Skipped == "" {
			continue
		}
		at := Skip{Engine: r.Engine, Program: r.Program, Reason: r.Skipped}
		if !slices.Contains(ways[at], r.Way.Name) {
			ways[at] = append(ways[at], r.Way.Name)
		}
	}
	list := make([]Skip, 0, len(ways))
	for at, names := range ways {
		slices.Sort(names) // they ran in random order
		at.Ways = strings.Join(names, ", ")
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b Skip) int {
		return cmp.Or(cmp.Compare(a.Engine, b.Engine), cmp.Compare(a.Program, b.Program), cmp.Compare(a.Ways, b.Ways), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}

// skids gathers the skids of the engine's unchanged programs, by way.
func (e *EngineReport) skids(recordings []*Recording, all map[string]*EngineReport) {
	byWay := map[string][]*profile.Profile{}
	for _, r := range recordings {
		if all[r.Engine] == e && r.Skipped == "" && r.Way.Use == Profiled && r.Variant == "" && r.Profile != nil {
			byWay[r.Way.Name] = append(byWay[r.Way.Name], r.Profile)
		}
	}
	for _, way := range slices.Sorted(maps.Keys(byWay)) {
		e.Skids[way] = figures.SkidsOf(byWay[way])
	}
}
