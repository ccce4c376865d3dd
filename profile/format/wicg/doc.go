// Package wicg writes and reads the traces of the JS Self-Profiling API
// (https://wicg.github.io/js-self-profiling/): {resources, frames, stacks,
// samples}, as Chromium's Profiler and ours return them, and as Datadog and Sentry
// accept them. It also supports version 1 of the explainer of 2018.
//
// # Frames
//
// A frame is a function: its name, its file, and where it is defined (lines and
// columns from 1). The format has no positions inside functions, so stacks that
// differ only in those are merged. Code that is not part of a script has a name and
// no resource. A frame without a name that is defined at 1:1, or nowhere, is the
// code of a script outside functions.
//
// # Time
//
// Timestamps are milliseconds from the time origin. A reader may count samples,
// or add up the gaps between them: therefore every tick is a sample, from the time
// the first of a sample's ticks was due to the time a check took the last. While no
// script ran, samples have no stackId.
//
// A trace that is written has its own time: its origin is Meta.Start. A browser's
// trace has no start, and its times count from the page's origin: Read begins with the first sample or mark, and
// traces of one page follow each other when they are merged. Times that count from 1970 say the start. The interval
// is the mean of the gaps, because the trace does not state it; gaps in which the machine slept or the page
// was frozen are left out. A sample without a stack
// is (idle), or with a marker (garbage collector) or (program): the browser was at work.
//
// # Our additions
//
// The events while a page was profiled (TraceMark in runtime/src/recording/parts.ts) are
// in "fieldprof", with times like those of samples, and become Profile.Marks. A sample's
// marker is the standard's own.
//
// Samples have a weight (ticks), and the first one of several a kind (entry,
// loop, exit, native, idle, program, gc, lost, own) and a skid in milliseconds; the trace
// has "fieldprof", which says how it was made. Here that includes the metadata
// and the flags of functions, so reading one of our files restores everything except
// positions inside functions, stacks below (idle), (program), (garbage collector) and
// (lost), and times to the nanosecond in recordings longer than three weeks. In
// traces of pages time has already been attributed: samples of entry, loop and exit
// checks become Own.
//
// # Envelopes
//
// A page sends an envelope (docs/sending.md): a trace, or a part of one, and where it
// comes from. It is read as its trace. Its page becomes Meta.Program, its origin
// Meta.Start, its notes and the losses of the trace Meta.Notes. One that has only the
// counts of a session is refused. Envelopes are not written.
//
// # Version 1
//
// Its frames are strings, "render @ newsfeed.js:56:78", and its stacks a frame and
// its parent by number. The explainer does not say how to represent native code
// or idle time: here it is the name of the pseudo-function, and a sample without a
// stack is idle. Kinds, skids and all metadata but the interval are lost, and a sample
// of several ticks becomes several.
//
// # Bounds
//
// A file is read whole. Indices out of range, stacks that are their own parents and
// impossible times are rejected with their position; samples are sorted by time.
// MaxTicks bounds what is written. Limits bounds what is read of a stranger.
package wicg
