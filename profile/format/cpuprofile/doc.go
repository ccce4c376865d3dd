// Package cpuprofile writes and reads the .cpuprofile files of Chrome DevTools,
// VS Code and Node: a Profiler.Profile of the Chrome DevTools Protocol in JSON.
//
// # Time
//
// Viewers disagree about self time. DevTools multiplies a node's hit count by
// the mean interval, (endTime − startTime) / all hits; others give each sample
// the time to the next one. The two must agree, so every tick is written as one
// slot of exactly one interval: a sample of weight w is w consecutive entries. The
// first slot begins at startTime (its delta is 0), and a closing entry on (root),
// without a hit, ends the last one at endTime. Slots are whole microseconds; if
// the interval is not, each boundary is rounded down, so a run of slots is off by
// less than a microsecond. A profile without a clock (interval 0) is written at
// 1 ms a tick.
//
// If that would take more than a million entries and most samples have many ticks,
// as in profiles of durations, an entry is a sample, as long as its ticks, and hits
// count the ticks: the two computations still agree.
//
// # Nodes
//
// A node is a function called by a chain of functions. Positions inside the
// functions do not split nodes; they are kept as positionTicks, by line. (program),
// (idle), (garbage collector) and (lost) are children of the root, the only
// place DevTools knows the first three, whatever stack they were taken on.
// DevTools shows a lone (program) entry between two of one task as part of
// the task; that concerns its timeline, not its totals.
//
// # What the format cannot hold
//
// is under the top-level key "fieldprof", which other readers ignore: the
// profile's metadata, the flags of functions by node, and for each sample its
// weight, time, kind, skid and position. Reading one of our files restores those.
// Positions of callers, stacks below pseudo-functions, and functions that no sample
// needs are lost.
//
// # Foreign files
//
// Read makes one pass over a file and holds the profile, not the text. It gives
// samples DevTools' time (ByHits); ReadAs can let each last to the next one
// instead (ToNext), as VS Code, xsbug and speedscope do.
//
// By hits, a sample of a foreign file weighs one tick, and the interval is the mean
// that DevTools computes. V8 also records samples that no tick asked for, at start
// and stop and on request. They have no hit, so a node has only as many samples as
// hits (the first ones, because the file does not say which). If hit counts are
// missing, or exceed the samples, all samples count. A file without samples gives
// one sample for each node with hits.
//
// To the next, a tick is the longest time that divides all durations
// (docs/formats.md), and the last sample lasts to endTime.
//
// Lines of execution (positionTicks) belong to nodes. They are dealt out evenly to the samples of a node, and left
// out if they are more than its samples.
//
// Negative deltas, which V8 writes, are kept, and the samples are sorted by time. A
// nodes list with an unknown child, a node with two parents or a cycle is rejected;
// a node without a parent that is not (root) has no caller.
//
// The old form with a nested "head" is not supported.
package cpuprofile
