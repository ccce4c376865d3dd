package visits

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Options say what is visited.
type Options struct {
	Quick    bool          // one site, in fewer rounds
	Only     string        // sites with this in their names
	Browsers []string      // in these; all if empty
	Budget   time.Duration // for all of it; the plan's if 0
	Keep     string        // a folder for the visits
	Replay   string        // a folder with visits to evaluate, instead of any new
}

// The whole plan, and the quick one.
const (
	wholeRounds, wholeBudget = 15, 15 * time.Minute
	quickRounds, quickBudget = 6, 3 * time.Minute
	quickSite                = "react"
)

// browsers in the order of tables. WebKitGTK's own driver has no context for a visit.
var browsers = []string{"chromium", "firefox"}

// Cell is a site in a browser over a network.
type Cell struct{ Browser, Network, Site string }

func (c Cell) String() string { return c.Browser + "/" + c.Network + "/" + c.Site }

// plan is the cells of a round and how often they are visited.
type plan struct {
	cells  []Cell
	rounds int
	budget time.Duration
}

func newPlan(o Options) plan {
	p := plan{rounds: wholeRounds, budget: wholeBudget}
	if o.Quick {
		p.rounds, p.budget = quickRounds, quickBudget
	}
	if o.Budget > 0 {
		p.budget = o.Budget
	}
	for _, b := range browsers {
		if len(o.Browsers) > 0 && !slices.Contains(o.Browsers, b) {
			continue
		}
		for _, n := range networkNames {
			for _, s := range sites {
				if strings.Contains(s.name, o.Only) && (!o.Quick || o.Only != "" || s.name == quickSite) {
					p.cells = append(p.cells, Cell{b, n, s.name})
				}
			}
		}
	}
	return p
}

// shuffled are the values in random order.
func shuffled[T any](rng *rand.Rand, values []T) []T {
	mixed := slices.Clone(values)
	rng.Shuffle(len(mixed), func(i, k int) { mixed[i], mixed[k] = mixed[k], mixed[i] })
	return mixed
}

// turn is the visits to a cell in a round.
type turn struct {
	cell   Cell
	builds []string // in this order
}

// schedule is a round, in random order: networks, each of which has lanes that are driven at the same
// time. On a fast network there is one lane. On a slow one, where pages mostly wait, each browser has its
// own, which takes half the time; they start together and are out of step at once.
func schedule(rng *rand.Rand, cells []Cell) [][][]turn {
	var stages [][][]turn
	for _, network := range shuffled(rng, networkNames) {
		var lanes [][]turn
		lane := map[string]int{}
		for _, c := range shuffled(rng, cells) {
			if c.Network != network {
				continue
			}
			key := ""
			if networks[network].Rate > 0 {
				key = c.Browser
			}
			if _, begun := lane[key]; !begun {
				lane[key] = len(lanes)
				lanes = append(lanes, nil)
			}
			lanes[lane[key]] = append(lanes[lane[key]], turn{c, shuffled(rng, builds)})
		}
		stages = append(stages, lanes)
	}
	return stages
}

// arguments are the arguments of the bench command that ask for the options.
func (o Options) arguments() string {
	text := "page"
	if o.Quick {
		text += " --quick"
	}
	if o.Only != "" {
		text += " --only " + o.Only
	}
	if len(o.Browsers) > 0 {
		text += " --engine " + strings.Join(o.Browsers, ",")
	}
	if o.Budget > 0 {
		text += " --budget " + o.Budget.String()
	}
	return text
}
