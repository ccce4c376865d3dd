package gojahost

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Each turn of a runtime does one of these. A task has the tag "does" with the name of the
// function in which it spends its time, so a sample under the wrong tags shows.
const churning = `
function works() { let s = 0; for (let i = 0; i < 600; i++) s = (s * 31 + i) % 65521; return s; }
function throws() { let s = 0; for (let i = 0; i < 300; i++) s = (s * 31 + i) % 65521; throw new Error(s); }
function spins() { let s = 0; for (let i = 0; i < 300; i++) s = (s * 31 + i) % 65521; enough(); for (;;) s++; }
function waits() { let s = 0; for (let i = 0; i < 300; i++) s = (s * 31 + i) % 65521; rest(); return s; }
this[does]();`

var doings = []string{"works", "throws", "works", "spins", "waits"}

// churn is 50 runtimes on one coordinator: four fifths in a pool, the others alone.
type churn struct {
	*testing.T
	clock   *coordinator.Coordinator
	pool    *Pool
	program *Program
	present sync.WaitGroup // all runtimes at a time
	ended   chan struct{}  // has a value for each task that has ended
}

const crowd = 50

// slot runs one runtime after another.
func (c *churn) slot(i, runtimes int) {
	alone := i%5 == 4
	for n := range runtimes {
		h, main, err := c.runtime(alone)
		if n == 0 {
			c.present.Done()
			c.present.Wait()
		}
		if err != nil {
			c.Error(err)
			return
		}
		c.tasks(h, main, i+n)
		if n%2 == 0 || alone { // the others are dropped without a word
			h.Close()
		}
		if ticks := h.State().Ticks; alone && ticks.Raised != h.Profile().Meta.Ticks.Raised+ticks.Dropped {
			c.Errorf("a runtime's profile has %+v of %+v", h.Profile().Meta.Ticks, ticks)
		}
	}
}

// runtime makes another runtime, with the program that its tasks run.
func (c *churn) runtime(alone bool) (h *Host, main *goja.Program, err error) {
	vm := goja.New()
	if alone {
		h = New(vm, c.clock)
		main, err = h.Compile("churn.js", []byte(churning))
	} else if h, err = c.pool.Host(vm); err == nil {
		main, err = c.program.In(h)
	}
	if err != nil {
		return nil, nil, err
	}
	_ = vm.Set("enough", h.Native("enough", func() { go vm.Interrupt("enough") }))
	_ = vm.Set("rest", h.Native("rest", func() { h.Waiting(runtime.Gosched) }))
	return h, main, nil
}

// tasks runs one of each kind in a runtime, and takes its profile between them.
func (c *churn) tasks(h *Host, main *goja.Program, first int) {
	for n := range doings {
		does := doings[(first+n)%len(doings)]
		_ = h.vm.Set("does", does)
		_, err := h.As("does", does).RunProgram(main)
		if fails := does == "throws" || does == "spins"; fails != (err != nil) {
			c.Errorf("%s: %v", does, err)
		}
		h.vm.ClearInterrupt()
		c.ended <- struct{}{}
	}
	c.valid(h.Profile())
}

// valid checks a profile: its account adds up from its samples, and their time has the tags
// of the task that spent it. It returns the account.
func (c *churn) valid(p *profile.Profile) profile.Ticks {
	if err := p.CheckValid(); err != nil {
		c.Error(err)
	}
	var sums profile.Ticks
	for i := range p.Len() {
		s := p.Sample(i)
		weight := int64(s.Weight)
		switch s.Kind {
		case profile.Idle:
			sums.Idle += weight
		case profile.GC:
			sums.GC += weight
		case profile.Lost:
			sums.Lost += weight
		default:
			sums.Taken += weight
			c.tagged(p, i, s.Stack)
		}
		sums.Raised += weight
	}
	sums.Missed, sums.Dropped = p.Meta.Ticks.Missed, p.Meta.Ticks.Dropped
	if p.Meta.Ticks != sums || sums.Missed < 0 || sums.Dropped < 0 {
		c.Errorf("the samples have %+v, and the account is %+v", sums, p.Meta.Ticks)
	}
	return sums
}

