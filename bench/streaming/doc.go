// Package streaming measures what it costs a page to stream its profile while it records,
// over recording alone, in Chromium.
//
// One page does the same work again and again; in turn it is recorded by its own Profiler
// at 10 ms, by the server's live profile at 10 ms, and by its own Profiler once more, which
// shows the noise. The time that counts is that of the page's thread, as Chromium accounts for
// it (Performance.getMetrics in the domain of thread ticks): tasks, scripts in them. The
// server acknowledges every batch at once.
package streaming
