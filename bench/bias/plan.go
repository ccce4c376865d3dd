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

// The programs of the quick plan: of both kinds, own ones and libraries; and
// exact ones that part good attribution from bad.
var (
	quickReal  = []string{"raytrace", "acorn", "markdown-it"}
	quickExact = []string{"sequence", "callbacks", "native-sort", "tiny-leaf", "periodic"}
	smallReal  = []string{"raytrace", "acorn"} // in browsers, where runs are dear
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
		plan.Blocks = append(plan.Blocks, realBlocks(o, round)...)
		plan.Blocks = append(plan.Blocks, exactBlocks(o, round)...)
		plan.Blocks = append(plan.Blocks, actionBlocks(o, round)...)
		plan.Blocks = append(plan.Blocks, clockedBlocks(o, round)...)
	}
	if o.Quick { // what time is left makes samples more
		plan.Blocks = append(plan.Blocks, realBlocks(o, 2)...)
	}
	plan.Blocks = slices.DeleteFunc(plan.Blocks, func(b Block) bool {
		return !o.wants(b.Engine, b.Program.Name)
	})
	return plan
}

func (o Options) wants(engine, program string) bool {
	if len(o.Engines) > 0 && !slices.Contains(o.Engines, engine) {
		return false
	}
	return o.Only == "" || strings.Contains(engine+"/"+program, o.Only)
}

// realBlocks compare profiles of programs that do real work with engines'
// samplers.
func realBlocks(o Options, round int) []Block {
	var blocks []Block
	for _, program := range fixtures.Real() {
		for _, e := range engines {
			if !inPlan(o, e.name, program.Name, round, quickReal, smallReal) {
				continue
			}
			ways := append(cleanWays(), truthWays(e.sampler, standardInterval)...)
			ways = append(ways, profiledWays(presets, "", standardInterval)...)
			switch {
			case isBrowser(e.name): // their processor time is not known
				ways = slices.DeleteFunc(ways, func(w Way) bool { return w.Name == "clean again" })
			default:
				ways = append(ways, idleWays(presets)...)
			}
			if !o.Quick && !isBrowser(e.name) {
				ways = append(ways, profiledWays([]transform.Preset{transform.Balanced}, "", 10*time.Millisecond)...)
			}
			if !o.Quick && e.name == "node" {
				ways = append(ways, profiledWays([]transform.Preset{transform.Balanced, transform.Precise}, "poll", standardInterval)...)
			}
			blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: ways})
		}
	}
	return blocks
}

// exactBlocks compare profiles, and the engine's sampler as people use it, with
// distributions that are known.
func exactBlocks(o Options, round int) []Block {
	var blocks []Block
	for _, program := range fixtures.Exact() {
		for _, e := range engines {
			if !inPlan(o, e.name, program.Name, round, quickExact, nil) {
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
			blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Ways: ways})
		}
	}
	return blocks
}

// inliningSampler is a sampler on the program as it runs in the field.
func inliningSampler(sampler string) string { return strings.TrimSuffix(sampler, "-noinline") }

func isBrowser(engine string) bool { return engine != "goja" && engine != "node" }

// inPlan says which programs are part of which plan: the quick one has a few,
// and in browsers the full one has fewer, and only twice.
func inPlan(o Options, engine, program string, round int, quick, inBrowsers []string) bool {
	switch {
	case o.Quick:
		return !isBrowser(engine) && slices.Contains(quick, program)
	case isBrowser(engine):
		return round <= 2 && slices.Contains(inBrowsers, program)
	}
	return true
}
