// Package profiles tests the traces of instrumented pages, end to end: a directory of
// testdata is instrumented and served, a page of it starts a Profiler in Chromium,
// Firefox and WebKit and does known work, and its trace must show that work; with and
// without shared memory, and despite any trouble.
package profiles
