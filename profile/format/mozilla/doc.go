// Package mozilla writes and reads what the Profiler object of Mozilla's draft
// of 2012 gives: results(), a tree of calls, and samples(), a list
// (https://wiki.mozilla.org/JavaScript:Profiling; ours: docs/mozilla.md).
//
// # results()
//
// A child is a function called from one position by its caller's: where it is
// defined (function), where execution was (site), the ticks with it on the stack (samples)
// and on top (selfCount), so that samples = selfCount + those of the children.
// Ticks without a stack stand beside samples at the root, as our Profiler
// counts them: gcSamples, idleSamples, programSamples, and here lostSamples. The tree has no
// times; micros is how long the profiler ran.
//
// What a tick is worth is micros over all ticks when a file is read, unless the
// metadata under "fieldprof" says it. Reading gives one sample for each node with
// ticks of its own, in the order of the tree. A child without a selfCount has what
// its own samples leave over its children's. data and events are dropped.
//
// # samples()
//
// Each sample has its time (micros, from the start), its weight, and its stack,
// innermost function first. The draft has no place for idle time: here a stack is then
// the one pseudo-function, (idle), with an empty file. Metadata, kinds (but
// for what pseudo-functions tell) and skids are lost. The interval is the time of
// the last sample over all weights.
//
// Code outside functions is called "<top level>", as the draft does. Host
// code has the file "(native)".
//
// # Bounds
//
// The tree is read as a stream, however deep it is. Counts that are negative, or
// less than those of the children, are refused with the byte at which they
// end. MaxFrames bounds how many frames samples() may spell out.
package mozilla
