// Package causal measures whether a profile tells what to optimise: it makes functions
// of real programs slower by a known amount, and faster by a real optimization, and
// compares what profiles say with what happened.
//
// The true distribution of a real program is unknown, but a change to it can be known.
// No sampler serves as the truth here: each of them is measured like the presets.
//
// # Dose and response
//
// A program is bundled for its engine into one file, in which the five functions with
// the most time (of those that balanced tells apart, by the engine's own sampler) get a
// spin at the start of their bodies: n rounds of integer arithmetic whose result the
// engine must keep. n is a variable, so that every dose runs the same code, n = 0
// included. A loop that contains a call gets no check, and the spin's contains one that
// never runs; the measure asserts that all presets put the same checks into the
// program with and without spins.
//
// The dose of a function is calls × n × unit. Calls are counted in a run of their own;
// the unit is calibrated in the engine, in the same session. In each round a program
// runs without doses and under three conditions. In these the function has its three
// doses, 5, 10 and 20 % of the program's time, in random order: all functions
// are dosed at once, in a new random arrangement in each round, so that the dose of one
// is unrelated to the doses of the others.
//
//	x  the dose, in percent of the program's time without doses
//	y  how much the function's time grew in the profile, in percent of the same:
//	   share × time under the condition ÷ time without doses − share without doses
//	slope  of y against x through the origin. 1 is perfect; at 0.8 a profile shows
//	   80 % of a slowdown
//
// Shares are of all samples that are not idle, in the form in which the way shows its
// profile: functions that a preset leaves unchecked are not in it, and an engine's
// sampler names every function that it knows. Time is the clean program's, by the wall
// clock, on which ticks are taken, too, or its processor time if that is less: then the
// machine was busy, and the program waited. The clock and the counted dose must agree:
// *agreement* is the time that a dose took ÷ the dose, per program. Doses are scaled by
// it, since a spin between other instructions may take more or less than alone.
//
// # Rank regret
//
// Under each condition, take the function whose time grew most according to the
// profile, and undo its dose, whose gain is known. Regret is the part of the best
// function's gain that this forgoes: 0 for the right function. A random choice has a
// regret, too, which tables show. Of functions that grew alike, as all do in a profile that
// shows none of them, chance picks one. Ways are compared with each other program by program,
// over the conditions that both have.
//
// # Real optimizations
//
// A patch makes one function of a program faster without a change in output. The
// reported gain is by how much the function's total time, callees included, shrank
// according to profiles before and after: total before − total after × time after ÷
// time before. It is compared with the measured gain, 1 − time after ÷ time before.
// The total before is a prediction by itself: no change of the function gains more.
//
// # Intervals and limits
//
// Intervals are 95 %, by bootstrap: rounds, then samples (Poisson counts of the
// effective sample size), and the residuals of the times, which are few and count for more, as
// Student says. A single round is drawn as it is,
// so intervals of single programs are of samples and times, not of processes. Means over
// programs are of what other programs would give. Samples count as independent.
//
// Doses make functions slower; that effects of making them faster are alike is an
// assumption, which the optimizations test in a few cases. The spin is pure
// arithmetic: it misses no cache, and allocates nothing in V8. goja boxes numbers above 255,
// and its collector runs most often where the unit is calibrated, in an empty heap.
// Functions that balanced leaves
// unchecked are not dosed, since a loop would give them checks. A preset's checks make the
// rest of the program slower and the spin not, and so does V8 without inlining, which
// lowers their slopes; this is an error of the profile and stays in the figure.
package causal
