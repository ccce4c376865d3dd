package order

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type item struct{ offset, asked int }

func compare(x, y item) int {
	return cmp.Or(cmp.Compare(x.offset, y.offset), cmp.Compare(x.asked, y.asked))
}

func TestByOffset(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		size := random.IntN(1000)
		crowd := 1 + random.IntN(size+1) // all are before it
		var all []item
		var chunks [][]item
		for range random.IntN(4) {
			chunk := make([]item, random.IntN(40))
			for i := range chunk {
				chunk[i] = item{random.IntN(crowd), len(all)}
				if random.IntN(10) == 0 {
					chunk[i].offset = size
				}
				all = append(all, chunk[i])
			}
			chunks = append(chunks, chunk)
		}
		got := ByOffset(size, func(i *item) int { return i.offset }, compare, chunks...)
		slices.SortFunc(all, compare)
		if !slices.Equal(got, all) {
			t.Fatalf("got %v, want %v", got, all)
		}
	}
}
