// Package gecko writes and reads the profiles of the Firefox Profiler
// (https://profiler.firefox.com) in its two forms. Raw is what Firefox's own profiler
// (Gecko's) gives: versions 5, of 2016, to 36. Processed is what the Firefox Profiler makes
// of it, saves and takes: up to version 75.
//
// # Weights and time
//
// The processed form has a length of time for each sample (weightType
// "tracing-ms"): its ticks times the interval, so a sample that waited for a check
// weighs what it stands for. The raw form has none; there each tick is a sample,
// the last when the sample was taken and the others before it, an interval
// apart. The Firefox Profiler adds up weights in one and counts samples
// in the other, and comes to the same shares as package view. A profile
// without a clock (interval 0) is written at 1 ms a tick.
//
// # Functions, frames, categories
//
// Functions have their definition, frames the position where execution was, and
// stacks are ours. The functions of scripts have the category JavaScript; (idle), the collector
// and native code have their own, so that the Firefox Profiler leaves idle time
// out unless it is asked for. Version 5 has bit masks for categories and none for idle time.
// Functions without a name are called "(anonymous)", code outside functions
// "(root scope) file". Pauses of the collector and lost ticks are markers, too.
//
// What the format cannot hold is under the key "fieldprof", which others
// ignore: metadata, functions as they are, and for each sample its weight, exact
// time, kind and skid. Reading a file of ours loses nothing.
//
// # Files of others
//
// One thread is read: that with the most samples that run scripts of a program; if none
// does, scripts of the browser's own (resource:, chrome:, moz-extension:, …); then the one with
// the most samples. Threads of a browser's other processes count, too; times are from
// the start of the thread's own process. A sample weighs one tick of the interval, or as
// many as its weight says; of weights in milliseconds a tick is the longest time of which
// they are all whole numbers.
//
// Native code stays on the stacks (NativeCode; profile.Fold takes it off), and is called
// by its address where the file has no symbols. "(root)" is left out. Time in the category
// Idle, and samples without a stack, are (idle); samples in the category GC / CC
// keep their stack and are of the kind GC.
//
// Dropped are all threads but one, markers, pausedRanges (no sample falls into
// them), counters, pages, libraries, inner windows, how a frame was
// compiled, and CPU use. Weights in bytes, or below zero as in comparisons, are refused.
//
// # Bounds
//
// MaxBytes bounds what is read, MaxTicks what is written raw. Indices out of range,
// stacks that are their own callers and times that are none are refused with their place;
// samples out of order are put in order.
package gecko
