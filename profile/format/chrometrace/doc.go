// Package chrometrace writes and reads Chrome's trace events, as the Performance
// panel of DevTools saves and loads them: an array of events, or an object with
// the array as "traceEvents".
//
// Of all events only those of V8's sampler are read: a Profile event begins a
// thread's profile, and ProfileChunk events with its id bring nodes, samples,
// and the time from each sample to the one before. (The CpuProfile event of old
// traces holds a whole one.) A sample lasts to the next one, as in DevTools'
// timeline and in speedscope; the last one to the end of the profile where a
// chunk says when that is, else for the mean. What else the trace tells (tasks,
// layout, network) is not read.
//
// # Threads
//
// A trace holds any number of threads and processes; ReadAll returns them all,
// and Read the one with the most time in functions, the first of equals. A thread
// with several profiles counts with the one that DevTools prefers: of the panel
// itself ("Internal"), else of console.profile ("Inspector"), else the first.
//
// # What is written
//
// Write makes a trace of one process and one thread. As in package cpuprofile
// each tick is a sample of its own, one interval long, unless there are very many;
// nodes carry their hits, by which DevTools' bottom-up totals go. Positions of
// the functions on top stand as lines and columns next to the samples. What else
// the format cannot hold is lost, but for the metadata, which stands in the
// trace's own.
package chrometrace
