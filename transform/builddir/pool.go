package builddir

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
)

// each calls do for 0 to n-1, some at a time, until the first error.
func (w *work) each(n int, do func(i int) error) error {
	return w.eachWithin(make([]int64, n), 0, do)
}

// eachScript instruments all scripts. The largest come first, because a large one at
// the end would leave processors idle. The scripts in progress together are no larger
// than the largest one, which bounds memory; a tree in memory occupies it anyway.
func (w *work) eachScript() error {
	weigh := func(s *scriptFile) int64 {
		weight := s.size
		if f := w.tree.byPath[s.source.from]; f != nil {
			weight += f.size
		}
		return weight
	}
	order := slices.SortedStableFunc(slices.Values(w.scripts), func(x, y *scriptFile) int { return cmp.Compare(weigh(y), weigh(x)) })
	weights := make([]int64, len(order))
	for i, s := range order {
		weights[i] = weigh(s)
	}
	bound := int64(minBound)
	if w.inMemory {
		bound = math.MaxInt64
	} else if len(order) > 0 {
		bound = max(bound, weights[0]+weights[0]/4)
	}
	return w.eachWithin(weights, bound, func(i int) error { return w.instrument(order[i]) })
}

// minBound lets any number of small files be in progress.
const minBound = 4 << 20

// eachWithin calls do for each weight, some at a time: next is the first that has not
// begun and fits into the bound with those in progress, or any if none is.
func (w *work) eachWithin(weights []int64, bound int64, do func(i int) error) error {
	workers := w.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(w.ctx)
	defer cancel(nil)
	var (
		mu     sync.Mutex
		left   = sync.NewCond(&mu) // something has ended
		begun  = make([]bool, len(weights))
		first  int // all before it have begun
		atWork int
		weight int64
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		for ctx.Err() == nil {
			for first < len(begun) && begun[first] {
				first++
			}
			if first == len(begun) {
				return -1
			}
			for i := first; i < len(begun); i++ {
				if !begun[i] && (atWork == 0 || weight+weights[i] <= bound) {
					begun[i], atWork, weight = true, atWork+1, weight+weights[i]
					return i
				}
			}
			left.Wait()
		}
		return -1
	}
	leave := func(i int) {
		mu.Lock()
		defer mu.Unlock()
		atWork, weight = atWork-1, weight-weights[i]
		left.Broadcast()
	}
	var group sync.WaitGroup
	for range min(workers, len(weights)) {
		group.Go(func() {
			for i := take(); i >= 0; i = take() {
				if err := do(i); err != nil {
					cancel(err)
				}
				leave(i)
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
