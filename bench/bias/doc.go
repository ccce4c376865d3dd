// Package bias measures how far a profile is from the truth, and what being
// closer costs.
//
// # From runs to figures
//
// A Collector runs programs in every Way of a Plan, in turn: clean, with checks
// that are idle, profiled by each preset, and without checks under the engine's
// own sampler (bench/truth). Each run is a Recording, which may be kept in a file.
// Evaluate makes a Report of recordings and runs nothing, so attribution can be
// replayed on the raw samples years later.
//
//	recordings, err := bias.NewCollector().Run(ctx, bias.NewPlan(options))
//	report := bias.Evaluate(recordings, terms)
//
// Measure does all of this. A Part of the plan can be measured alone, in several
// rounds.
//
// # Units
//
// A Distribution is self time by function. Overlap, shares and differences of
// shares are percent; overheads are percent of CPU time. An Estimate carries a
// 95 % interval, by bootstrap over samples: what other samples of the same
// executions could have given. It does not cover how executions differ; the noise
// floor shows that (truth against a second run of truth): read every overlap
// together with its floor.
//
// Strict: every function by itself. Merged(N): functions that a preset with
// that N leaves unchecked are counted, in the truth as in the profile, in their
// nearest checked caller on the stack, which is what the preset promises. Time
// in builtins is their caller's everywhere. Idle time, the collector's time and
// ticks outside of the program's functions are left out and reported separately.
//
// # Exact programs
//
// All programs of known distribution run in one run of a way (fixtures.Pack), since most of
// what a short run takes is the engine's start; unpack tells their samples apart by the files
// on the stacks. The engine's samplers are graded on them, and called truth or reference
// (package truth).
//
// In Node 2 to 8 % of the native programs are in "functions not listed", all of it in main and
// all at its entry checks: the first ones after those that took a sample. They take the ticks
// that were raised during the capture itself, whose time is nobody's. It is 12 to 40 µs a sample, so
// it falls with the interval: in native-json 6 % at half a millisecond, under 2 % at five.
// Other programs have it too, where it falls on the next check of the same loop, and so on the
// function that took the sample.
//
// # Limits
//
// Engines' samplers are not an exact truth: V8 is asked not to inline, since it does
// not name inlined functions, and that is a different program from the one in the
// field. Programs of known distribution are the first reference, engines' samplers the
// second. A Plan keeps to a budget of time; the report lists the cells that were
// skipped, with the reasons.
package bias
