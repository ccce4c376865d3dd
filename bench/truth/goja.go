package truth

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/engine"
	gojaengine "github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// goja samples itself for StartProfile: a runtime that finds the profiler enabled
// registers a tracker, and checks it for a request after every instruction. The
// loop that makes the requests is fixed at 10 ms, so we prevent it from starting and
// make the requests ourselves. The types below have the layout of goja's own; a test
// compares them with the sources of the version in go.mod.
type (
	globalProfiler struct {
		p       profiler
		_       io.Writer
		enabled int32
	}
	profiler struct {
		mu       sync.Mutex
		trackers []*profTracker
		buf      unsafe.Pointer // of samples; runtimes do not sample without it
		running  bool           // the loop is running
	}
	profTracker struct {
		req, finished int32
		_, _          time.Time // from tick to answer
		numFrames     int
		frames        [64]goja.StackFrame
	}
	stackFrame struct {
		prg      unsafe.Pointer
		funcName string
		pc       int
	}
)

// The requests a tracker knows.
const (
	doSample    int32 = 1
	sampleReady int32 = 2
	stopSamples int32 = 3
)

//go:linkname gojaProfiler github.com/dop251/goja.globalProfiler
var gojaProfiler globalProfiler

// gojaMutex: goja has one profiler for all runtimes of a process.
var gojaMutex sync.Mutex

// gojaBundle is what engine/goja calls a program's script.
const gojaBundle = "(bundle).js"

// gojaInterval is our gap unless Settings has one.
const gojaInterval = 500 * time.Microsecond

// gojaSampler makes the requests and keeps the runtimes' answers.
type gojaSampler struct {
	began   time.Time
	asked   *profTracker // whose answer is awaited
	pending int32        // ticks since it was asked
	samples []gojaSample
}

// gojaSample is one answer; it has no frames if nothing was running.
type gojaSample struct {
	time   time.Duration
	weight int32
	frames []goja.StackFrame // innermost first
}

// startGoja starts sampling all runtimes of the process.
func startGoja(interval time.Duration) (stop func() []gojaSample) {
	s := &gojaSampler{began: time.Now()}
	gojaProfiler.p.mu.Lock()
	gojaProfiler.p.buf, gojaProfiler.p.running = unsafe.Pointer(new(byte)), true
	gojaProfiler.p.mu.Unlock()
	atomic.StoreInt32(&gojaProfiler.enabled, 1)
	rest := coordinator.TickEvery(interval, rand.Uint64(), s.tick)
	return func() []gojaSample {
		rest()
		atomic.StoreInt32(&gojaProfiler.enabled, 0)
		gojaProfiler.p.mu.Lock()
		defer gojaProfiler.p.mu.Unlock()
		s.answer()
		for _, tracker := range gojaProfiler.p.trackers {
			atomic.StoreInt32(&tracker.req, stopSamples)
		}
		gojaProfiler.p.trackers, gojaProfiler.p.buf, gojaProfiler.p.running = nil, nil, false
		return s.samples
	}
}

// tick requests a sample. While the runtime is still in the instruction of the
// last request, the tick belongs to that sample.
func (s *gojaSampler) tick(passed int64) {
	if s.asked != nil && !s.answer() {
		s.pending += int32(min(passed, math.MaxInt16))
		return
	}
	gojaProfiler.p.mu.Lock()
	defer gojaProfiler.p.mu.Unlock()
	p := &gojaProfiler.p
	for n := len(p.trackers); n > 0 && atomic.LoadInt32(&p.trackers[n-1].finished) != 0; n-- {
		p.trackers = p.trackers[:n-1]
	}
	if len(p.trackers) == 0 {
		s.samples = append(s.samples, gojaSample{time: time.Since(s.began), weight: 1})
		return
	}
	s.asked, s.pending = p.trackers[len(p.trackers)-1], 1
	atomic.StoreInt32(&s.asked.req, doSample)
}

// answer takes the answer of the runtime that was asked, and reports whether to
// stop asking it.
func (s *gojaSampler) answer() bool {
	if s.asked == nil {
		return true
	}
	finished := atomic.LoadInt32(&s.asked.finished) != 0
	if atomic.LoadInt32(&s.asked.req) == sampleReady {
		frames := append([]goja.StackFrame(nil), s.asked.frames[:s.asked.numFrames]...)
		s.samples = append(s.samples, gojaSample{time.Since(s.began), s.pending, frames})
	} else if !finished {
		return false
	}
	s.asked = nil
	return true
}

