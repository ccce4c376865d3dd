// Package overhead measures what checks cost, and what recording costs, so that a
// percent can be seen.
//
// A program runs in two builds, clean and checked, in one process and one isolate, in
// turns of some 40 ms: ABBA or BAAB, drawn for each block of four, so that neither build
// has the better places and a drift of the machine falls on both. Each block gives the
// logarithm of a ratio; a process (an *invocation*) gives one value, the trimmed mean of
// its blocks. V8's random seed and hash seed, the length of the environment and of a path, and
// which build is loaded first are drawn again for each. How many
// blocks and invocations there are follows from a pilot, as Kalibera and Jones
// (bench/estimate) compute it, and from the budget. Intervals draw programs and
// invocations again.
//
// Both builds are warmed up first. Then come the phases: nothing records (*idle*); the first
// second of recording; after ten seconds of it (*settled*), since V8 compiles the sampled
// functions again meanwhile; a second after its end (*stopped*), while V8 compiles them once
// more; and six seconds after it (*ended*), when V8 has finished. Recording is as in the field, at 10 ms, by shared memory or by polling. The clock is
// paused while the clean build has its turn. Reading stacks, which a page does when it rests,
// is part of the turn.
//
// Time is processor time in Node and goja: the time of the thread that runs the program,
// and the time of the process, which includes V8's compiler and collector threads and the
// coordinator's worker. Where the kernel grants a counter, instructions in user mode
// are counted as well. A page knows only the wall clock. Goja runs in a process of its own,
// this program again (Child).
//
// # Limits
//
// Programs do the same work over and over; code that a page loads once, and caches of the
// processor that two builds compete for, are not seen. Ticks follow the wall clock, so on a
// machine that gives a thread half a processor recordings look twice as dear. Firefox's pages
// have a finer clock here than most sites have when their checks poll. By how much sharing an
// isolate may bend the figures is bounded by Prove, which compares with processes of one build
// each, on two programs: no difference was found, and the interval says how large one could be. The first second is one of warm code; recording from the first line costs
// more. Pages are measured in one tab of a browser without a window.
package overhead
