// Package gecko writes and reads the profiles of the Firefox Profiler
// (https://profiler.firefox.com) in its two forms. Firefox's own profiler (Gecko's)
// produces the raw form: versions 5, of 2016, to 36. The Firefox Profiler converts
// it to the processed form, which it saves and loads: up to version 75.
//
// # Weights and time
//
// The processed form has a duration for each sample (weightType "tracing-ms"): its
// ticks times the interval, so a sample that waited for a check weighs what it
// stands for, and its time is the start of that: the Firefox Profiler shows a sample from its own
// time until the next one's. The raw form has no durations; each tick becomes a sample, the last
// at the time of our sample and the others before it, an interval apart. The
// Firefox Profiler adds up weights in one form and counts samples in the other, and
// arrives at the same shares as package view. A profile without a clock (interval
// 0) is written at 1 ms a tick.
//
// # Functions, frames, categories
//
// Functions have their definition, frames the position of execution, and stacks
// are ours. The functions of scripts have the category JavaScript; (idle), the
// collector and native code have categories of their own, so the Firefox Profiler
// leaves out idle time by default. Version 5 has bit masks for categories and none
// for idle time. Functions without a name are called "(anonymous)", code outside
// functions "(root scope) file".
//
// # Markers
//
// Firefox calls our marks markers. They are written as those: Interaction, LongTask and
// LongFrame, Load and Navigation, and UserTiming for everything else, with schemas that
// tell the Firefox Profiler what to show. So are the collector's pauses, lost ticks, and
// stretches of samples in which the engine computed styles, laid out or painted.
//
// The key "fieldprof", which others ignore, holds what the format cannot: metadata,
// functions as they are, and for each sample its weight, exact time, kind and skid.
// Reading one of our files loses nothing.
//
// # Foreign files
//
// One thread is read: the one with the most samples that run scripts of a program,
// otherwise the one with the most that run the browser's own scripts (resource:,
// chrome:, moz-extension:, …), otherwise the one with the most samples. Threads of a
// browser's other processes count as well; times are from the start of the thread's
// own process. A sample weighs one tick of the interval, or as many as its weight
// says; if weights are in milliseconds, a tick is the longest time that divides
// them all, and a sample lasts from its time on. A profile begins with its first sample or, within
// the time of the recording, its first mark.
//
// Native code stays on the stacks (NativeCode; profile.Fold removes it), and is named
// by its address if the file has no symbols. "(root)" is left out. Time in the category
// Idle, and samples without a stack, are (idle); samples in the category GC / CC
// keep their stack and get the kind GC.
//
// Of Firefox's markers these become marks: UserTiming, LongTask and Jank, DocumentLoad,
// DOMEvent of people's input that took a frame (16 ms) or longer, from the input on, and
// as notes GC, Styles and Reflow of that length; at most 65,536. The engine's work at a
// sample (profile.Marker) is read from the GC, Styles, Reflow and Paint markers
// around it, or else by the categories GC / CC, JavaScript, Layout and Graphics.
//
// Dropped are all threads but one, other markers, pausedRanges (they contain no samples),
// counters, pages, libraries, inner windows, how a frame was compiled, and CPU use.
// Weights in bytes, and negative ones as in comparisons, are rejected.
//
// # Bounds
//
// MaxBytes bounds what is read, MaxTicks what is written raw. Indices out of range,
// stacks that are their own callers and impossible times are rejected with their
// position in the file; samples are sorted by time.
package gecko
