package causal

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// doses are the aims in parts of a program's time, by level: no dose, then three, each
// twice the one before.
var doses = [...]float64{0, 0.05, 0.10, 0.20}

// multiple is a level's number of rounds in steps of the lowest dose.
func multiple(level int) int {
	if level == 0 {
		return 0
	}
	return 1 << (level - 1)
}

// Condition is a level of dose for each function; without any, the base.
type Condition []int

// conditions of a round: the base, and one for each dose. In the latter every function
// has each dose once, in an order of its own.
func conditions(functions int, rng *rand.Rand) []Condition {
	list := make([]Condition, len(doses))
	for k := range list {
		list[k] = make(Condition, functions)
	}
	for f := range functions {
		for k, level := range rng.Perm(len(doses) - 1) {
			list[1+k][f] = 1 + level
		}
	}
	return list
}

// generator is a source of randomness of its own for each purpose, repeatable by the
// session's seed.
func generator(seed uint64, purpose ...string) *rand.Rand {
	return rand.New(rand.NewPCG(seed, number(purpose...)))
}

func number(of ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(of, "\x00")))
	return h.Sum64()
}
