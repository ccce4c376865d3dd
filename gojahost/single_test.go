package gojahost

import (
	"errors"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/internal/must"
)

// descending is a host whose script goes down through Go functions that call it back, as tasks of the
// tags given by turns, and works for 10 ms on each level.
func descending(t *testing.T) (h *Host, down func(tenants string, times int) error) {
	t.Helper()
	h, _ = ticking(t, Options{})
	must.Get(h.vm.RunString(`
		function level(tenants, times) {
			for (var i = 0; i < times; i++) {
				pass(10); if (F) C(1);
				if (tenants) call(tenants, times);
			}
		}`))(t)
	level, _ := goja.AssertFunction(h.vm.Get("level"))
	down = func(tenants string, times int) error {
		_, err := h.As("tenant", tenants[:1]).Callable(level)(nil, h.vm.ToValue(tenants[1:]), h.vm.ToValue(times))
		return err
	}
	must.Do(t, h.vm.Set("call", down))
	return h, down
}

// However deep tasks of the same tags are within each other, and whatever is between them, Act is
// called once.
func TestNestedTasksAreToldOnce(t *testing.T) {
	for _, tenants := range []string{"a", "aa", "aaa", "aba", "abaca", "abab"} {
		t.Run(tenants, func(t *testing.T) {
			h, down := descending(t)
			told := 0
			h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 25 * time.Millisecond, Act: func(*Overrun) { told++ }})
			must.Do(t, down(tenants, 4))
			must.Equal(t, told, 1, "times")
			must.Do(t, down(tenants, 4))
			must.Equal(t, told, 2, "times, with the next task")
			must.Equal(t, len(h.singles), 0, "tasks that run")
		})
	}
}

// An interruption ends the tasks around it that have its error, and Act is not called again for these.
func TestInterruptionsOfNestedTasksAreToldOnce(t *testing.T) {
	for _, tenants := range []string{"a", "aa", "aaa", "aba", "abaca"} {
		t.Run(tenants, func(t *testing.T) {
			h, down := descending(t)
			told := 0
			h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 35 * time.Millisecond, Act: func(o *Overrun) {
				told++
				o.Interrupt()
			}})
			must.Fail(t, down(tenants, 1000), "tenant=a used")
			must.Equal(t, told, 1, "times")
		})
	}
}

// A script is held to its budget in the callbacks of another task's functions: A's task within B's is A's.
func TestBudgetsHoldViaOtherTags(t *testing.T) {
	for _, tenants := range []string{"aba", "abcba"} {
		t.Run(tenants, func(t *testing.T) {
			h, down := descending(t)
			var over *Overrun
			h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 35 * time.Millisecond, Act: func(o *Overrun) {
				if over == nil {
					over = o
				}
			}})
			must.Do(t, down(tenants, 2))
			if over == nil {
				t.Fatal("nobody is over the budget")
			}
			must.Equal(t, tagsOf(over.Tags), "tenant=a")
			must.Equal(t, over.Used, 40*time.Millisecond)
		})
	}
}

// A Go function that lets a script go on after its callbacks were interrupted does not free it from its budget.
func TestInterruptedCallbacksAreInterruptedAgain(t *testing.T) {
	for _, between := range []string{"a", "b"} {
		h, down := descending(t)
		h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 35 * time.Millisecond, Act: (*Overrun).Interrupt})
		interrupted := 0
		_ = h.vm.Set("stubborn", func() {
			_ = h.As("tenant", between).Run(func() error {
				for range 3 {
					var over *Overrun
					if err := down("a", 1000); errors.As(err, &over) {
						interrupted++
					}
				}
				return nil
			})
		})
		err := h.As("tenant", "a").Run(func() error {
			_, err := h.vm.RunString(`stubborn(); for (var i = 0; i < 1000; i++) { pass(10); if (F) C(1) }`)
			return err
		})
		must.Fail(t, err, "tenant=a used")
		must.Equal(t, interrupted, 3, "callbacks within", between)
	}
}

// An interruption that comes too late, when the task has called back into another one of its tags,
// interrupts that at its next check.
func TestInterruptionsThatMissTheirTask(t *testing.T) {
	h, down := descending(t)
	var missed *Overrun
	h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: 15 * time.Millisecond, Act: func(o *Overrun) {
		if missed != nil {
			o.Interrupt()
		} else {
			missed = o
		}
	}})
	_ = h.vm.Set("call", func() error {
		return h.As("tenant", "a").Run(func() error {
			if missed != nil {
				missed.Interrupt()
			}
			return down("a", 1000)
		})
	})
	must.Fail(t, down("aa", 2), "tenant=a used")
}

// Sets of tags beyond Options.MaxTags share their samples, not the budget of a single task.
func TestNestedTasksBeyondMaxTags(t *testing.T) {
	h, _, work, _ := working(t, Options{MaxTags: 1})
	told := 0
	h.SetBudgets(Budget{Task: 15 * time.Millisecond, Act: func(*Overrun) { told++ }})
	work(h.As("tenant", "a"), 1)
	must.Do(t, h.As("tenant", "b").Run(func() error {
		work(h.As("tenant", "c"), 10)
		work(h.As("tenant", "d"), 10)
		return nil
	}))
	must.Equal(t, told, 0, "overruns")
}
