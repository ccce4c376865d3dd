package bias

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
)

// Options say what to measure.
type Options struct {
	Part     Part
	Rounds   int // of a part; those of the whole plan follow from its budget
	Quick    bool
	Only     string        // a part of programs' names, or engine/part
	Engines  []string      // none: all
	Interval time.Duration // 0: what suits the engine
	Budget   time.Duration
}

// Part is a part of what the whole plan measures; "" is all of it.
type Part string

const (
	// ExactPart is the programs whose distribution is known.
	ExactPart Part = "exact"
)

// parts can be measured alone, in any number of rounds.
var parts = map[Part]func(o Options, round int) []Block{ExactPart: exactBlocks}

// KnownPart reports whether the plan has a part of this name.
func KnownPart(name string) bool { return parts[Part(name)] != nil }

// Plan is what to run: blocks, the most informative first, as many as fit into the
// budget.
type Plan struct {
	Blocks []Block
	Budget time.Duration
}

// Block is a program in an engine, in every way in turn. Its runs are compared
// with each other, so a block runs completely or not at all.
type Block struct {
	Engine  string
	Program fixtures.Program
	Round   int
	Ways    []Way
	// Change is made to the source first; nil for none.
	Change *Change
	// Clocked programs account for their functions' times.
	Clocked bool
	// Balance: ways run again until they have about as many samples as the truth.
	Balance bool
	// Lasts is the intended time of a clean run.
	Lasts time.Duration
}

// engines in the order of tables, with the sampler that defines the truth. V8 is
// asked not to inline for it: its sampler does not name inlined functions.
var engines = []struct{ name, sampler string }{
	{"goja", "goja"},
	{"node", "v8-noinline"},
	{"chromium", "chromium"},
	{"firefox", "spidermonkey"},
	{"webkit", "jsc"},
}

const (
	quickBudget = 285 * time.Second
	fullBudget  = 59 * time.Minute
	moreRounds  = 2 // of real programs, if the budget is larger
)

// The intended times of clean runs: long enough for samples and for a just-in-time
// compiler to settle, short enough for many runs. Exact programs have few functions
// and need fewer samples; there are many classics; browsers take longer to start than
// to run.
const (
	runTime        = 2 * time.Second
	nodeRunTime    = 4100 * time.Millisecond
	classicRunTime = 1500 * time.Millisecond
	exactRunTime   = 1200 * time.Millisecond
	quickRunTime   = 1500 * time.Millisecond
	quickExactTime = 800 * time.Millisecond
	browserRunTime = 3 * time.Second
)

// The programs of the quick plan: some of our own, some libraries, and exact ones
// that separate good attribution from bad.
var (
	quickReal  = []string{"raytrace", "acorn", "markdown-it"} // fewer have no mean
	quickMore  = []string{"marked"}                           // if time is left
	quickExact = []string{"compute-sin", "sequence", "native-sort", "tiny-leaf", "periodic"}
	smallReal  = []string{"raytrace", "acorn"} // in browsers, where runs are expensive
	smallExact = []string{"compute-sin"}
)

// NewPlan plans the runs.
func NewPlan(o Options) Plan {
	plan := Plan{Budget: o.Budget}
	if plan.Budget == 0 {
		plan.Budget = fullBudget
		if o.Quick {
			plan.Budget = quickBudget
		}
	}
	quick := func(names []string) []fixtures.Program {
		return slices.DeleteFunc(fixtures.Real(), func(p fixtures.Program) bool { return !slices.Contains(names, p.Name) })
	}
	add := func(blocks ...[]Block) { plan.Blocks = append(plan.Blocks, slices.Concat(blocks...)...) }
	switch {
	case o.Part != "":
		for round := range o.Rounds {
			add(parts[o.Part](o, round+1))
		}
	case o.Quick: // remaining time adds programs and samples
		add(realBlocks(o, 1, quick(quickReal)), exactBlocks(o, 1), actionBlocks(o, 1), clockedBlocks(o, 1),
			realBlocks(o, 1, quick(quickMore)), realBlocks(o, 2, quick(quickReal)))
	default:
		add(realBlocks(o, 1, fixtures.Real()), exactBlocks(o, 1), actionBlocks(o, 1), clockedBlocks(o, 1),
			realBlocks(o, 1, fixtures.Classic()))
		if plan.Budget > fullBudget {
			add(realBlocks(o, moreRounds, fixtures.Real()))
		}
	}
	plan.Blocks = slices.DeleteFunc(plan.Blocks, func(b Block) bool {
		return !o.wants(b.Engine, b.Program.Name)
	})
	for i := range plan.Blocks {
		plan.Blocks[i].Lasts = o.lasts(plan.Blocks[i].Engine, plan.Blocks[i].Program)
	}
	return plan
}

func (o Options) wants(engine, program string) bool {
	if len(o.Engines) > 0 && !slices.Contains(o.Engines, engine) {
		return false
	}
	return o.Only == "" || strings.Contains(engine+"/"+program, o.Only)
}

// lasts is the same for all blocks of a program, since they share its scale.
func (o Options) lasts(engine string, program fixtures.Program) time.Duration {
	switch {
	case isBrowser(engine):
		return browserRunTime
	case o.Quick && program.Expected != nil:
		return quickExactTime
	case o.Quick:
		return quickRunTime
	case program.Expected != nil:
		return exactRunTime
	case program.Classic:
		return classicRunTime
	case engine == "node":
		return nodeRunTime
	}
	return runTime
}

// realBlocks compare profiles of real programs with engines' samplers.
func realBlocks(o Options, round int, programs []fixtures.Program) []Block {
	var blocks []Block
	for _, program := range programs {
		for _, e := range engines {
			switch {
			case isBrowser(e.name) && !(o.inBrowser(e.name, round) && slices.Contains(smallReal, program.Name)):
				continue
			case e.name == "goja" && program.Classic && program.NeedsNPM: // it would take seconds to load the tools
				continue
			}
			blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: realWays(o, e.name, e.sampler, round, program), Balance: !program.Classic && !o.Quick})
		}
	}
	return blocks
}

// realWays are the ways of a real program. Rounds after the first have only those that
// need more samples or other seeds.
func realWays(o Options, engine, sampler string, round int, program fixtures.Program) []Way {
	interval := o.intervalIn(engine, program)
	ways := append(cleanWays()[:1], truthWays(sampler, interval)...)
	some := presets
	if program.Classic {
		some = ends
	}
	ways = append(ways, profiledWays(some, "", interval)...)
	switch {
	case isBrowser(engine):
		if engine != "webkit" { // it always polls
			ways = append(ways, profiledWays(ends, "poll", interval)...)
		}
		return ways
	case program.Classic, o.Quick, round > 1:
		return ways
	}
	ways = append(ways, profiledWays(ends[:1], "", usualInterval)...)
	if engine == "node" {
		ways = append(ways, profiledWays(ends, "poll", interval)...)
		ways = append(ways, plainWays(ends[:1], interval)...)
	}
	return ways
}

func isBrowser(engine string) bool { return engine != "goja" && engine != "node" }

// inBrowser reports whether a plan runs anything in a browser: the quick one does if
// the browser is named, and as often as time allows; the full one does once.
func (o Options) inBrowser(engine string, round int) bool {
	if o.Quick {
		return slices.Contains(o.Engines, engine)
	}
	return round == 1
}
