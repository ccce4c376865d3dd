package mozilla

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
)

// engine is what the class needs from its runtime; runtime/src/mozilla/engine.ts
// documents each part.
type engine struct {
	observer *gojahost.Observer
	clock    *coordinator.Coordinator
	vm       *goja.Runtime
	random   *rand.Rand
	running  *session
	// Stacks by token, for the marks of frame() and events.
	stacks []gojahost.Stack
	tokens map[gojahost.Stack]int
}

func newEngine(host *gojahost.Host) *engine {
	seed := host.Coordinator().Seed()
	return &engine{
		observer: host.Observer(fileName), clock: host.Coordinator(), vm: host.Runtime(), random: rand.New(rand.NewPCG(seed, ^seed)),
		tokens: map[gojahost.Stack]int{},
	}
}

// value returns the engine as a JavaScript object.
func (e *engine) value() *goja.Object {
	return e.object(map[string]any{
		"now":    func(goja.FunctionCall) goja.Value { return e.vm.ToValue(milliseconds(e.clock.Now())) },
		"start":  e.start,
		"settle": e.settle,
		"here":   e.here,
		"report": e.report,
		"load":   e.load,
	})
}

// object makes an object. A new object accepts any property, so this cannot fail.
func (e *engine) object(properties map[string]any) *goja.Object {
	object := e.vm.NewObject()
	for name, value := range properties {
		_ = object.Set(name, value)
	}
	return object
}

// milliseconds converts nanoseconds to JavaScript's unit.
func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }

func (e *engine) settle(goja.FunctionCall) goja.Value {
	e.observer.Flush()
	return goja.Undefined()
}

// here captures the stack up to the class's caller.
func (e *engine) here(goja.FunctionCall) goja.Value {
	stack, ok := e.observer.Stack()
	if !ok {
		return goja.Null()
	}
	token, known := e.tokens[stack]
	if !known {
		token = len(e.stacks)
		e.tokens[stack] = token
		e.stacks = append(e.stacks, stack)
	}
	return e.object(map[string]any{"key": token, "token": token})
}

// load returns a resolved promise: the host already knows its scripts.
func (e *engine) load(goja.FunctionCall) goja.Value {
	promise, resolve, _ := e.vm.NewPromise()
	_ = resolve(goja.Undefined())
	return e.vm.ToValue(promise)
}

// start starts a session.
func (e *engine) start(call goja.FunctionCall) goja.Value {
	settings := call.Argument(0).ToObject(e.vm)
	s := &session{
		interval: time.Duration(settings.Get("interval").ToFloat() * float64(time.Millisecond)),
		limit:    int64(min(settings.Get("limit").ToFloat(), gojahost.MaxSamples)),
		gc:       settings.Get("gc").ToBoolean(),
		started:  e.clock.Now(),
		ended:    math.MaxInt64,
	}
	s.interval = max(s.interval, minInterval)
	e.running = s
	unfollow := e.observer.Follow(s.interval, func(sample gojahost.Sample) { s.add(sample, e.thin(s, int64(sample.Weight))) })
	s.stop = func() {
		if s.ended == math.MaxInt64 {
			s.ended = e.clock.Now()
			unfollow()
		}
	}
	return e.object(map[string]any{
		"session": s,
		"started": milliseconds(s.started),
		"stop":    func(goja.FunctionCall) goja.Value { s.stop(); return goja.Undefined() },
		"clear":   func(goja.FunctionCall) goja.Value { s.clear(e.clock.Now()); return goja.Undefined() },
	})
}

// minInterval is the smallest interval that scripts may ask for.
const minInterval = 10 * time.Microsecond

func (e *engine) close() {
	if e.running != nil {
		e.running.stop()
	}
}

// thin returns how many of some ticks a session takes if the clock is faster than the
// session wants. It picks each at random, so that the rest is as irregular as the clock.
func (e *engine) thin(s *session, ticks int64) int64 {
	interval := e.clock.Interval()
	if s.interval <= interval {
		return ticks
	}
	share, taken := float64(interval)/float64(s.interval), int64(0)
	for range min(ticks, 1<<16) {
		if e.random.Float64() < share {
			taken++
		}
	}
	return taken
}
