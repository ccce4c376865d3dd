// Package conformance holds Profiler to the JS Self-Profiling specification, to
// WebIDL and to what Chromium does, statement by statement, in three browsers,
// with shared memory and without.
//
// The statements are in testdata/site, a page for each subject. Each page is
// also opened, uninstrumented, in Chromium with its own Profiler: a statement
// that does not hold there is listed with its reason, or is wrong. Limits that no
// script can overcome are in docs/conformance.md.
package conformance
