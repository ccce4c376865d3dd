package mozilla

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/gojahost"
)

// engine is what the class needs of the runtime it is in; see
// runtime/src/mozilla/engine.ts for what each part of it promises.
type engine struct {
	host    *gojahost.Host
	vm      *goja.Runtime
	random  *rand.Rand
	running *session
	// Stacks by token, for the marks of frame() and events.
	stacks []gojahost.Stack
	tokens map[gojahost.Stack]int
}

func newEngine(host *gojahost.Host) *engine {
	seed := host.Coordinator().Seed()
	return &engine{
		host: host, vm: host.Runtime(), random: rand.New(rand.NewPCG(seed, ^seed)),
		tokens: map[gojahost.Stack]int{},
	}
}

// value is the engine as a JavaScript object.
func (e *engine) value() *goja.Object {
	return e.object(map[string]any{
		"now":    func(goja.FunctionCall) goja.Value { return e.vm.ToValue(milliseconds(e.host.Coordinator().Now())) },
		"start":  e.start,
		"settle": e.settle,
		"here":   e.here,
		"report": e.report,
		"load":   e.load,
	})
}

// object makes an object. It cannot fail: it is new, and takes any property.
func (e *engine) object(properties map[string]any) *goja.Object {
	object := e.vm.NewObject()
	for name, value := range properties {
		_ = object.Set(name, value)
	}
	return object
}

// milliseconds turns nanoseconds into what JavaScript counts.
func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }

// own skips the class's frames: native ones, then those of its file.
func own() func(*goja.StackFrame) bool {
	within := false
	return func(f *goja.StackFrame) bool {
		if f.SrcName() == fileName {
			within = true
			return true
		}
		return !within && f.SrcName() == "<native>"
	}
}

func (e *engine) settle(goja.FunctionCall) goja.Value {
	e.host.Settle(own())
	return goja.Undefined()
}

// here is the stack up to the class's caller.
func (e *engine) here(goja.FunctionCall) goja.Value {
	stack, ok := e.host.Here(own())
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

// load has nothing to load: the host knows its scripts.
func (e *engine) load(goja.FunctionCall) goja.Value {
	promise, resolve, _ := e.vm.NewPromise()
	_ = resolve(goja.Undefined())
	return e.vm.ToValue(promise)
}

// start begins to sample.
func (e *engine) start(call goja.FunctionCall) goja.Value {
	settings := call.Argument(0).ToObject(e.vm)
	s := &session{
		interval: time.Duration(settings.Get("interval").ToFloat() * float64(time.Millisecond)),
		limit:    int64(min(settings.Get("limit").ToFloat(), gojahost.MaxSamples)),
		gc:       settings.Get("gc").ToBoolean(),
		started:  e.host.Coordinator().Now(),
		ended:    math.MaxInt64,
	}
	s.interval = max(s.interval, minInterval)
	e.running = s
	leave := e.host.Coordinator().Join(s.interval)
	end := e.host.Observe(func(sample gojahost.Sample) { s.add(sample, e.thin(s, int64(sample.Weight))) })
	s.stop = func() {
		if s.ended == math.MaxInt64 {
			s.ended = e.host.Coordinator().Now()
			end()
			leave()
		}
	}
	return e.object(map[string]any{
		"session": s,
		"started": milliseconds(s.started),
		"stop":    func(goja.FunctionCall) goja.Value { s.stop(); return goja.Undefined() },
		"clear":   func(goja.FunctionCall) goja.Value { s.clear(e.host.Coordinator().Now()); return goja.Undefined() },
	})
}

// minInterval bounds what scripts may ask of the clock.
const minInterval = 10 * time.Microsecond

func (e *engine) close() {
	if e.running != nil {
		e.running.stop()
	}
}

// thin says how many of some ticks a session takes, where the clock is faster
// than it wants: each by chance, so that what is left is as irregular as the
// clock.
func (e *engine) thin(s *session, ticks int64) int64 {
	interval := e.host.Coordinator().Interval()
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
