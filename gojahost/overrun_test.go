package gojahost

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
)

// These scripts come to no check: balanced leaves short functions and loops around calls alone.
const unchecked = `
	function step(n) { return n + 1 }
	function spin() { begun(); for (let n = 0; ; ) n = step(n) }
	function stay() { return until() }`

// shared is a clock that several goroutines read.
type shared struct{ now atomic.Int64 }

func (s *shared) tick(h *Host) {
	s.now.Add(int64(10 * time.Millisecond))
	h.counter.Raise()
	h.overdue() // as the machine's clock does from time to time
	runtime.Gosched()
}

// uncheckedHost is a host with these scripts, and a clock that the test moves.
func uncheckedHost(t *testing.T, options Options) (h *Host, clock *shared) {
	t.Helper()
	clock = &shared{}
	co := coordinator.New(coordinator.Options{Clock: func() time.Duration { return time.Duration(clock.now.Load()) }})
	h = NewWith(goja.New(), co, options)
	h.recording.cpu.read = func() (time.Duration, bool) { return time.Duration(clock.now.Load()) / 2, true }
	must.Get(h.RunScript("rules.js", unchecked))(t)
	return h, clock
}

func (h *Host) call(task *Task, name string) error {
	fn, _ := goja.AssertFunction(h.vm.Get(name))
	_, err := task.Callable(fn)(nil)
	return err
}

// A script that never comes to a check is over its budget all the same, and the error and the
// profile say where it was.
func TestBudgetsOfEndlessUncheckedTasks(t *testing.T) {
	for name, used := range map[string]time.Duration{"by the clock": time.Second, "by the processor": 2 * time.Second} {
		t.Run(name, func(t *testing.T) {
			h, clock := uncheckedHost(t, Options{CPU: strings.Contains(name, "processor")})
			h.SetBudgets(Budget{Tags: []string{"tenant", "a"}, Task: time.Second, Act: (*Overrun).Interrupt})
			ended := make(chan error)
			begun := make(chan bool)
			_ = h.vm.Set("begun", func() { close(begun) })
			go func() { ended <- h.call(h.As("tenant", "a"), "spin") }()
			<-begun // all ticks are the loop's
			for {
				select {
				case err := <-ended:
					var over *Overrun
					if !errors.As(err, &over) || !over.late || clock.now.Load() < int64(used) {
						t.Fatalf("after %v: %v", time.Duration(clock.now.Load()), err)
					}
					must.Contain(t, "the error", err.Error(), "tenant=a used 1", "of 1s that a task may: 100% of it in s", " (rules.js:") // step or spin
					if counts := byTags(h.Profile()); counts["tenant=a own"] < 99 || counts["tenant=a program"] > 0 {
						t.Errorf("the profile has %v", counts)
					}
					must.Get(h.RunScript("next.js", `for (let i = 0; i < 9; i++);`))(t) // the interruption does not last
					return
				default:
					clock.tick(h)
				}
			}
		})
	}
}

// Without an interruption the script goes on. To interrupt it once it has ended interrupts
// nothing else.
func TestUncheckedTasksGoOn(t *testing.T) {
	h, clock := uncheckedHost(t, Options{})
	told := make(chan *Overrun, 9)
	h.SetBudgets(Budget{Task: time.Second, Total: 5 * time.Second, Act: func(o *Overrun) { told <- o }})
	var overruns []*Overrun
	_ = h.vm.Set("until", func() {
		for len(overruns) < 2 {
			select {
			case o := <-told:
				overruns = append(overruns, o)
			default:
				clock.tick(h)
			}
		}
	})
	must.Do(t, h.call(h.As(), "stay"))
	must.Equal(t, overruns[0].What+", "+overruns[1].What, "a task, all tasks")
	for _, o := range overruns {
		if !o.late || o.Used < o.Limit || o.Share > 0 {
			t.Errorf("%+v", o)
		}
	}
	_ = h.vm.Set("until", func() { overruns[0].Interrupt() })
	must.Do(t, h.call(h.As(), "stay"))
	must.Equal(t, len(told), 0, "overruns of tasks without one")
}

// A task that waits uses nothing, and is not looked at.
func TestWaitingTasksAreNotLookedAt(t *testing.T) {
	h, clock := uncheckedHost(t, Options{})
	h.SetBudgets(Budget{Task: time.Second, Act: func(o *Overrun) { t.Error(o) }})
	_ = h.vm.Set("until", func() {
		h.Waiting(func() {
			for range 500 {
				clock.tick(h)
			}
			h.overdue()
		})
	})
	must.Do(t, h.call(h.As(), "stay"))
	h.overdue()
}

// Runtimes of a pool whose scripts never come to a check all end.
func TestEndlessUncheckedTasksOfAPool(t *testing.T) {
	clock := coordinator.New(coordinator.Options{Interval: time.Millisecond})
	defer clock.Start()()
	pool := NewPool(clock, Options{CPU: true})
	pool.SetBudgets(Budget{Task: time.Millisecond, Act: (*Overrun).Interrupt})
	program := must.Get(pool.Compile("rules.js", []byte(unchecked)))(t)
	var runs sync.WaitGroup
	for n := range 8 {
		runs.Go(func() {
			vm := goja.New()
			h, err := pool.Host(vm)
			if err != nil {
				t.Error(err)
				return
			}
			defer h.Close()
			_ = vm.Set("begun", func() {})
			main, err := program.In(h)
			if err == nil {
				_, err = h.RunProgram(main)
			}
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 3 {
				var over *Overrun
				if err := h.call(h.As("tenant", fmt.Sprint(n), "run", fmt.Sprint(i)), "spin"); !errors.As(err, &over) {
					t.Errorf("it ended with %v", err)
				}
			}
		})
	}
	runs.Wait()
}
