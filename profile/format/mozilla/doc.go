// Package mozilla writes and reads the results of the Profiler object of Mozilla's
// draft of 2012: results(), a tree of calls, and samples(), a list
// (https://wiki.mozilla.org/JavaScript:Profiling; ours: docs/mozilla.md).
//
// # results()
//
// A child is a function called from one position by its caller's function: where it
// is defined (function), where execution was (site), the ticks with it on the stack
// (samples) and on top (selfCount), so samples = selfCount + the samples of the
// children. The root counts ticks without a stack next to samples, as our Profiler
// does: gcSamples, idleSamples, programSamples, and here lostSamples. The tree has
// no times; micros is how long the profiler ran.
//
// When a file is read, a tick lasts micros divided by all ticks, unless the metadata
// under "fieldprof" say otherwise. Each node with ticks of its own gives one sample,
// in the order of the tree. A child without a selfCount has what its samples exceed
// those of its children by. data and events are dropped.
//
// # samples()
//
// Each sample has its time (micros, from the start), its weight, and its stack,
// innermost function first. The draft cannot express idle time: here the stack is
// then the one pseudo-function, (idle), with an empty file. Metadata, skids, and
// kinds other than those of pseudo-functions are lost. The interval is the time of
// the last sample divided by all weights.
//
// Code outside functions is called "<top level>", as in the draft. Host code has
// the file "(native)".
//
// # Bounds
//
// The tree is read as a stream, however deep it is. Counts that are negative, or
// less than those of the children, are rejected with the byte at which they
// end. MaxFrames bounds how many frames samples() may spell out.
package mozilla
