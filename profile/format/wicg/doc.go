// Package wicg writes and reads the traces of the JS Self-Profiling API
// (https://wicg.github.io/js-self-profiling/): {resources, frames, stacks,
// samples}, as Chromium's Profiler and ours give them, and as Datadog and Sentry
// take them. It also knows version 1 of the explainer of 2018.
//
// # Frames
//
// A frame is a function: its name, its file, and where it is defined (lines and
// columns from 1). Positions inside functions have no place, so stacks that differ
// in nothing else become one. What is no script's has a name and no resource. A
// frame without a name that is defined at 1:1, or nowhere, is the code of a script
// outside functions.
//
// # Time
//
// Timestamps are milliseconds from the time origin. A reader may count samples,
// or add up the gaps between them: every tick is therefore a sample, from when
// the first of a sample's ticks was due to when a check took the last. While no
// script ran, samples have no stackId.
//
// What is written starts its own time: its origin is Meta.Start. A browser's
// trace has no start, and its times count from the page's origin. Its interval
// is the mean of the gaps, for the trace does not tell.
//
// # What ours have more
//
// Samples have a weight (ticks), and the first one of several a kind (entry,
// loop, exit, native, idle, program, gc, lost, own) and a skid in milliseconds; the trace
// has "fieldprof", which says how it was made. Here that includes the metadata
// and the flags of functions, so that reading a file of ours gives all back but
// positions inside functions, stacks below (idle), (program), (garbage collector) and
// (lost), and times to the nanosecond where recordings last longer than
// three weeks. In traces of pages time has found its owners: samples of entry,
// loop and exit checks become Own.
//
// # Envelopes
//
// What a page sends (docs/sending.md) is an envelope: a trace, or a part of one,
// with where it comes from. It is read as its trace. Its page becomes Meta.Program,
// its origin Meta.Start, its notes and what the trace lost Meta.Notes. Envelopes are
// not written.
//
// # Version 1
//
// Its frames are strings, "render @ newsfeed.js:56:78", and its stacks a frame and
// its parent by number. The explainer leaves open what stands for native code
// or idle time: here it is the name of the pseudo-function, and a sample without a
// stack is idle. Kinds, skids and all metadata but the interval are lost, and a sample
// of several ticks becomes several.
//
// # Bounds
//
// A file is read whole. Indices out of range, stacks that are their own parents and
// times that are none are refused with the place; samples out of order are put
// in order. MaxTicks bounds what is written.
package wicg
