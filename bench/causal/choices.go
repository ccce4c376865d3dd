package causal

import (
	"maps"
	"math"
	"slices"

	"github.com/fieldprof/fieldprof/bench/estimate"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// alike is the ratio of two doses from which the choice between them does not matter.
const alike = 0.99

// pick optimises the function that grew most by the profile. Of functions that grew alike chance
// picks one, as it does where a profile shows none of them.
func pick(doses, growths []float64) Choice {
	best, most, n := slices.Max(doses), slices.Max(growths), 0.0
	c := Choice{Of: 1}
	for f, dose := range doses {
		if growths[f] < most {
			continue
		}
		n++
		if dose >= alike*best {
			c.Right++
		}
		c.Regret += 100 * (1 - dose/best)
	}
	c.Right, c.Regret = c.Right/n, c.Regret/n
	return c
}

// at are the doses and responses of all functions in one place.
func (p *points) at(k int) (doses, growths []float64) {
	for f := range p.x {
		doses, growths = append(doses, p.x[f][k]), append(growths, p.y[f][k])
	}
	return doses, growths
}

// choices are what becomes of a choice under each condition, by its arrangement.
type choices map[string]Choice

func (c choices) sum() (sum Choice) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		sum.add(c[name])
	}
	return sum
}

// byChance is a random choice among the functions of a program.
func (t *Trial) byChance() choices {
	all := choices{}
	for i := range t.Runs {
		r := &t.Runs[i]
		if r.isBase() {
			continue
		}
		doses := make([]float64, len(t.Functions))
		for f := range doses {
			doses[f] = t.dose(r, f)
		}
		all[r.arrangement()] = pick(doses, make([]float64, len(doses)))
	}
	return all
}

// random is the name of a random choice, where ways are compared with it.
const random = "chance"

// Advantage is by how many points a way's choices are better than others, under the same
// conditions: the mean of programs.
type Advantage struct {
	Programs int                `json:"programs"`
	Right    *estimate.Estimate `json:"right"`  // more often right
	Regret   *estimate.Estimate `json:"regret"` // less regret
}

// over compares choices under the conditions that both have; false if there are none.
func (c choices) over(other choices) (right, regret float64, some bool) {
	n := 0.0
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if theirs, both := other[name]; both {
			n++
			right += 100 * (c[name].Right - theirs.Right)
			regret += theirs.Regret - c[name].Regret
		}
	}
	return right / max(1, n), regret / max(1, n), n > 0
}

// rivals are what ways are compared with: chance, and the engine's own samplers.
func (e *Result) rivals() []string {
	list := []string{random}
	for _, way := range wayNames(e.Ways) {
		if wayRank(way) == len(presets) {
			list = append(list, way)
		}
	}
	return list
}

// compare compares the choices of ways program by program, so that a program whose conditions are
// easy is so for both.
func (e *Result) compare(engine string) {
	for way, v := range e.Ways {
		var shares []estimate.Estimate
		rights, regrets := map[string][]estimate.Estimate{}, map[string][]estimate.Estimate{}
		for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
			t := e.Programs[program]
			m := t.Ways[way]
			if m == nil {
				continue
			}
			shares = append(shares, estimate.Exactly(100*m.Right/float64(m.Of)))
			for _, rival := range e.rivals() {
				if right, regret, some := m.choices.over(t.choicesOf(rival)); some && rival != way {
					rights[rival], regrets[rival] = append(rights[rival], estimate.Exactly(right)), append(regrets[rival], estimate.Exactly(regret))
				}
			}
		}
		if v.Rights = mean(shares, 0, engine, way); v.Rights != nil {
			*v.Rights = v.Rights.Bounded(0, 100)
		}
		v.Against = map[string]*Advantage{}
		for rival := range rights {
			v.Against[rival] = &Advantage{
				Programs: len(rights[rival]),
				Right:    mean(rights[rival], math.Inf(-1), engine, way, rival),
				Regret:   mean(regrets[rival], math.Inf(-1), engine, way, rival),
			}
		}
	}
}

func (t *Trial) choicesOf(name string) choices {
	if name == random {
		return t.byChance()
	}
	if m := t.Ways[name]; m != nil {
		return m.choices
	}
	return nil
}

// rightByChance is how often a random choice is right, in percent, as the mean of programs.
func (e *Result) rightByChance() float64 {
	var shares []float64
	for _, program := range slices.Sorted(maps.Keys(e.Programs)) {
		if sum := e.Programs[program].byChance().sum(); sum.Of > 0 {
			shares = append(shares, 100*sum.Right/float64(sum.Of))
		}
	}
	return figures.Mean(shares)
}
