package bias

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Options say what is to be measured.
type Options struct {
	Quick   bool
	Only    string   // a part of programs' names, or engine/part
	Engines []string // none: all
	Budget  time.Duration
}

// Plan is what is to be run: blocks, the most telling ones first, as many as
// the budget holds.
type Plan struct {
	Blocks []Block
	Budget time.Duration
}

// Block is a program in an engine, in every way in turn. Its runs are compared
// with each other, so a block runs whole or not at all.
type Block struct {
	Engine  string
	Program fixtures.Program
	Round   int
	Ways    []Way
	// Change is what is done to the source first; nil for nothing.
	Change *Change
	// Clocked programs keep an account of their functions' times.
	Clocked bool
	// Lasts is how long a clean run is to take.
	Lasts time.Duration
}

// engines in the order of tables, with the sampler whose word is truth. V8 is
// asked not to inline for it: its sampler does not name what it inlined.
var engines = []struct{ name, sampler string }{
	{"goja", "goja"},
	{"node", "v8-noinline"},
	{"chromium", "chromium"},
	{"firefox", "spidermonkey"},
	{"webkit", "jsc"},
}

const (
	quickBudget = 285 * time.Second
	fullBudget  = 58 * time.Minute
	fullRounds  = 4
)

// Clean runs are to take this long: enough for samples, and for a just-in-time
// compiler to settle, and short enough for many runs. The quick plan's exact
// programs have few functions, and need fewer samples; the classic ones run once, and a
// browser takes longer to start than that.
const (
	runTime      = 2 * time.Second
	shortRunTime = time.Second
	longRunTime  = 3 * time.Second
)

// The programs of the quick plan: of both kinds, own ones and libraries; and
// exact ones that part good attribution from bad.
var (
	quickReal  = []string{"raytrace", "acorn", "markdown-it"}
	quickExact = []string{"compute-sin", "sequence", "native-sort", "tiny-leaf", "periodic"}
	smallReal  = []string{"raytrace", "acorn"} // in browsers, where runs are dear
	smallExact = []string{"compute-sin", "sequence"}
)

// NewPlan plans a bench.
func NewPlan(o Options) Plan {
	plan := Plan{Budget: o.Budget}
	if plan.Budget == 0 {
		plan.Budget = fullBudget
		if o.Quick {
			plan.Budget = quickBudget
		}
	}
	rounds := fullRounds
	if o.Quick {
		rounds = 1
	}
	for round := 1; round <= rounds; round++ {
		plan.Blocks = append(plan.Blocks, realBlocks(o, round, fixtures.Real())...)
		plan.Blocks = append(plan.Blocks, exactBlocks(o, round)...)
		plan.Blocks = append(plan.Blocks, actionBlocks(o, round)...)
		plan.Blocks = append(plan.Blocks, clockedBlocks(o, round)...)
		if round == 1 && !o.Quick {
			plan.Blocks = append(plan.Blocks, realBlocks(o, round, fixtures.Classic())...)
		}
	}
	if o.Quick { // what time is left makes samples more
		plan.Blocks = append(plan.Blocks, realBlocks(o, 2, fixtures.Real())...)
	}
	plan.Blocks = slices.DeleteFunc(plan.Blocks, func(b Block) bool {
		return !o.wants(b.Engine, b.Program.Name)
	})
	for i := range plan.Blocks {
		plan.Blocks[i].Lasts = o.lasts(plan.Blocks[i].Engine, plan.Blocks[i].Program)
	}
	return plan
}

// lasts is the same for all blocks of a program, which share its scale.
func (o Options) lasts(engine string, program fixtures.Program) time.Duration {
	switch {
	case isBrowser(engine):
		return longRunTime
	case o.Quick && program.Expected != nil:
		return shortRunTime
	case isClassic(program):
		return longRunTime
	}
	return runTime
}

