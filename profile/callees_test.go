package profile

import (
	"math/rand/v2"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Stacks are found again, whether few or many are called by one.
func TestStacksAreInterned(t *testing.T) {
	type key struct {
		caller StackID
		frame  FrameID
	}
	random := rand.New(rand.NewPCG(1, 2))
	var b Builder
	known := map[key]StackID{}
	for range 20_000 {
		k := key{StackID(random.IntN(len(known)+1) - 1), FrameID(random.IntN(4))}
		if random.IntN(2) == 0 { // one that calls hundreds
			k = key{NoStack, FrameID(random.IntN(500))}
		}
		if random.IntN(4) == 0 && len(known) > 5 {
			k = key{5, FrameID(random.IntN(20))}
		}
		got := b.Stack(k.caller, k.frame)
		want, ok := known[k]
		if !ok {
			want = StackID(len(known))
			known[k] = want
		}
		if got != want {
			t.Fatalf("the stack %v is %d, want %d", k, got, want)
		}
	}
	must.Equal(t, b.Stacks(), len(known))
}
