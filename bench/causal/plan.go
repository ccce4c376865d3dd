package causal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Options say what to measure.
type Options struct {
	Quick   bool
	Only    string   // a part of engine/program
	Engines []string // none: goja and Node
	Budget  time.Duration
	Rounds  int    // at most
	Seed    uint64 // of the arrangement; 0: the day's
	Replay  string // a directory with causal.json, whose runs are evaluated again; nothing runs
}

const (
	quickBudget = 2 * time.Minute
	fullBudget  = 18 * time.Minute
)

// The quick plan has three programs, since fewer have no mean, and runs them briefly.
var quickPrograms = []string{"raytrace", "sheet", "acorn"}

const quickPart = 2 // of the time of a run

// Block is a program in an engine, for one round: with its doses or, if there is a
// Change, without and with that.
type Block struct {
	Engine  *Engine
	Program fixtures.Program
	Round   int
	Change  *Change
	Ways    []Way
}

// Plan is what to run, in this order, as much as fits into the budget.
type Plan struct {
	Blocks []Block
	Budget time.Duration
}

// newPlan plans the runs: all programs once, the optimizations, then more rounds.
func newPlan(o Options, engines []*Engine, ways func(*Engine) []Way) Plan {
	plan := Plan{Budget: o.Budget}
	if plan.Budget == 0 {
		plan.Budget = fullBudget
		if o.Quick {
			plan.Budget = quickBudget
		}
	}
	rounds := max(1, o.Rounds)
	if o.Quick {
		rounds = 1
	}
	for round := 1; round <= rounds; round++ {
		for _, changing := range []bool{false, true} {
			for _, program := range fixtures.Real() {
				for _, e := range engines {
					b := Block{Engine: e, Program: program, Round: round, Ways: o.some(ways(e))}
					if changing {
						b.Change = changes[program.Name]
					}
					if o.wants(e, program.Name, changing) && changing == (b.Change != nil) {
						plan.Blocks = append(plan.Blocks, b)
					}
				}
			}
		}
	}
	return plan
}

func (o Options) wants(e *Engine, program string, changing bool) bool {
	switch {
	case len(o.Engines) > 0 && !slices.Contains(o.Engines, e.Name), len(o.Engines) == 0 && e.inBrowser():
		return false
	case o.Only != "":
		return strings.Contains(e.Name+"/"+program, o.Only)
	case o.Quick && changing:
		return program == quickPrograms[0]
	case o.Quick:
		return slices.Contains(quickPrograms, program)
	}
	return true
}

// some leaves out ways that the quick plan has no time for.
func (o Options) some(ways []Way) []Way {
	if !o.Quick {
		return ways
	}
	return slices.DeleteFunc(ways, func(w Way) bool {
		return w.Profile && (w.Preset == transform.Classic || w.Preset == transform.Fine)
	})
}

// lasts is the intended time of a clean run. Longer runs are better than more: a
// just-in-time compiler settles in them.
func (o Options) lasts(e *Engine) time.Duration {
	switch {
	case o.Quick:
		return e.Lasts / quickPart
	case o.Budget >= 2*fullBudget:
		return 2 * e.Lasts
	}
	return e.Lasts
}

// runs of a block.
func (b *Block) runs() int {
	if b.Change != nil {
		return 2 * len(b.Ways)
	}
	return len(doses) * len(b.Ways)
}

// expected is the time of a block by plan. The doses of a condition add half of a
// program's time on average, and a program's first round chooses its functions.
func (b *Block) expected(o Options) time.Duration {
	lasts, chosen := o.lasts(b.Engine), time.Duration(0)
	if b.Round == 1 && b.Change == nil {
		chosen = 4 * (lasts + 2*b.Engine.Starts)
	}
	if b.Change == nil {
		lasts += lasts * 4 / 10
	}
	return chosen + time.Duration(b.runs())*(lasts+b.Engine.Starts)
}

// List is the plan for people.
func (p Plan) List(o Options) string {
	var b strings.Builder
	var total time.Duration
	for _, block := range p.Blocks {
		what := "doses"
		if block.Change != nil {
			what = "optimization"
		}
		expected := block.expected(o)
		total += expected
		fmt.Fprintf(&b, "round %d  %-8s %-18s %-13s %3d runs  %v\n", block.Round, block.Engine.Name, block.Program.Name, what, block.runs(), expected.Round(time.Second))
	}
	fmt.Fprintf(&b, "some %v in all; the budget is %v\n", total.Round(time.Second), p.Budget)
	return b.String()
}

// arguments are the arguments of the bench command that ask for the options.
func (o Options) arguments() string {
	words := []string{"causal"}
	if o.Quick {
		words = append(words, "--quick")
	}
	if o.Only != "" {
		words = append(words, "--only", o.Only)
	}
	if len(o.Engines) > 0 {
		words = append(words, "--engine", strings.Join(o.Engines, ","))
	}
	if o.Budget > 0 {
		words = append(words, "--budget", o.Budget.String())
	}
	return strings.Join(words, " ")
}