// tagged checks that a sample has the tag of the function that its stack is in.
func (c *churn) tagged(p *profile.Profile, sample int, stack profile.StackID) {
	got := tagsOf(p.TagsOf(sample))
	for ; stack != profile.NoStack; stack = p.Stacks.Parent[stack] {
		f := p.Function(p.Frames.Function[p.Stacks.Frame[stack]])
		switch f.Name {
		case "works", "throws", "spins", "waits":
			if want := "does=" + f.Name; got != want {
				c.Errorf("a sample of %s has the tags %q", want, got)
			}
		}
	}
	if got == "" {
		c.Error("a sample of a task has no tags")
	}
}

// read takes profiles of every kind until done is closed. It returns the sum of those that
// empty the recording.
func (c *churn) read(done <-chan struct{}) (drained profile.Ticks) {
	for n := 0; ; n++ {
		select {
		case <-done:
			return drained
		default:
		}
		switch n % 4 {
		case 0:
			c.valid(c.pool.Profile())
		case 1:
			c.valid(c.pool.Last(time.Millisecond))
		case 2:
			now := c.clock.Epoch().Add(time.Duration(c.clock.Elapsed()))
			c.valid(c.pool.Between(now.Add(-time.Second), now))
			c.pool.Usage()
		case 3:
			drained = sum(drained, c.valid(c.pool.Drain()))
		}
		if t := c.pool.State().Ticks; t.Raised != t.Taken+t.Idle+t.GC+t.Lost {
			c.Errorf("%+v", t)
		}
		runtime.Gosched()
	}
}

// keepTime stops and starts the clock after every few tasks.
func (c *churn) keepTime() {
	stop := c.clock.Start()
	running, n := true, 0
	for range c.ended {
		switch n++; {
		case running && n%7 == 0:
			stop()
			running = false
		case !running && n%7 == 2:
			stop = c.clock.Start()
			running = true
		}
	}
	stop()
}

// Fifty runtimes have one coordinator, which stops and starts, while runtimes throw, are
// interrupted, close, are dropped and are replaced, and profiles are taken. Whatever the
// machine makes of it: nothing waits forever (go test ends that), every profile adds up,
// each tick of the pool is in one of the profiles that emptied it, and the coordinator
// leaves no goroutine.
func TestFiftyRuntimesComeAndGo(t *testing.T) {
	runtimes := 4
	if testing.Short() {
		runtimes = 2
	}
	const interval = 100 * time.Microsecond
	var reading atomic.Int64
	for name, options := range map[string]coordinator.Options{
		"the machine's clock": {Interval: interval},
		// Each look at the clock takes a twelfth of an interval, so there are ticks
		// however fast the machine is.
		"a clock that is read": {Interval: interval, Clock: func() time.Duration { return time.Duration(reading.Add(int64(interval / 12))) }},
	} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			c := &churn{T: t, clock: coordinator.New(options), ended: make(chan struct{})}
			c.pool = NewPool(c.clock, Options{})
			c.program = must.Get(c.pool.Compile("churn.js", []byte(churning)))(t)
			c.present.Add(crowd)
			var slots, others sync.WaitGroup
			done := make(chan struct{})
			var drained profile.Ticks
			others.Go(func() { drained = c.read(done) })
			others.Go(c.keepTime)
			for i := range crowd {
				slots.Go(func() { c.slot(i, runtimes) })
			}
			c.present.Wait()
			slots.Wait()
			close(done)
			close(c.ended)
			others.Wait()
			drained = sum(drained, c.valid(c.pool.Drain()))
			want := c.pool.State().Ticks
			drained.Missed, want.Missed = 0, 0 // deadlines without a tick are in no sample
			must.Equal(t, drained, want, "the drained profiles together")
			if options.Clock != nil && drained.Taken == 0 {
				t.Error("there was no tick")
			}
			must.Happen(t, fmt.Sprintf("no more than the %d goroutines from before", before), func() bool { return runtime.NumGoroutine() <= before })
		})
	}
}
