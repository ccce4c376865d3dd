package overhead

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/transform"
)

// Options say what to measure.
type Options struct {
	Presets []transform.Preset // none: ours
	Quick   bool
	Only    string   // a part of programs' names, or engine/part
	Engines []string // none: those that tell processor times
	Budget  time.Duration
	Seed    uint64 // 0 picks one
	// MaxOverhead, in percent, measures builds whose checks counts have chosen to stay within it, on
	// the programs of trained.go and in Node; 0: whole presets.
	MaxOverhead float64
	// Trial measures the instrument: clean builds against clean ones, as they are and with
	// planted work. Prove compares builds that share an isolate with builds that do not.
	Trial, Prove bool
	// Replay is a directory of results, from whose values the figures are made again; nothing runs.
	Replay string
}

const (
	presetBudget = 20 * time.Minute
	quickBudget  = 110 * time.Second
	trialBudget  = 20 * time.Minute
	proofBudget  = 5 * time.Minute
)

// usual is the interval of recordings.
const usual = 10 * time.Millisecond

var (
	ours         = []transform.Preset{transform.Balanced, transform.Fine, transform.Precise}
	usualEngines = []string{"node", "goja"}
	// quickPrograms are three of each group. Browsers take long to start, and have only these.
	quickPrograms = []string{"raytrace", "kernel", "trees", "acorn", "marked", "zod"}
	proofPrograms = []string{"acorn", "kernel"}
)

// cell is a program in an engine, in one preset, or with those of its checks that counts have
// chosen to stay within so many percent.
type cell struct {
	Engine  string
	Program fixtures.Program
	Preset  transform.Preset
	Within  float64
}

func (c cell) String() string {
	return fmt.Sprintf("%s/%s, %s", c.Engine, c.Program.Name, c.checks())
}

// checks are a preset, or "precise within 2 %".
func (c cell) checks() string {
	if c.Within > 0 {
		return fmt.Sprintf("%s within %.3g %%", c.Preset, c.Within)
	}
	return c.Preset.String()
}

// way is what an invocation does with the checked build.
type way struct {
	name   string
	clock  string // of the recording; "" for none
	only   bool   // processes of one build each
	clean  bool   // the second build has no checks
	extra  float64
	phases []Phase
}

// The phases' names, which with the clock name columns.
const (
	idlePhase    = "idle"
	firstPhase   = "first second"
	settlePhase  = "" // not measured
	settledPhase = "settled"
	stoppedPhase = "stopped" // a second ago
	endedPhase   = "ended"
)

// times are the times of an invocation: of turns, of warming up, and of phases, in
// milliseconds of one build.
type times struct {
	turn, warm, idle, first, settle, settled, stop, end float64
	// rounds of a turn and blocks of a phase, at least: programs do different things in
	// turn, but a round of some takes half a second in goja.
	rounds, blocks int
}

// timesIn are as short as engines allow: V8 compiles again what has been sampled, and goja
// compiles nothing while it runs.
func timesIn(engine string) times {
	if engine == "goja" {
		return times{turn: 120, idle: 700, first: 1000, settled: 800, rounds: 1, blocks: 2}
	}
	return times{turn: 40, warm: 600, idle: 600, first: 1000, settle: 9000, settled: 800, stop: 1000, end: 4000, rounds: 2, blocks: 4}
}

// ways of an engine, the one without a recording first.
func waysIn(engine string) []way {
	t := timesIn(engine)
	build := checked
	idle := Phase{Name: idlePhase, Ms: t.idle, Blocks: t.blocks}
	first := Phase{Name: firstPhase, Ms: t.first, Begin: "record"}
	settle := Phase{Name: settlePhase, Ms: t.settle, Only: &build}
	settled := Phase{Name: settledPhase, Ms: t.settled, Blocks: t.blocks}
	ways := []way{{name: "idle", phases: []Phase{idle}}}
	if engine == "goja" {
		return append(ways, way{name: "recording", clock: "shared", phases: []Phase{idle, first, settled}})
	}
	return append(ways,
		way{name: "shared", clock: "shared", phases: []Phase{idle, first, settle, settled,
			{Name: settlePhase, Ms: t.stop, Only: &build, Begin: "stop"}, {Name: stoppedPhase, Ms: t.settled, Blocks: t.blocks},
			{Name: settlePhase, Ms: t.end, Only: &build}, {Name: endedPhase, Ms: t.settled, Blocks: t.blocks}}},
		way{name: "poll", clock: "poll", phases: []Phase{idle, first, settle, settled}})
}

// Step is one invocation.
type Step struct {
	cell
	way way
}

// Plan is what to run, in this order, as much as fits into the budget. The rest of the budget
// goes to further invocations (collector.more).
type Plan struct {
	Steps  []Step
	Budget time.Duration
	Seed   uint64
}

