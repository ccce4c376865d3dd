package builddir

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// The work in progress at one time never weighs more than the bound, unless one
// thing alone does.
func TestEachWithin(t *testing.T) {
	w := &work{settings: &settings{Options: Options{Workers: 4}}, ctx: context.Background()}
	weights := []int64{50, 9, 9, 8, 4, 4, 3, 2, 1, 1, 0, 0}
	var mu sync.Mutex
	var weight, most int64
	var calls int
	err := w.eachWithin(weights, 10, func(i int) error {
		mu.Lock()
		weight += weights[i]
		if calls++; i > 0 {
			most = max(most, weight)
		} else if weight != 50 {
			t.Errorf("%d weigh in beside the heaviest", weight-50)
		}
		mu.Unlock()
		for range 1000 {
			runtime.Gosched() // give others a chance to come in
		}
		mu.Lock()
		weight -= weights[i]
		mu.Unlock()
		return nil
	})
	if err != nil || calls != len(weights) || most > 10 {
		t.Errorf("%v; %d calls of %d; at most %d at once", err, calls, len(weights), most)
	}
}

func TestEachStopsAtTheFirstError(t *testing.T) {
	w := &work{settings: &settings{Options: Options{Workers: 2}}, ctx: context.Background()}
	fault := errors.New("fault")
	var calls atomic.Int32
	err := w.each(1000, func(i int) error {
		calls.Add(1)
		return fault
	})
	if err != fault || calls.Load() > 2 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}
