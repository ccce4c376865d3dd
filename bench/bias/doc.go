// Package bias measures how far profiles are from the truth.
//
// # From runs to figures
//
// A Collector runs programs in every Way of a Plan, in turn: clean, profiled by each
// preset, and without checks under the engine's own sampler (bench/truth). Each run is a
// Recording, which may be kept in a file. Evaluate makes a Report of recordings and runs
// nothing, so attribution can be replayed on the raw samples years later. The cost of
// checks is another measure (bench/overhead).
//
//	recordings, err := bias.NewCollector().Run(ctx, bias.NewPlan(options))
//	report := bias.Evaluate(recordings, terms)
//
// Measure does all of this. A Part of the plan can be measured alone, in several
// rounds.
//
// # What is compared
//
// A Distribution is self time by function. Its time in builtins is their caller's
// everywhere; idle time, the collector's time and ticks outside of the program's functions
// are left out and reported separately. Strict: every function by itself. Merged(N): the
// functions that a preset with that N does not promise to tell apart are counted, in the
// truth as in the profile, in their nearest caller that it does; that is the preset's
// Promise. Which these are, acorn says (promise.go), a parser that shares no code with the
// transform: functions under N statements without a loop that the event loop does not
// enter (docs/running.md). A difference from the functions that
// the transform checks is in the report, not in the figures.
//
// A preset that checks nothing keeps its promise, since it promises to tell nothing apart. So
// the first table never shows the promise alone. Resolution is the share of the true time in
// functions that the preset tells apart, and Functions their effective number, e to the entropy
// of the merged truth.
//
// # Units
//
// Overlap, resolution, bias and differences of shares are percent. An overlap is to be read
// with its floor, the overlap of the truth with a second run of itself, and of about as
// many samples: the plan runs ways again until they have them (balance.go), runs are
// pooled, and larger profiles are thinned for it. The ratio of what was recorded, n_m/n_t,
// is in each cell. Effective samples are there too: one that carries several ticks scatters
// as several equal ones do not.
//
// Bias is the part of 100 − overlap that is not chance, by bounds that package estimate describes,
// from all samples. Floor − overlap is not that: bias and noise do not add, and it reads
// half of a bias that is spread over functions. Ranks (rank.go) and the worst function are
// by the promise, and strictly in the JSON.
//
// An Estimate carries a 95 % interval: in a cell, what other samples of the same executions
// could have given, widened by as much as the truth's two runs differ more than that; in a
// mean, what other programs and other samples would give. A mean is of programs whose truth
// and profile have 1,000 samples and whose floor is 90 or more. The others are
// shown by themselves, with the reason. Two programs have no mean. A profile without a
// sample in the program is skipped.
//
// # Exact programs
//
// All programs of known distribution run in one run of a way (fixtures.Pack), since most of
// what a short run takes is the engine's start; unpack tells their samples apart by the files
// on the stacks. The engine's samplers are graded on them, and called truth or reference
// (package truth).
//
// In Node 2 to 8 % of the native programs are in "functions not listed": all of it in main,
// and nearly all at its entry checks, the first ones after those that took a sample. The
// share falls with the interval (native-json: 6.3 % at half a millisecond, 1.7 % at five), as
// that of ticks raised during the capture would, whose time belongs to no function; the time of a
// capture alone does not explain all of it. In other programs such ticks fall on the next check of the
// same loop, and so on the function that took the sample.
//
// # Limits
//
// Engines' samplers are not an exact truth: V8 is asked not to inline, since it does
// not name inlined functions, and that is a different program from the one in the
// field. Programs of known distribution are the first reference, engines' samplers the
// second. Where functions are many and their samples few, no figure can tell a small bias
// of each from noise: intervals are wide, and the middle between the bounds is nearer to
// the lower than a bias that is spread evenly. A Plan keeps to a budget of time; the report
// lists the cells that were skipped, with the reasons.
package bias
