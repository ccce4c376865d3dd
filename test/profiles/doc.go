// Package profiles tests what instrumented pages report of themselves, end to
// end: a directory of testdata is instrumented and served, a page of it starts a
// Profiler in Chromium, Firefox and WebKit, works in a way that is known, and
// its trace must say so; with and without shared memory, and despite any trouble.
package profiles