func isClassic(program fixtures.Program) bool {
	return slices.ContainsFunc(fixtures.Classic(), func(p fixtures.Program) bool { return p.Path == program.Path })
}

func (o Options) wants(engine, program string) bool {
	if len(o.Engines) > 0 && !slices.Contains(o.Engines, engine) {
		return false
	}
	return o.Only == "" || strings.Contains(engine+"/"+program, o.Only)
}

// realBlocks compare profiles of programs that do real work with engines'
// samplers.
func realBlocks(o Options, round int, programs []fixtures.Program) []Block {
	var blocks []Block
	for _, program := range programs {
		for _, e := range engines {
			if !inPlan(o, e.name, program.Name, round, quickReal, smallReal) {
				continue
			}
			blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: realWays(o, e.name, e.sampler, round, isClassic(program))})
		}
	}
	return blocks
}

// realWays are those of a real program. Of classic ones only the presets at both
// ends run, and in rounds after the first nothing but what needs more samples.
func realWays(o Options, engine, sampler string, round int, classic bool) []Way {
	ways := append(cleanWays(), truthWays(sampler, standardInterval)...)
	some := presets
	if classic {
		some = []transform.Preset{transform.Balanced, transform.Precise}
	}
	ways = append(ways, profiledWays(some, "", standardInterval)...)
	if isBrowser(engine) { // their processor time is not known
		return slices.DeleteFunc(ways, func(w Way) bool { return w.Name == "clean again" })
	}
	if o.Quick {
		some = []transform.Preset{transform.Balanced, transform.Precise}
	}
	ways = append(ways, idleWays(some)...)
	if o.Quick || classic || round > 1 {
		return ways
	}
	ways = append(ways, profiledWays([]transform.Preset{transform.Balanced}, "", 10*time.Millisecond)...)
	if engine == "node" {
		ways = append(ways, profiledWays([]transform.Preset{transform.Balanced, transform.Precise}, "poll", standardInterval)...)
	}
	return ways
}

// exactBlocks compare profiles, and the engine's sampler as people use it, with
// distributions that are known.
func exactBlocks(o Options, round int) []Block {
	var blocks []Block
	for _, program := range fixtures.Exact() {
		for _, e := range engines {
			if !inPlan(o, e.name, program.Name, round, quickExact, smallExact) {
				continue
			}
			interval := standardInterval
			if program.Idle {
				interval /= 5 // little of its time is to be sampled
			}
			some := []transform.Preset{transform.Balanced, transform.Precise}
			if o.Quick {
				some = some[1:]
			}
			ways := append(cleanWays()[:1], profiledWays(some, "", interval)...)
			ways = append(ways, Way{Name: "truth", Use: Truth, Sampler: inliningSampler(e.sampler), Interval: interval})
			if program.Name == "periodic" { // a cycle of 10 ms: would the clock beat with it?
				ways = append(ways, profiledWays([]transform.Preset{transform.Precise}, "", 10*time.Millisecond)...)
			}
			if !isBrowser(e.name) && round == 1 { // a page's clock is too coarse
				ways = append(ways, tracedWays(program)...)
			}
			blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: ways})
		}
	}
	return blocks
}

// inliningSampler is a sampler on the program as it runs in the field.
func inliningSampler(sampler string) string { return strings.TrimSuffix(sampler, "-noinline") }

func isBrowser(engine string) bool { return engine != "goja" && engine != "node" }

// inPlan says which programs are part of which plan: the quick one has a few, in
// browsers only where those are asked for; and the full one has fewer in browsers,
// and only twice.
func inPlan(o Options, engine, program string, round int, quick, inBrowsers []string) bool {
	switch {
	case o.Quick && isBrowser(engine):
		return slices.Contains(o.Engines, engine) && slices.Contains(inBrowsers, program)
	case o.Quick:
		return slices.Contains(quick, program)
	case isBrowser(engine):
		return round <= 2 && slices.Contains(inBrowsers, program)
	}
	return true
}
