package gojahost

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// world is a pool whose runtimes run a generated program, on one goroutine, by a clock that
// moves only in the Go functions that the program calls. Each of them tells the model.
type world struct {
	*testing.T
	*rand.Rand
	exact, plain, limited bool

	*handClock // by itself: a runtime that its coordinator's clock refers to is never collected
	clock      *coordinator.Coordinator
	watcher    *coordinator.Counter // asks whether a tick is due, as the coordinator's goroutine would
	running    []func()             // undo what has started the clock
	pool       *Pool
	program    *Program
	model      *model
	seats      []*seat
	calls      int // of Go functions that run scripts; bounded
}

// seat is a runtime of the world.
type seat struct {
	*world
	*modelSeat
	vm     *goja.Runtime
	host   *Host
	raised int64 // ticks that are in the recording, of hosts that are gone
	before int64 // and of this one, that are not
	again  bool  // some of what is in the recording is of a host that is gone
}

const (
	worldInterval = time.Millisecond
	worldStep     = worldInterval / 16 // the shortest time between two deadlines
	worldCalls    = 2000
)

// newWorld makes a world. Exactly: the clock's goroutine sees each deadline when it comes, so
// the model knows each sample. Otherwise only checks see deadlines, and sums must hold. Plainly:
// it is known how many ticks fell in each function, too. Limited: samples fall out.
func newWorld(t *testing.T, seed uint64, exact, plain, limited bool) *world {
	w := &world{T: t, Rand: rand.New(rand.NewPCG(seed, 7)), exact: exact, plain: plain, limited: limited,
		handClock: newHandClock(coordinator.Options{Interval: worldInterval, Seed: seed})}
	options := w.handClock.options
	keep := Options{MaxTags: 2 + w.IntN(4)}
	if limited {
		keep.Keep, keep.MaxSamples = time.Duration(w.IntN(3))*20*worldInterval, 20+w.IntN(100)
	}
	w.clock, w.model = coordinator.New(options), newModel(options, keep.MaxTags)
	w.watcher = w.clock.Register()
	w.watcher.Keep(1)
	w.pool = NewPool(w.clock, keep)
	g := &generator{Rand: w.Rand, plain: plain, runtimes: 1 + w.IntN(3)}
	source := g.program() + "function bare() { pass(9, 'bare'); for (let i = 0; i < 2; i++) pass(1, 'bare') }\n"
	preset := transform.Precise
	if !plain && w.IntN(2) == 0 {
		preset = transform.Balanced
	}
	w.program = must.Get(w.pool.CompileWith([]byte(source), transform.Options{File: "odd.js", Selection: transform.Selection{Preset: preset}}))(t)
	for range g.runtimes {
		s := &seat{world: w, modelSeat: &modelSeat{ticks: map[string]int64{}}, vm: goja.New()}
		w.seats, w.model.seats = append(w.seats, s), append(w.model.seats, s.modelSeat)
		s.join()
	}
	t.Cleanup(func() {
		for len(w.running) > 0 {
			w.stopClock()
		}
	})
	t.Logf("seed %d:\n%s", seed, source)
	return w
}

// join gives a runtime a host, and loads the program.
func (s *seat) join() {
	s.look()
	if s.host != nil {
		s.again = true
		s.raised, s.before = s.raised+s.host.counter.Ticks().Raised-s.before, 0
	}
	s.host = must.Get(s.pool.Host(s.vm))(s)
	s.model.join(s.modelSeat)
	natives := map[string]any{
		"work": s.host.Native("work", func(steps int) { s.pass(steps, "work") }),
		"wait": s.host.Native("wait", s.wait), "task": s.host.Native("task", s.task), "run": s.host.Native("run", s.run),
		"other": s.host.Native("other", s.other), "outside": s.host.Native("outside", s.outside),
		"pass": s.pass, "fail": func() { panic(s.vm.NewTypeError("it fails")) },
		"clock": s.turn, "join": s.joinClock, "look": s.compare, "drain": s.drain, "reset": s.reset,
		"stop": func(i int) { s.seats[i].vm.Interrupt("enough") }, "close": func(i int) { s.seats[i].close() },
	}
	for name, fn := range natives {
		must.Do(s, s.vm.Set(name, fn))
	}
	s.enterFor("", func() error {
		_, err := s.host.RunProgram(must.Get(s.program.In(s.host))(s))
		return err
	})
}

