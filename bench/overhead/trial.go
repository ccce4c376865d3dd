package overhead

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/bench/estimate"
)

// Trial is the instrument measured: a clean build against itself, and against itself with
// planted work, on the libraries.
type Trial struct {
	Planted float64                 `json:"planted"` // percent
	Engines map[string]*EngineTrial `json:"engines"`
}

// EngineTrial is the trial in one engine. Values are those of invocations, by program.
type EngineTrial struct {
	Same    *estimate.Estimate   `json:"same"` // percent
	More    *estimate.Estimate   `json:"more"`
	Values  map[string][]float64 `json:"values"`
	Planted map[string][]float64 `json:"plantedValues"`
	// Invocations is how many each program has in an experiment; of a hundred experiments
	// drawn from the recorded ones so many find a slowdown. They share invocations, and so
	// are not independent.
	Invocations int     `json:"invocations"`
	Found       float64 `json:"found"`
	FoundSame   float64 `json:"foundSame"` // where none was planted
	// FoundNone is FoundSame with the two builds swapped at random, which takes away what
	// may have set them apart.
	FoundNone float64 `json:"foundNone"`
}

const (
	trialRounds = 8
	planted     = 0.02
	experiments = 1000
	// perExperiment are the invocations of a program: as few as cells have at least.
	perExperiment = 5
)

// trialWays are a clean build against itself, as it is and with planted work.
func trialWays(engine string) []way {
	idle := waysIn(engine)[0].phases
	return []way{{name: "same", clean: true, phases: idle}, {name: "planted", clean: true, extra: planted, phases: idle}}
}

// tried evaluates a trial's invocations.
func tried(c *collector) *Trial {
	t := &Trial{Planted: 100 * planted, Engines: map[string]*EngineTrial{}}
	for _, r := range c.records {
		if c.skipped[r.cell.String()] != "" {
			continue
		}
		value, ok := r.result.value(0, idlePhase, headline(r.Engine))
		if !ok {
			continue
		}
		e := t.Engines[r.Engine]
		if e == nil {
			e = &EngineTrial{Values: map[string][]float64{}, Planted: map[string][]float64{}}
			t.Engines[r.Engine] = e
		}
		into := e.Values
		if r.way.extra > 0 {
			into = e.Planted
		}
		into[r.Program.Name] = append(into[r.Program.Name], value)
	}
	t.evaluate()
	return t
}

// evaluate makes the figures from the values.
func (t *Trial) evaluate() {
	for name, e := range t.Engines {
		e.Same, e.More = percents(estimate.Nested, listed(e.Values), name, "same"), percents(estimate.Nested, listed(e.Planted), name, "planted")
		e.experiment()
	}
}

// listed are a map's values in the order of its keys.
func listed(values map[string][]float64) [][]float64 {
	var list [][]float64
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, values[name])
	}
	return list
}

// experiment repeats the experiment with parts of the recorded invocations. Where both
// builds are the same, so are their names: swapping them at random makes the experiment
// one in which there is certainly nothing to find. As they were recorded, it also shows
// whether the instrument itself sets them apart.
func (e *EngineTrial) experiment() {
	e.Invocations = perExperiment
	for _, values := range append(listed(e.Values), listed(e.Planted)...) {
		e.Invocations = min(e.Invocations, len(values))
	}
	rng := rand.New(rand.NewPCG(7, 8))
	e.Found = 100 * rate(rng, listed(e.Planted), e.Invocations, false)
	e.FoundNone = 100 * rate(rng, listed(e.Values), e.Invocations, true)
	e.FoundSame = 100 * rate(rng, listed(e.Values), e.Invocations, false)
}

// rate is the part of experiments that find a slowdown.
func rate(rng *rand.Rand, recorded [][]float64, invocations int, swap bool) float64 {
	if len(recorded) == 0 {
		return 0
	}
	found := 0
	for i := range experiments {
		drawn := make([][]float64, len(recorded))
		for p, values := range recorded {
			for _, at := range rng.Perm(len(values))[:min(invocations, len(values))] {
				v := values[at]
				if swap && rng.IntN(2) == 0 {
					v = -v
				}
				drawn[p] = append(drawn[p], v)
			}
		}
		if slower(estimate.Nested(drawn, uint64(i))) {
			found++
		}
	}
	return float64(found) / experiments
}

// slower is the decision that there is a slowdown: the interval lies above 0.
func slower(e *estimate.Estimate) bool { return e != nil && e.Low > 0 }

func (t *Trial) write(b *strings.Builder) {
	b.WriteString("\n## The instrument itself\n\n")
	t.table(b)
}

func (t *Trial) table(b *strings.Builder) {
	fmt.Fprintf(b, "A clean build against itself, as it is and with planted work of %.3g %%; libraries, processor time of the main thread, in percent.\n"+
		"*Found*: how many of a hundred experiments find a slowdown, that is, have an interval above 0. Each is drawn from the same recorded invocations,\n"+
		"so that they tell about these; `TestTheProcedureSeesTwoPercent` simulates independent ones. *Swapped*: with the names of the two builds\n"+
		"exchanged at random, so that there is certainly nothing to find.\n\n", t.Planted)
	b.WriteString("| engine | the same | half the interval | with planted work | experiment | found, planted | found, the same | found, swapped |\n|---|---|---|---|---|---|---|---|\n")
	for _, engine := range slices.Sorted(maps.Keys(t.Engines)) {
		e := t.Engines[engine]
		half := "–"
		if e.Same != nil {
			half = fmt.Sprintf("±%.2f", math.Abs(e.Same.High-e.Same.Low)/2)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d programs × %d | %.1f | %.1f | %.1f |\n",
			engine, fine(e.Same), half, fine(e.More), len(e.Values), e.Invocations, e.Found, e.FoundSame, e.FoundNone)
	}
}

// fine is an interval with more digits.
func fine(e *estimate.Estimate) string {
	if e == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", e.Value, e.Low, e.High)
}
