package bias

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
)

// Options say what to measure.
type Options struct {
	Part     Part
	Rounds   int // of a part; those of the whole plan follow from its budget
	Quick    bool
	Only     string        // a part of programs' names, or engine/part; several with commas between
	Engines  []string      // none: all
	Interval time.Duration // 0: what suits the engine
	Budget   time.Duration
	Resume   bool // adds to recordings that were kept before
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
	// Clocked programs account for their functions' times.
	Clocked bool
	// IfTime: other blocks may use up its time.
	IfTime bool
	// Balance: ways run again until they have about as many samples as the truth.
	Balance bool
	// Lasts is the intended time of a clean run.
	Lasts time.Duration
}

// variant is the variant of its program that a block runs.
func (b *Block) variant() string {
	if b.Clocked {
		return Clocked
	}
	return ""
}

// engines in the order of tables, with the sampler that defines the truth. V8 is
// asked not to inline for it: its sampler does not name inlined functions.
var engines = []struct{ name, sampler string }{
	{"goja", "goja"},
	{"node", "v8-noinline"},
	{currentNode, "v8-noinline"},
	{"chromium", "chromium-devtools"},
	{"firefox", "spidermonkey"},
	{"webkit", "jsc"},
}

// currentNode is a Node of the current release line, next to the one on the PATH.
const currentNode = "node-current"

func samplerOf(engine string) string {
	for _, e := range engines {
		if e.name == engine {
			return e.sampler
		}
	}
	return ""
}

const (
	quickBudget = 285 * time.Second
	fullBudget  = 75 * time.Minute
	halves      = 2 // rounds of real programs, each of half the time, in different parts of the plan
	moreRounds  = 3 // if the budget is larger
)

// The intended times of clean runs, in all rounds together: long enough for samples and for a just-in-time
// compiler to settle, short enough for many runs. Exact programs have few functions
// and need fewer samples; there are many classics; browsers take longer to start than
// to run.
const (
	runTime        = 2 * time.Second
	nodeRunTime    = 4100 * time.Millisecond
	classicRunTime = 1500 * time.Millisecond
	exactRunTime   = time.Second
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
	add := func(blocks ...[]Block) { plan.Blocks = append(plan.Blocks, slices.Concat(blocks...)...) }
	switch {
	case o.Part != "":
		for round := range o.Rounds {
			add(parts[o.Part](o, round+1))
		}
	case o.Quick: // remaining time adds programs and samples
		in := slices.DeleteFunc(slices.Concat(ours, pages, []string{currentNode}), func(engine string) bool {
			return !slices.Contains(ours, engine) && !slices.Contains(o.Engines, engine)
		})
		add(realBlocks(o, 1, named(fixtures.Real(), quickReal), in...), exactBlocks(o, 1), clockedBlocks(o, 1),
			realBlocks(o, 1, named(fixtures.Real(), quickMore), in...), realBlocks(o, 2, named(fixtures.Real(), quickReal), in...))
	default:
		inPages, morePages := pageBlocks(o, 1)
		inCurrent, moreCurrent := currentBlocks(o, 1)
		add(realBlocks(o, 1, fixtures.Real(), ours...), exactBlocks(o, 1), inPages, inCurrent, clockedBlocks(o, 1),
			exactBlocks(o, 2), serviceBlocks(o, 1), realBlocks(o, 2, fixtures.Real(), ours...), fieldBlocks(o, 1, "node"), exactBlocks(o, 3), fieldBlocks(o, 1, "goja"),
			morePages, moreCurrent, realBlocks(o, 1, fixtures.Classic(), ours...))
		if plan.Budget > fullBudget {
			add(realBlocks(o, moreRounds, fixtures.Real(), ours...))
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
	return slices.ContainsFunc(strings.Split(o.Only, ","), func(part string) bool { return strings.Contains(engine+"/"+program, part) })
}

// lasts is the same for all blocks of a program, since they share its scale.
func (o Options) lasts(engine string, program fixtures.Program) time.Duration {
	switch {
	case program.Packs != nil:
		return time.Duration(packScale(engine) * float64(len(program.Packs)) * float64(exactRunTime))
	case browser.Is(engine):
		return browserRunTime
	case o.Quick && program.Expected != nil:
		return quickExactTime
	case o.Quick:
		return quickRunTime
	case program.Expected != nil:
		return exactRunTime
	case program.Classic:
		return classicRunTime
	case isNode(engine):
		return nodeRunTime / time.Duration(o.roundsOf(engine, program))
	}
	return runTime / time.Duration(o.roundsOf(engine, program))
}

// roundsOf is in how many rounds of the whole plan a real program runs, whatever the budget.
func (o Options) roundsOf(engine string, program fixtures.Program) int {
	if o.Quick || !slices.Contains(ours, engine) || program.Classic || len(named(fixtures.Real(), []string{program.Name})) == 0 {
		return 1
	}
	return halves
}

// ours are the engines in which every real program runs, in every way.
var ours = []string{"goja", "node"}

// realBlocks compare profiles of real programs with engines' samplers.
func realBlocks(o Options, round int, programs []fixtures.Program, in ...string) []Block {
	var blocks []Block
	for _, program := range programs {
		for _, engine := range in {
			if engine == "goja" && program.Classic && program.NeedsNPM { // it would take seconds to load the tools
				continue
			}
			blocks = append(blocks, Block{Engine: engine, Program: program, Round: round, Ways: realWays(o, engine, round, program), Balance: !program.Classic && !o.Quick && round >= o.roundsOf(engine, program), IfTime: program.Classic || round > o.roundsOf(engine, program)})
		}
	}
	return blocks
}

// realWays are the ways of a real program. Rounds that a larger budget adds have only those
// that need more samples or other seeds.
func realWays(o Options, engine string, round int, program fixtures.Program) []Way {
	interval := o.intervalIn(engine, program)
	ways := truthWays(samplerOf(engine), interval)
	switch {
	case !slices.Contains(ours, engine):
		return append(ways, placeWays(engine, program, interval)...)
	case program.Classic:
		return append(ways, profiledWays(ends, "", interval)...)
	}
	ways = append(ways, profiledWays(presets, "", interval)...)
	if engine == "node" && round <= halves && !o.Quick && slices.Contains(fieldReal[:few], program.Name) {
		ways = append(ways, profiledWays(ends, "poll", interval)...)
		ways = append(ways, plainWays(ends[:1], interval)...)
	}
	return ways
}

func isNode(engine string) bool { return engine == "node" || engine == currentNode }

// inBrowser reports whether a plan runs anything in a browser: the quick one does if
// the browser is named, and as often as time allows; the full one does once.
func (o Options) inBrowser(engine string, round int) bool {
	if o.Quick {
		return slices.Contains(o.Engines, engine)
	}
	return round == 1
}
