package bias

import (
	"fmt"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// The settings of the field: a program has settled, in whatever time a just-in-time
// compiler takes for that, before it is recorded, and ticks are 10 ms apart. So a profile
// takes half a minute, and these runs are longer than all others:
//
//	balanced field   |--- settles, nothing records ---|--- 10 ms ticks --------------|
//	truth field      |--- settles, sampled in vain ---|-- sampler --|
//
// Engines' samplers start with the program; samples from before it has settled are
// dropped.
const (
	settling      = 10 * time.Second
	fieldTime     = 40 * time.Second // 3,000 ticks, and those of the collector
	fieldTruth    = 5 * time.Second
	fieldInterval = 10 * time.Millisecond
)

// fieldReal are the programs that run so, the most different first: there is no time for
// all. The first few run so in goja, too, and by precise.
var fieldReal = []string{"acorn", "raytrace", "markdown-it", "zod", "immer-semver", "handlebars"}

const few = 3

// fieldBlocks compare profiles of settled programs with the truth about the same phase.
func fieldBlocks(o Options, round int, engine string) []Block {
	var blocks []Block
	for i, program := range named(fixtures.Real(), fieldReal) {
		some := ends
		if i >= few || engine == "goja" { // goja compiles once, so there is less to settle
			some = ends[:1]
		}
		if i >= few && engine == "goja" {
			continue
		}
		ways := append(truthWays(samplerOf(engine), o.intervalIn(engine, program)), profiledWays(some, "", fieldInterval)...)
		blocks = append(blocks, Block{Engine: engine, Program: program, Round: round, Ways: inField(ways)})
	}
	return blocks
}

// inField are the same ways of a program that has settled.
func inField(ways []Way) []Way {
	for i := range ways {
		w := &ways[i]
		w.After = settling
		switch {
		case w.Use == Truth && w.Again:
			w.Name, w.Lasts = truthField+" again", settling+fieldTruth
		case w.Use == Truth:
			w.Name, w.Lasts = truthField, settling+fieldTruth
		default:
			w.Name, w.Lasts = w.Preset.String()+" field", settling+fieldTime
		}
	}
	return ways
}

const truthField = "truth field"

// truths are the names of the ways that a profile in this way is compared with.
func (w *Way) truths() (truth, again string) {
	if w.After > 0 {
		return truthField, truthField + " again"
	}
	return "truth", "truth again"
}

// checkHeld reports a profile that holds more than the settled part.
func checkHeld(p *profile.Profile, after time.Duration) error {
	if p.Len() > 0 && time.Duration(p.Samples.Time[0]) < after {
		return fmt.Errorf("it was recorded before it had settled: %v after its start, not %v",
			time.Duration(p.Samples.Time[0]).Round(time.Millisecond), after)
	}
	return nil
}

// The places where a program also runs.
var (
	pages = []string{"chromium", "firefox", "webkit"}
	// manyReal run in pages and in the current Node, where there is no time for all. The
	// first two run in pages in every way, and the third by balanced polling, too.
	manyReal = []string{"raytrace", "acorn", "markdown-it", "zod", "immer-semver", "handlebars", "lodash-mustache", "yaml"}
)

// pageBlocks compare profiles with browsers' samplers: first of as many programs that run
// everywhere as a mean needs, and then, if there is time, of the others and of sites, which
// WebKit's sampler cannot run: it has no pages.
func pageBlocks(o Options, round int) (first, others []Block) {
	many := named(fixtures.Real(), manyReal)
	return realBlocks(o, round, many[:estimate.FewestForMean], pages...),
		ifTime(realBlocks(o, round, fixtures.Sites(), pages[:2]...), realBlocks(o, round, many[estimate.FewestForMean:], pages...))
}

// ifTime are blocks whose time others may use up.
func ifTime(blocks ...[]Block) []Block {
	all := slices.Concat(blocks...)
	for i := range all {
		all[i].IfTime = true
	}
	return all
}

// serviceBlocks are services under load.
func serviceBlocks(o Options, round int) []Block {
	return realBlocks(o, round, fixtures.Services(), "node")
}

// currentBlocks compare profiles with V8's sampler in the current Node, in the same order.
func currentBlocks(o Options, round int) (first, others []Block) {
	many := named(fixtures.Real(), manyReal)
	return realBlocks(o, round, many[:estimate.FewestForMean], currentNode), ifTime(realBlocks(o, round, many[estimate.FewestForMean:], currentNode))
}

// placeWays are the ways of a program in a page or in the current Node. WebKit always polls.
func placeWays(engine string, program fixtures.Program, interval time.Duration) []Way {
	nth := slices.Index(manyReal, program.Name)
	if engine == currentNode || nth < 0 || nth >= estimate.FewestForMean {
		return profiledWays(ends, "", interval)
	}
	some, polled := presets, ends
	if nth >= 2 {
		some, polled = ends, ends[:1] // one more, for a mean
	}
	ways := profiledWays(some, "", interval)
	if engine != "webkit" {
		ways = append(ways, profiledWays(polled, "poll", interval)...)
	}
	return ways
}

// named are the programs of these names, in the order of the names.
func named(programs []fixtures.Program, names []string) []fixtures.Program {
	var list []fixtures.Program
	for _, name := range names {
		for _, p := range programs {
			if p.Name == name {
				list = append(list, p)
			}
		}
	}
	return list
}
