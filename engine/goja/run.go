package goja

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja_nodejs/eventloop"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/gojahost"
	"github.com/fieldprof/fieldprof/internal/cputime"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// MaxDepth limits the call stack of a program, as Node does; a deeper call ends it as an
// uncaught RangeError does. goja's own error cannot be caught.
const MaxDepth = 20_000

// patience is how long a program may take to notice that it must stop. goja notices at
// the next instruction, but not before a built-in returns.
const patience = 10 * time.Second

// target is what bundles are made for: syntax that goja lacks is rewritten, and the
// modules of goja_nodejs are available.
var target = bundle.Target{
	Engine:      "goja",
	HostModules: []string{"buffer", "console", "process", "url", "util"},
	Lacks:       []string{"async-generator", "for-await", "dynamic-import", "import-meta", "regexp-match-indices", "regexp-set-notation"},
}

// bundleName is the bundle's file name; no such file is written.
const bundleName = "(bundle).js"

// Bundle makes the script as which a program runs, before checks are inserted.
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

// run is one running program. Once started it belongs to the goroutine that runs it;
// only stop may be called from elsewhere.
type run struct {
	mode        engine.Mode
	program     engine.Program
	settings    engine.Settings
	vm          *goja.Runtime
	loop        *eventloop.EventLoop
	tasks       *tasks
	coordinator *coordinator.Coordinator
	host        *gojahost.Host
	main        *goja.Program
	isModule    bool // the entry file is one
	script      *instrumented.Script
	process     *goja.Object // the program may put another into its place
	rejected    []rejection
	outcome     engine.Result
	halt        atomic.Bool // stop was called
	shown       *show       // nil if it is not
}

// rejection is a promise that was rejected and has no handler so far.
type rejection struct {
	promise *goja.Promise
	reason  goja.Value
}

// stopped is the value with which a program is interrupted when its context ends.
type stopped struct{}

// newRun prepares a runtime and the instrumented program for it.
func newRun(b *bundle.Bundle, program engine.Program, settings engine.Settings) (*run, error) {
	settings.Fill()
	r := &run{mode: settings.Mode, program: program, settings: settings, isModule: b.ESM}
	r.loop = eventloop.NewEventLoop(eventloop.WithRegistry(newRegistry(program)))
	r.loop.Run(func(vm *goja.Runtime) { r.vm = vm })
	r.vm.SetMaxCallStackSize(MaxDepth)
	r.vm.SetPromiseRejectionTracker(r.track)
	r.coordinator = coordinator.New(coordinator.Options{Interval: settings.Interval, Seed: settings.Seed})
	r.host = gojahost.New(r.vm, r.coordinator)
	if r.mode == engine.Armed {
		r.host.Arm()
	}
	r.tasks = &tasks{vm: r.vm, now: time.Now, bracket: r.host.Run, fail: r.fail, settled: r.settle, rest: r.loop.StopNoWait}
	if r.mode == engine.Clean {
		r.tasks.bracket = func(fn func() error) error { return fn() }
	}
	if err := r.tasks.install(); err != nil {
		return nil, err
	}
	if err := installGlobals(r.vm, program, r.tasks.ticks.add, r.wrap); err != nil {
		return nil, err
	}
	r.process = r.vm.Get("process").ToObject(r.vm)
	if r.mode != engine.Clean {
		if _, err := r.host.WrapNatives(r.vm.Get("console").ToObject(r.vm), "console."); err != nil {
			return nil, err
		}
	}
	return r, r.compile(b)
}

// wrap makes a Go function's time appear as its own, if there is a profile.
func (r *run) wrap(name string, fn func(goja.FunctionCall) goja.Value) goja.Value {
	if r.mode == engine.Clean {
		return r.vm.ToValue(fn)
	}
	return r.host.Native(name, fn)
}

// compile instruments the bundle and compiles it.
func (r *run) compile(b *bundle.Bundle) error {
	options := transform.Options{Selection: r.settings.Selection, File: bundleName, SourceMap: b.SourceMap}
	var err error
	if r.mode == engine.Clean {
		err = r.compileClean(b.Code, options)
	} else {
		r.main, r.script, err = r.host.CompileWith(b.Code, options)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.program.Path, err)
	}
	r.outcome.Warn(b.Warnings, r.script)
	return nil
}

// compileClean compiles the bundle unchanged.
func (r *run) compileClean(code []byte, options transform.Options) error {
	parsed, err := goja.Parse(options.File, string(code), parser.WithDisableSourceMaps)
	if err != nil {
		return err
	}
	if r.main, err = goja.CompileAST(parsed, false); err != nil {
		return err
	}
	r.script, err = r.settings.Instrument(code, options)
	return err
}

// toEnd runs the program until no task is left.
func (r *run) toEnd() {
	began := time.Now()
	cpu, _ := cputime.Process()
	if r.mode == engine.Profile {
		defer r.startClock()()
	}
	r.show()
	defer func() {
		spent, _ := cputime.Process()
		r.outcome.Elapsed, r.outcome.CPU = time.Since(began), spent-cpu
		if p := recover(); p != nil {
			r.end(1, fmt.Errorf("goja failed: %v\n%s", p, debug.Stack()))
		}
		if r.shown != nil {
			r.shown.end()
		}
	}()
	r.loop.Run(func(vm *goja.Runtime) {
		start := r.tasks.run
		if r.isModule {
			start = r.tasks.runJob
		}
		start(func() error {
			_, err := vm.RunProgram(r.main)
			return err
		})
	})
	if !r.tasks.ended && !r.halt.Load() {
		r.outcome.ExitCode = exitCode(safeGet(r.process, "exitCode"))
	}
	r.loop.Terminate() // the remaining timers would wait for the loop forever
}

// startClock starts the clock, later if the settings say so. The returned stop ends it.
func (r *run) startClock() (stop func()) {
	if r.settings.After <= 0 {
		return r.coordinator.Start()
	}
	ended, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-time.After(r.settings.After):
			defer r.coordinator.Start()()
			<-ended
		case <-ended:
		}
	}()
	return func() {
		close(ended)
		<-gone
	}
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

// fail receives an error that a task did not catch.
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
	r.rejected = slices.DeleteFunc(r.rejected, func(other rejection) bool { return other.promise == p })
}

// settle ends the program, as Node does, if a rejection is unhandled after a task and
// its promise jobs.
func (r *run) settle() {
	if len(r.rejected) > 0 {
		r.end(1, r.rejection(r.rejected[0].reason))
	}
}

// result assembles the result of the run.
func (r *run) result() *engine.Result {
	result := r.outcome
	result.Stopped = r.halt.Load() && result.Failure == nil
	if r.mode == engine.Profile {
		result.Profile = profile.Fold(r.host.Profile(), r.script.Glue)
		result.Profile.Meta.Duration = result.Elapsed
	}
	result.Describe(r.program, &r.settings, r.script)
	return &result
}
