package pages

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// maker makes random profiles, the same each time.
type maker struct {
	profile.Builder
	r         *rand.Rand
	functions []profile.FunctionID
	clock     int64
}

func newMaker(program string, functions int) *maker {
	m := &maker{r: rand.New(rand.NewPCG(7, 2))}
	m.Meta = profile.Meta{Program: program, Interval: time.Millisecond}
	for i := range functions {
		m.functions = append(m.functions, m.Function(profile.Function{
			Name: fmt.Sprintf("function%d", i), File: fmt.Sprintf("src/module%d/index.ts", i%120), Line: int32(1 + i/120*40), Column: 1, Flags: profile.Checked,
		}))
	}
	return m
}

// call is a stack with one more function, at one of a few lines of it.
func (m *maker) call(caller profile.StackID, function int) profile.StackID {
	f := m.functions[function]
	return m.Stack(caller, m.Frame(f, int32(1+function/120*40+m.r.IntN(4)), 1))
}

// sample adds one, about a millisecond after the one before.
func (m *maker) sample(stack profile.StackID, kind profile.Kind) {
	m.clock += 500_000 + m.r.Int64N(1_000_000)
	m.Sample(profile.Sample{Time: m.clock, Stack: stack, Kind: kind, Weight: 1})
}

func (m *maker) profile() *profile.Profile {
	m.Meta.Duration = time.Duration(m.clock)
	return m.Profile()
}

// Program is a profile like a real program's: tens of thousands of stacks, a few of
// them with most of the time; from sample to sample calls continue, return and call
// others; sometimes nothing runs, or the collector does.
func Program(samples int) *profile.Profile {
	const stacks = 40_000
	m := newMaker("program.ts", 3000)
	known := []profile.StackID{m.call(profile.NoStack, 0)}
	parent, depth, children := []int{-1}, []int{0}, make([][]int, stacks)
	for len(known) < stacks {
		caller := m.popular(len(known))
		if m.r.IntN(3) > 0 { // from one that is new itself
			caller = len(known) - 1 - m.r.IntN(min(50, len(known)))
		}
		if depth[caller] >= 60 {
			continue
		}
		children[caller] = append(children[caller], len(known))
		parent, depth = append(parent, caller), append(depth, depth[caller]+1)
		known = append(known, m.call(known[caller], m.popular(len(m.functions))))
	}
	idle, collector := m.Pseudo(profile.NoStack, profile.NameIdle), m.Pseudo(profile.NoStack, profile.NameGC)
	at := 0
	for i := 0; i < samples; i++ {
		switch way := m.r.IntN(1000); {
		case way < 1:
			for range min(200, samples-i-1) {
				m.sample(idle, profile.Idle)
				i++
			}
		case way < 5:
			m.sample(collector, profile.GC)
			continue
		case way < 50:
			at = m.popular(stacks)
		case way < 150 && parent[at] >= 0:
			at = parent[at]
		case way < 400 && len(children[at]) > 0:
			at = children[at][m.popular(len(children[at]))]
		}
		m.sample(known[at], profile.Own)
	}
	return m.profile()
}

// popular chooses one of count, the first ones more often.
func (m *maker) popular(count int) int {
	x := m.r.Float64()
	return int(x * x * x * float64(count))
}

// Chance is a profile without any order: each sample has one of a hundred thousand
// stacks, all of them 25 deep and different from the seventeenth call on at the latest.
func Chance(samples int) *profile.Profile {
	const stacks, deep = 100_000, 25
	m := newMaker("chance.ts", 1000)
	known := make([]profile.StackID, stacks)
	for i := range known {
		known[i] = profile.NoStack
		for depth := range deep {
			function := m.r.IntN(len(m.functions))
			if depth < 17 { // one of two
				function = 2*depth + (i>>depth)&1
			}
			known[i] = m.call(known[i], function)
		}
	}
	for range samples {
		m.sample(known[m.r.IntN(stacks)], profile.Own)
	}
	return m.profile()
}
