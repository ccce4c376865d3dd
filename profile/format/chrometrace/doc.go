// Package chrometrace writes and reads Chrome's trace events, as the Performance
// panel of DevTools saves and loads them: an array of events, or an object with
// the array as "traceEvents". The array may end anywhere, as it does where a browser was killed: what is there is read.
//
// Only the events of V8's sampler are read: a Profile event begins the profile of
// a thread, and ProfileChunk events with its id bring nodes, samples, and the time
// from each sample to the previous one. (The CpuProfile event of old traces holds
// a whole profile.) A sample lasts to the next one, as in DevTools' timeline and in
// speedscope; the last one to the end of the profile if a chunk says when that is,
// otherwise for the mean.
//
// Of the other events of that thread some become marks: user timings, but not the
// browser's own; the event of each interaction that was handled longest (EventTiming); and tasks and
// animation frames that took 50 ms or longer. Its collections of garbage, styles, layout
// and painting say what the engine was doing at samples. Everything else in the trace is
// ignored.
//
// # Threads
//
// A trace holds any number of threads and processes. ReadAll returns them all;
// Read returns the one with the most time in functions, the first of equals. Of a
// thread with several profiles that are whole, the one that DevTools prefers counts: that of the
// panel itself ("Internal"), then that of console.profile ("Inspector"), then the
// first.
//
// # Writing
//
// Write makes a trace of one process and one thread. As in package cpuprofile,
// each tick is a sample of its own, one interval long, unless there are very many.
// Nodes carry their hits, from which DevTools computes its bottom-up totals. The
// positions of the functions on top are in the columns lines and columns next to
// the samples. Marks are where their samples are: interactions as events of Event Timing,
// all others as user timings, with their kind before their name. The trace's own metadata
// hold ours and the marks; anything else that the format cannot hold is lost.
package chrometrace