// pilots are the invocations of a cell that record nothing; rounds are those of recordings
// that follow. All of them show the cell's variation.
const (
	pilots = 2
	rounds = 2
)

// NewPlan plans the first invocations: a pilot that records nothing and, unless the plan
// is the quick one, two that record in each way. Within a round the order is random.
func NewPlan(o Options) Plan {
	plan := Plan{Budget: o.budget(), Seed: cmp.Or(o.Seed, rand.Uint64()>>12)}
	rng := rand.New(rand.NewPCG(plan.Seed, 1))
	recordings := func(engine string) []way { return waysIn(engine)[1:] }
	if o.MaxOverhead > 0 {
		recordings = func(engine string) []way { return waysIn(engine)[1:2] } // by shared memory
	}
	round := func(cells []cell, ways func(engine string) []way) {
		var steps []Step
		for _, c := range cells {
			for _, w := range ways(c.Engine) {
				steps = append(steps, Step{c, w})
			}
		}
		rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		plan.Steps = append(plan.Steps, steps...)
	}
	cells := o.cells()
	switch {
	case o.Trial:
		for range trialRounds {
			round(cells, trialWays)
		}
		return plan
	case o.Prove:
		for range proofRounds {
			round(cells, proofWays)
		}
		return plan
	}
	for range pilots {
		round(cells, func(engine string) []way { return waysIn(engine)[:1] })
	}
	for range rounds {
		if o.Quick {
			break // ten seconds of recording each are too long
		}
		round(cells, recordings)
	}
	return plan
}

func (o Options) budget() time.Duration {
	switch {
	case o.Budget > 0:
		return o.Budget
	case o.Quick:
		return quickBudget
	case o.Trial:
		return trialBudget
	case o.Prove:
		return proofBudget
	}
	return presetBudget * time.Duration(len(o.presets()))
}

func (o Options) presets() []transform.Preset {
	switch {
	case len(o.Presets) > 0:
		return o.Presets
	case o.MaxOverhead > 0:
		return []transform.Preset{transform.Precise}
	case o.Quick || o.Trial || o.Prove:
		return ours[:1]
	}
	return ours
}

// cells of all engines, programs and presets that are wanted.
func (o Options) cells() []cell {
	var cells []cell
	for _, e := range engines {
		if wanted := o.engines(); !slices.Contains(wanted, e.name) {
			continue
		}
		for _, program := range o.programs() {
			if !o.wants(e.name, program) {
				continue
			}
			for _, preset := range o.presets() {
				cells = append(cells, cell{e.name, program, preset, o.MaxOverhead})
			}
		}
	}
	return cells
}

func (o Options) engines() []string {
	switch {
	case len(o.Engines) > 0:
		return o.Engines
	case o.Prove || o.MaxOverhead > 0:
		return usualEngines[:1] // goja compiles nothing that two builds could share, and runs no counting build
	}
	return usualEngines
}

func (o Options) programs() []fixtures.Program {
	if o.MaxOverhead > 0 {
		return trainedPrograms()
	}
	return fixtures.Real()
}

func (o Options) wants(engine string, program fixtures.Program) bool {
	switch {
	case o.Only != "":
		return strings.Contains(engine+"/"+program.Name, o.Only)
	case o.Prove:
		return slices.Contains(proofPrograms, program.Name)
	case o.Trial && program.Group() != fixtures.Libraries:
		return false
	}
	if o.MaxOverhead > 0 {
		return !o.Quick || program.Unlike
	}
	return !(o.Quick || browser.Is(engine)) || slices.Contains(quickPrograms, program.Name)
}

// List is the plan for people: the steps in groups of the same way.
func (p Plan) List() string {
	counts, names := map[string]int{}, []string{}
	for _, s := range p.Steps {
		name := fmt.Sprintf("%s, %s, %s", s.Engine, s.checks(), s.way.name)
		if counts[name]++; counts[name] == 1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "%4d × %s\n", counts[name], name)
	}
	fmt.Fprintf(&b, "and as many more as %v allows\n", p.Budget)
	return b.String()
}

// arguments are the arguments of the bench command that ask for the options.
func (o Options) arguments() string {
	words := []string{"overhead"}
	add := func(set bool, text ...string) {
		if set {
			words = append(words, text...)
		}
	}
	var presets []string
	for _, p := range o.Presets {
		presets = append(presets, p.String())
	}
	add(o.Trial, "--aa")
	add(o.Prove, "--prove")
	add(o.Quick, "--quick")
	add(len(presets) > 0, "--preset", strings.Join(presets, ","))
	add(o.MaxOverhead > 0, "--max-overhead", fmt.Sprintf("%.3g%%", o.MaxOverhead))
	add(o.Only != "", "--only", o.Only)
	add(len(o.Engines) > 0, "--engine", strings.Join(o.Engines, ","))
	add(o.Budget > 0, "--budget", o.Budget.String())
	return strings.Join(words, " ")
}
