package collecting

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/fieldprof/fieldprof/profile"
)

// The size of the app.
const (
	functions = 4000
	files     = 16
	routes    = 20
	stacks    = 600 // of a route
	patterns  = 10  // different minutes of a route, in each release
)

// program is an app: its functions, and for each route a trie of calls.
type program struct {
	functions []profile.Function
	routes    [][]node
}

// node is a call: a function and the call it is made by, -1 for none.
type node struct{ parent, function int }

func newProgram(release int) *program {
	random := rand.New(rand.NewPCG(1, uint64(release)))
	p := &program{}
	for i := range functions {
		p.functions = append(p.functions, profile.Function{
			Name: fmt.Sprintf("%s%d", [...]string{"render", "update", "find", "on", "parse", "select", "e", "t"}[i%8], i),
			File: fmt.Sprintf("https://shop.example/assets/chunk-%02d-%04x.js", i%files, release), Line: 1, Column: int32(100 + 97*(i/files)), Flags: profile.Checked,
		})
	}
	for range routes {
		used := random.Perm(functions)[:functions/16] // what runs on one route
		calls := []node{{-1, used[0]}}
		for len(calls) < stacks {
			parent := random.IntN(len(calls))
			if recent := len(calls) - 1 - random.IntN(min(len(calls), 20)); random.IntN(3) > 0 {
				parent = recent // so that stacks are some 20 frames deep
			}
			calls = append(calls, node{parent, used[random.IntN(len(used))]})
		}
		p.routes = append(p.routes, calls)
	}
	return p
}

// minute is what one page did: the ticks in order, as nodes of its route, or idle.
type minute struct {
	route int
	ticks []int // -1: idle
}

// Shares of a minute.
const (
	ticksOfMinute = 6000
	busyTicks     = 500 // a page is busy 10 % of its time
)

// minute makes the ticks of a page. Work comes in bursts, and few stacks have most of it.
func (p *program) minute(route int, random *rand.Rand) minute {
	m := minute{route: route}
	order := random.Perm(stacks)
	zipf := rand.NewZipf(random, 1.05, 60, stacks-1)
	busy := 0
	for len(m.ticks) < ticksOfMinute {
		burst := 1 + int(random.ExpFloat64()*12)
		for range min(burst, busyTicks-busy) {
			m.ticks = append(m.ticks, order[zipf.Uint64()])
			busy++
		}
		rest := float64(ticksOfMinute-len(m.ticks)) / math.Max(1, float64(busyTicks-busy)/13)
		for range min(1+int(random.ExpFloat64()*rest), ticksOfMinute-len(m.ticks)) {
			m.ticks = append(m.ticks, -1)
		}
	}
	m.ticks = m.ticks[:ticksOfMinute]
	return m
}
