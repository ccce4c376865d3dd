package goja

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja_nodejs/eventloop"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/coordinator/cputime"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/deployed"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// MaxDepth bounds the call stack of a program, as Node's does; beyond it a
// call throws a RangeError.
const MaxDepth = 20_000

// patience is how long a program may take to notice that it must stop. goja
// notices at the next instruction, but a built-in has to return first.
const patience = 3 * time.Second

// target is what bundles are made for: what goja lacks is rewritten, and the
// modules of goja_nodejs are there.
var target = bundle.Target{
	Engine:      "goja",
	HostModules: []string{"buffer", "console", "process", "url", "util"},
	Lacks:       []string{"async-generator", "for-await", "dynamic-import", "import-meta", "regexp-match-indices", "regexp-set-notation"},
}

// bundleName is the file the bundle would be; it is never written.
const bundleName = "(bundle).js"

// Bundle makes the script that a program runs as, before checks are put into it.
func Bundle(path string) (*bundle.Bundle, error) { return bundle.Make(path, target) }

// Run runs a program until it ends or the context does, and profiles it.
func Run(ctx context.Context, program engine.Program, settings engine.Settings) (*engine.Result, error) {
	b, err := Bundle(program.Path)
	if err != nil {
		return nil, err
	}
	r, err := newRun(b, program, settings)
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.toEnd()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		r.stop()
		select {
		case <-ended:
		case <-time.After(patience):
			return nil, engine.ErrStuck
		}
	}
	return r.result(), nil
}

// run is one program under way. Once it is started it belongs to the goroutine
// that runs it, but for stop.
type run struct {
	mode        engine.Mode
	selection   string // the preset, and what overrides it
	path        string
	vm          *goja.Runtime
	loop        *eventloop.EventLoop
	tasks       *tasks
	coordinator *coordinator.Coordinator
	host        *gojahost.Host
	main        *goja.Program
	deployed    *deployed.Script
	rejected    []rejection
	outcome     engine.Result
	halt        atomic.Bool // stop was called
}

// rejection is a promise that was rejected and has no handler so far.
type rejection struct {
	promise *goja.Promise
	reason  goja.Value
}

// stopped is what a program is interrupted with when its context ends.
type stopped struct{}

// newRun prepares a runtime and the instrumented program for it.
func newRun(b *bundle.Bundle, program engine.Program, settings engine.Settings) (*run, error) {
	settings.Fill()
	r := &run{mode: settings.Mode, selection: settings.Selection(), path: program.Path}
	r.loop = eventloop.NewEventLoop(eventloop.WithRegistry(newRegistry(program)))
	r.loop.Run(func(vm *goja.Runtime) { r.vm = vm })
	r.vm.SetMaxCallStackSize(MaxDepth)
	r.vm.SetPromiseRejectionTracker(r.track)
	r.coordinator = coordinator.New(coordinator.Options{Interval: settings.Interval, Seed: settings.Seed})
	r.host = gojahost.New(r.vm, r.coordinator)
	if r.mode == engine.Armed {
		r.host.Arm()
	}
	r.tasks = &tasks{vm: r.vm, bracket: r.host.Run, fail: r.fail, settled: r.settle}
	if r.mode == engine.Clean {
		r.tasks.bracket = func(fn func() error) error { return fn() }
	}
	r.tasks.install()
	if err := installGlobals(r.vm, program, r.wrap); err != nil {
		return nil, err
	}
	if r.mode != engine.Clean {
		if _, err := r.host.WrapNatives(r.vm.Get("console").ToObject(r.vm), "console."); err != nil {
			return nil, err
		}
	}
	return r, r.compile(b, settings)
}

// wrap shows a Go function's time as its own, where there is a profile.
func (r *run) wrap(name string, fn func(goja.FunctionCall) goja.Value) goja.Value {
	if r.mode == engine.Clean {
		return r.vm.ToValue(fn)
	}
	return r.host.Native(name, fn)
}