// sampleGoja runs a program in goja under goja's own sampler and our clock.
func sampleGoja(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	interval := s.interval(gojaInterval)
	return inGoja(ctx, program, &s, func(r *recording, run func() error) error {
		stop := startGoja(interval)
		err := run()
		functions := gojaFunctions{table: r.script.Table, known: map[unsafe.Pointer]int{}}
		for _, sample := range stop() {
			stack := profile.NoStack
			for i := len(sample.frames) - 1; i >= 0; i-- {
				stack = functions.push(r, stack, sample.frames[i])
			}
			kind := profile.Program
			if sample.frames == nil {
				kind = profile.Idle
			}
			r.add(sample.time, stack, sample.weight, kind)
		}
		return err
	}, profile.Meta{Interval: interval, Clock: "goja's profiler, jittered"})
}

// inGoja runs a program in goja within observe, which fills the recording.
func inGoja(ctx context.Context, program fixtures.Program, s *Settings, observe func(r *recording, run func() error) error, meta profile.Meta) (*Run, error) {
	gojaMutex.Lock()
	defer gojaMutex.Unlock()
	b, err := gojaengine.Bundle(program.Path)
	if err != nil {
		return nil, err
	}
	script, err := describe(b, transform.Goja, transform.Script)
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	var result *engine.Result
	r := newRecording(script)
	err = observe(r, func() error {
		result, err = gojaengine.Run(ctx, engine.Program{Path: program.Path, Args: s.arguments(program.Goja), Stdout: &output, Stderr: &output}, engine.Settings{Mode: engine.Clean})
		return failed(ctx, result, err)
	})
	if err != nil {
		return nil, err
	}
	meta.Engine, meta.Program = "goja", program.Path
	p, err := r.profile(meta)
	return &Run{Profile: p, CPU: result.CPU, Output: output.Bytes()}, err
}

// gojaFunctions finds functions of the table by goja's compiled code.
type gojaFunctions struct {
	table *functable.Table
	known map[unsafe.Pointer]int // -1: not in the script
}

func (g *gojaFunctions) push(r *recording, caller profile.StackID, frame goja.StackFrame) profile.StackID {
	i := g.find(frame)
	if i < 0 {
		return caller
	}
	return r.pushFunction(caller, i, positionOf(&frame))
}

// find finds a frame's function. The program counter may still be the previous
// function's, which called it or returned to it; but compiled code always begins
// where its function begins.
func (g *gojaFunctions) find(frame goja.StackFrame) int {
	shown := (*stackFrame)(unsafe.Pointer(&frame))
	if shown.prg == nil {
		return -1
	}
	if i, ok := g.known[shown.prg]; ok {
		return i
	}
	found := -1
	if frame.SrcName() == gojaBundle {
		shown.pc = 0
		found = g.innermost(positionOf(&frame))
	}
	g.known[shown.prg] = found
	return found
}

// innermost is the innermost function around a position, its name included.
func (g *gojaFunctions) innermost(at functable.Position) int {
	found := 0
	for i := range g.table.Functions { // inner functions come later
		if f := &g.table.Functions[i]; !at.Before(f.Start) && at.Before(f.End) {
			found = i
		}
	}
	return found
}

// positionOf is a frame's position: bundles are ASCII, for which goja counts columns
// as everyone does.
func positionOf(frame *goja.StackFrame) functable.Position {
	p := frame.Position()
	return functable.Position{Line: int32(p.Line), Column: int32(p.Column)}
}

// sampleStartProfile runs a program in goja under goja.StartProfile.
func sampleStartProfile(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	return inGoja(ctx, program, &s, func(r *recording, run func() error) error {
		var written bytes.Buffer
		if err := goja.StartProfile(&written); err != nil {
			return err
		}
		err := run()
		goja.StopProfile()
		if err != nil {
			return err
		}
		return readStartProfile(&written, r)
	}, profile.Meta{Interval: 10 * time.Millisecond, Clock: "goja.StartProfile, by count"})
}
