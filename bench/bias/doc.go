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
// # Limits
//
// Engines' samplers are not an exact truth: V8 is asked not to inline, since it does
// not name inlined functions, and that is a different program from the one in the
// field. Programs of known distribution are the first reference, engines' samplers the
// second. A Plan keeps to a budget of time; the report lists the cells that were
// skipped, with the reasons.
package bias