// compile instruments the bundle and compiles it.
func (r *run) compile(b *bundle.Bundle, settings engine.Settings) error {
	r.outcome.Warnings = append(r.outcome.Warnings, b.Warnings...)
	if r.mode == engine.Clean {
		return r.compileClean(b)
	}
	program, instrumented, err := r.host.CompileWith(b.Code, transform.Options{
		File:          bundleName,
		Preset:        settings.Preset,
		MinStatements: settings.MinStatements,
		Checks:        settings.Checks,
		SourceMap:     b.SourceMap,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	for _, w := range instrumented.Warnings {
		r.outcome.Warnings = append(r.outcome.Warnings, w.String())
	}
	r.main = program
	if r.deployed, err = deployed.New(bundleName, instrumented.Code, instrumented.Table, instrumented.Map); err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	return nil
}

// compileClean compiles the bundle as it is.
func (r *run) compileClean(b *bundle.Bundle) error {
	parsed, err := goja.Parse(bundleName, string(b.Code), parser.WithDisableSourceMaps)
	if err == nil {
		r.main, err = goja.CompileAST(parsed, false)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	if r.deployed, err = deployed.New(bundleName, b.Code, nil, b.SourceMap); err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	return nil
}

// toEnd runs the program until no task is left.
func (r *run) toEnd() {
	began := time.Now()
	cpu, _ := cputime.Process()
	if r.mode == engine.Profile {
		defer r.coordinator.Start()()
	}
	defer func() {
		spent, _ := cputime.Process()
		r.outcome.Elapsed, r.outcome.CPU = time.Since(began), spent-cpu
		if p := recover(); p != nil {
			r.end(1, fmt.Errorf("goja failed: %v\n%s", p, debug.Stack()))
		}
	}()
	r.loop.Run(func(vm *goja.Runtime) {
		r.tasks.run(func() error {
			_, err := vm.RunProgram(r.main)
			return err
		})
	})
	r.loop.Terminate() // timers that are left would wait for the loop for ever
}

// stop ends the program from another goroutine.
func (r *run) stop() {
	r.halt.Store(true)
	r.vm.Interrupt(stopped{})
	r.loop.StopNoWait()
}

// end ends the program from its own goroutine; the first end counts.
func (r *run) end(code int, failure error) {
	if r.tasks.ended {
		return
	}
	r.tasks.ended = true
	r.outcome.ExitCode, r.outcome.Failure = code, failure
	r.loop.StopNoWait()
}

// fail takes an error that left a task.
func (r *run) fail(err error) {
	var interrupted *goja.InterruptedError
	if !errors.As(err, &interrupted) {
		r.end(1, r.failure(err))
		return
	}
	switch why := interrupted.Value().(type) {
	case exit:
		r.end(why.code, nil)
	case stopped:
		r.end(0, nil)
	default:
		r.end(1, err)
	}
}

// track keeps the promises that are rejected without a handler.
func (r *run) track(p *goja.Promise, operation goja.PromiseRejectionOperation) {
	if operation == goja.PromiseRejectionReject {
		r.rejected = append(r.rejected, rejection{p, p.Result()})
		return
	}
	for i := range r.rejected {
		if r.rejected[i].promise == p {
			r.rejected = append(r.rejected[:i], r.rejected[i+1:]...)
			return
		}
	}
}

// settle ends the program, as Node does, when a task and its promise jobs are
// through and a rejection is still nobody's.
func (r *run) settle() {
	if len(r.rejected) > 0 {
		r.end(1, r.rejection(r.rejected[0].reason))
	}
}

// result gathers what the run gave.
func (r *run) result() *engine.Result {
	result := r.outcome
	result.Stopped = r.halt.Load() && result.Failure == nil
	if r.mode == engine.Profile {
		result.Profile = profile.Fold(r.host.Profile(), r.deployed.Glue)
		result.Profile.Meta.Program = r.path
		result.Profile.Meta.Preset = r.selection
		result.Profile.Meta.Duration = result.Elapsed
	}
	if r.mode != engine.Clean {
		symbols := r.deployed.Symbols()
		result.Functions = symbols.Functions
	}
	return &result
}
