package overhead

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// Proof compares the cost of checks between builds that share an isolate, and builds that
// have processes of their own, run in random order.
type Proof struct {
	Programs map[string]*ProgramProof `json:"programs"` // "program, preset"
}

// ProgramProof is the comparison on one program, in percent. Values are logarithms: of
// ratios where the isolate is shared, of times elsewhere.
type ProgramProof struct {
	Shared   *estimate.Estimate `json:"shared"`
	Separate *estimate.Estimate `json:"separate"`
	// Difference is what sharing adds.
	Difference *estimate.Estimate `json:"difference"`
	Together   []float64          `json:"together"`
	Clean      []float64          `json:"clean"`
	Checked    []float64          `json:"checked"`
}

const proofRounds = 12

// proofRoundsOf are the rounds of a turn: processes must agree on them.
var proofRoundsOf = map[string]int{"acorn": 2, "kernel": 40}

// proofWays are a shared isolate, and one for each build.
func proofWays(engine string) []way {
	idle := waysIn(engine)[0].phases
	alone := func(name string, build int) way {
		phases := slices.Clone(idle)
		for i := range phases {
			phases[i].Only = &build
		}
		return way{name: name, only: true, phases: phases}
	}
	return []way{{name: "shared", phases: idle}, alone("clean alone", clean), alone("checked alone", checked)}
}

// proved evaluates a proof's invocations.
func proved(c *collector) *Proof {
	p := &Proof{Programs: map[string]*ProgramProof{}}
	for _, r := range c.records {
		if c.skipped[r.cell.String()] != "" {
			continue
		}
		key := fmt.Sprintf("%s, %s", r.Program.Name, r.Preset)
		of := p.Programs[key]
		if of == nil {
			of = &ProgramProof{}
			p.Programs[key] = of
		}
		of.add(&r)
	}
	for key, of := range p.Programs {
		of.estimate(key)
	}
	return p
}

func (p *ProgramProof) add(r *record) {
	if !r.way.only {
		if value, ok := r.result.value(0, idlePhase, mainMeter); ok {
			p.Together = append(p.Together, value)
		}
		return
	}
	into := &p.Clean
	build := *r.order.Phases[0].Only
	if build == checked {
		into = &p.Checked
	}
	if logs := r.result.singles(0, mainMeter, build); len(logs) > 0 {
		*into = append(*into, estimate.Trimmed(logs, trim))
	}
}

// estimate combines replicates that were drawn independently.
func (p *ProgramProof) estimate(key string) {
	nested := func(values []float64, seed uint64) *estimate.Estimate {
		return estimate.Nested([][]float64{values}, seed)
	}
	shared, alone, with := nested(p.Together, 1), nested(p.Clean, 2), nested(p.Checked, 3)
	if shared == nil || alone == nil || with == nil {
		return
	}
	minus := func(a, b *estimate.Estimate) estimate.Estimate {
		replicates := make([]float64, len(a.Replicates))
		for i := range replicates {
			replicates[i] = a.Replicates[i] - b.Replicates[i]
		}
		return estimate.Percentile(a.Value-b.Value, replicates)
	}
	separate := minus(with, alone)
	difference := minus(shared, &separate)
	for into, e := range map[**estimate.Estimate]estimate.Estimate{&p.Shared: *shared, &p.Separate: separate, &p.Difference: difference} {
		e = e.Percents()
		e.Replicates = nil
		*into = &e
	}
}

func (p *Proof) write(b *strings.Builder) {
	b.WriteString("\n## Whether sharing an isolate bends the figures\n\n")
	p.table(b)
}

func (p *Proof) table(b *strings.Builder) {
	b.WriteString("Idle cost of the checks, processor time of the main thread, in percent: both builds in one process, and processes of one build each.\n\n" +
		"| program | one process | invocations | a process each | invocations | difference |\n|---|---|---|---|---|---|\n")
	for _, key := range slices.Sorted(maps.Keys(p.Programs)) {
		of := p.Programs[key]
		fmt.Fprintf(b, "| %s | %s | %d | %s | %d + %d | %s |\n", figures.Cell(key), fine(of.Shared), len(of.Together), fine(of.Separate), len(of.Clean), len(of.Checked), fine(of.Difference))
	}
}