// close closes the host, which goes on without ticks.
func (s *seat) close() {
	s.look()
	_, waiting := s.host.counter.Account()
	s.model.leave(s.modelSeat, waiting)
	s.host.Close()
}

// look is what the coordinator's goroutine does when a deadline has passed.
func (w *world) look() { w.watcher.Poll() }

// pass lets time pass in a function.
func (s *seat) pass(steps int, function string) {
	for range steps {
		s.now += worldStep
		if s.exact {
			s.look()
		}
		s.model.pass(worldStep, s.modelSeat, function)
	}
}

// calling calls a function of the script, which may be missing. Errors go on as they came.
func calling(fn goja.Callable) error {
	if fn == nil {
		return nil
	}
	_, err := fn(goja.Undefined())
	return err
}

// bounded runs what a Go function is to run, unless there was enough of that.
func (s *seat) bounded(run func() error) error {
	if s.calls++; s.calls > worldCalls {
		return nil
	}
	return run()
}

func (s *seat) wait(steps int, back goja.Callable) (err error) {
	s.host.Waiting(func() {
		defer s.modelSeat.wait()()
		s.pass(steps, "wait")
		err = s.bounded(func() error { return calling(back) })
	})
	return err
}

// enterFor tells the model of a task.
func (s *seat) enterFor(tags string, run func() error) error {
	defer s.model.enter(s.modelSeat, tags)()
	return run()
}

func (s *seat) task(tenant string, fn goja.Callable) error {
	return s.bounded(func() error {
		var tags []string
		text := ""
		if tenant != "" {
			tags, text = []string{"tenant", tenant}, "tenant="+tenant
		}
		task, text := s.host.As(tags...), s.model.tagged(text)
		return s.enterFor(text, func() error { return task.Run(func() error { return calling(fn) }) })
	})
}

func (s *seat) run(fn goja.Callable) error {
	return s.bounded(func() error {
		return s.enterFor(s.tags(), func() error { return s.host.Run(func() error { return calling(fn) }) })
	})
}

// function finds one of the program's.
func (s *seat) function(name string) goja.Callable {
	fn, _ := goja.AssertFunction(s.vm.Get(name))
	return fn
}

// other runs a task in another runtime, or in this one. Its exceptions do not matter here.
func (s *seat) other(i int, tenant, name string) {
	o := s.seats[i]
	_ = o.task(tenant, o.function(name))
}

// outside calls a script that no task brackets, unless the runtime is in one.
func (s *seat) outside(i int) {
	o := s.seats[i]
	_ = s.bounded(func() error { return calling(o.function("bare")) })
}

// turn starts the clock once more, or takes the latest start back.
func (w *world) turn() {
	if len(w.running) > 0 && w.IntN(2) == 0 {
		w.stopClock()
		return
	}
	w.look()
	w.started(w.clock.Start(), w.model.clock.Start())
}

// joinClock keeps the clock running for another reason.
func (w *world) joinClock() {
	w.look()
	interval := worldInterval * time.Duration(w.IntN(3))
	w.started(w.clock.Join(interval), w.model.clock.Join(interval))
}

func (w *world) started(stop, also func()) {
	w.running = append(w.running, func() {
		stop()
		also()
	})
}

func (w *world) stopClock() {
	w.look()
	last := len(w.running) - 1
	w.running[last]()
	w.running = w.running[:last]
}

// turns has the runtimes run the program for some tenants, with rests, and compares after each
// what the pool says with the model.
func (w *world) turns(n int) {
	for range n {
		s := w.seats[w.IntN(len(w.seats))]
		_ = s.task(tenants[w.IntN(len(tenants))], s.function("f0"))
		for _, s := range w.seats {
			s.vm.ClearInterrupt()
		}
		s.pass(w.IntN(60), "")
		w.compare()
		w.compareAtRest()
		switch w.IntN(6) {
		case 0:
			w.drain()
		case 1:
			w.usageAgain()
		case 2:
			w.turn()
		case 3:
			if !s.member {
				s.join()
			}
		}
	}
}
