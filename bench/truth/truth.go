// Package truth measures where a program's time really goes, as far as that can be
// known: it runs fixtures without checks under the engines' own samplers, and
// accounts for programs of known distribution with clocks at every entry and exit.
//
// The functions of its profiles are those of the profiles that package engine
// makes of the same program with checks: equal name, file, line and column of
// definition. The samplers give positions of functions in the bundle; a function
// table of the clean bundle and its source map give the rest. The time of
// builtins, and of the scripts that start a program, belongs to the function
// that called them, or to (program).
//
//	sampler                     engine    how it samples
//	v8                          node      node --cpu-prof: a signal, at any instruction
//	v8-noinline                 node      the same with NoInlining
//	goja                        goja      goja's tracker between two instructions, on our clock
//	goja-outside                goja      another process reads the memory of the one with goja
//	goja-startprofile           goja      goja.StartProfile, samples counted
//	jsc                         webkit    jsc's sampling profiler: a paused thread
//	spidermonkey                firefox   MOZ_PROFILER_STARTUP: a paused thread
//	chromium-devtools           chromium  Profiler.start of the DevTools protocol: as v8
//	chromium-devtools-noinline  chromium  the same with NoInlining
//	chromium                    chromium  Profiler of the JS Self-Profiling API, as everybody runs it
//
// # Truth and reference
//
// A sampler that repeats itself may repeat a mistake. So each one is graded on the exact
// programs, and is called a truth for a kind of program only if it has Qualified percent or
// more on each program of the kind; else it is a reference: worth comparing with, and not
// known to be right. A grade is 100 − √(D² − C²), where D is the distance from the known
// distribution and C the mean distance by chance of as many samples: 800 samples of 40
// functions are 9 % away by chance alone.
//
// V8's samples count for the time that passed around them (timeDeltas): half of the gap
// before each, and half of the gap after it. Those of other samplers count equally.
//
// # The second sampler of goja
//
// The sampler goja shares with profiles by checks the clock, the cooperation of the machine
// (it answers between instructions) and the way back to the sources. goja-outside has none
// of that: a process starts the program in a child and reads, at exponentially distributed
// moments that the system's nanosleep ends, the address of the code that the child's
// machine runs (process_vm_readv, on Linux). The machine never notices. At the end the child
// says where, by goja's own Position, the code at those addresses begins. It runs exact
// programs as they are, without a bundler or a source map, and knows self time only.
//
// # Limits
//
// V8's sampler is wrong about functions that were inlined: one that calls
// a tiny function in a loop may show no time, hence v8-noinline, which is another program
// than the one in the field. Without inlining, too, it charges part of the time in V8's own
// builtins to the caller of the function that uses them: in the exact programs property-mega,
// concat, spread and filled it gave 29 to 54 % to main, where clocks find less than 2 %.
// jsc's does not always name inlined functions. The samplers goja and goja-startprofile finish the instruction
// during which they are asked: a long builtin is one sample, which goja weighs by the ticks
// that fell into it; goja-startprofile does not.
// goja.StartProfile identifies a function by its name and a line, and Chromium's
// Profiler samples every 10 ms at best; a second of either is a hundred samples.
// Chromium's Profiler does not report positions in a bundle's top level, so it counts as the
// top level of the file that starts the program. jsc runs programs that need no page.
// All samplers tell the time that passes, not the processor's: on a busy machine the time in
// which the program waits for a processor is some function's.
//
// A profile begins with the first sample in the program's own functions and ends
// with the last: the rest is the engine's start and end.
package truth

import (
	"context"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/profile"
)

// Settings say how one run is sampled.
type Settings struct {
	// Interval is the sampler's nominal gap; 0 is the shortest that does not
	// disturb the program much. goja-startprofile and chromium have only one.
	Interval time.Duration
	// NoInlining asks V8 not to inline functions (--no-turbo-inlining), so that
	// its sampler sees each of them.
	NoInlining bool
	// Arguments are the program's; nil means the fixture's own, for goja or, in
	// every other engine, for V8.
	Arguments []string
	// Node is the executable to run instead of the node on the PATH, if V8 samples.
	Node string
}

func (s *Settings) interval(usual time.Duration) time.Duration {
	if s.Interval > 0 {
		return s.Interval
	}
	return usual
}

func (s *Settings) arguments(usual fixtures.Run) []string {
	if s.Arguments != nil {
		return s.Arguments
	}
	return usual.Args
}

// Run is one reference run of an uninstrumented program.
type Run struct {
	// Profile is attributed: each sample belongs to the function on top.
	Profile *profile.Profile
	// Interval is the sampler's nominal gap. The profile's is the unit of its weights.
	Interval time.Duration
	CPU      time.Duration // of the process; 0 when unknown
	Output   []byte        // what the program printed
}

// Sampler is one of an engine's own samplers.
type Sampler struct {
	Name   string // "v8", "v8-noinline", "goja", "goja-startprofile", "jsc", "spidermonkey", "chromium"
	Engine string // whose profiles it is the reference of: "node", "goja", "webkit", "firefox", "chromium"
	Sample func(ctx context.Context, program fixtures.Program, s Settings) (*Run, error)
	// Available is nil if the sampler can be used here, or else says why not and
	// what to install.
	Available func() error
}

// Samplers are all samplers, in the order in which tables show them.
func Samplers() []Sampler {
	return []Sampler{
		{"v8", "node", named(sampleV8), nodeAvailable},
		{"v8-noinline", "node", named(noInlining(sampleV8)), nodeAvailable},
		{"goja", "goja", named(sampleGoja), func() error { return nil }},
		{outside, "goja", named(sampleOutside), outsideAvailable},
		{"goja-startprofile", "goja", named(sampleStartProfile), func() error { return nil }},
		{"jsc", "webkit", named(sampleJSC), jscAvailable},
		{"spidermonkey", "firefox", named(sampleFirefox), firefoxAvailable},
		{"chromium-devtools", "chromium", named(sampleDevtools), chromiumAvailable},
		{"chromium-devtools-noinline", "chromium", named(noInlining(sampleDevtools)), chromiumAvailable},
		{"chromium", "chromium", named(sampleChromium), chromiumAvailable},
	}
}

type sampling = func(context.Context, fixtures.Program, Settings) (*Run, error)

func noInlining(sample sampling) sampling {
	return func(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
		s.NoInlining = true
		return sample(ctx, program, s)
	}
}

// named adds the program's name to errors, and makes an empty profile an error.
func named(sample sampling) sampling {
	return func(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
		run, err := sample(ctx, program, s)
		if err == nil && run.Interval == 0 {
			run.Interval = run.Profile.Meta.Interval
		}
		if err == nil && run.Profile.Len() == 0 {
			err = fmt.Errorf("no sample fell into it: it is too short for an interval of %v", run.Interval)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", program.Name, err)
		}
		return run, nil
	}
}

// failed turns any failure of a run into an error.
func failed(ctx context.Context, result *engine.Result, err error) error {
	switch {
	case err != nil:
		return err
	case result.Failure != nil:
		return result.Failure
	case result.Stopped:
		return ctx.Err()
	case result.ExitCode != 0:
		return fmt.Errorf("it ended with status %d", result.ExitCode)
	}
	return nil
}
