// Package slices says why something was slow. A slice is a mark of a profile that lasted too
// long (an interaction, a long task, the load of a page, …), with the samples of its time.
// Blame says whose time that was, and Explain says it in a sentence:
//
//	282 ms of 310: filterProducts (catalogue.ts:41) ← onInput (search.tsx:12)
//
// The same rules are in runtime/src/interactions (blame.ts, explain.ts) for use in pages.
// Both pass the corpus in testdata.
//
// # Which time a sample stands for
//
// A sample covers the time since the sample before it, cut to the slice. The weights of
// samples alone would not do: ticks come at random, so the gaps between them differ, and in
// a slice of 200 ms twenty ticks are expected, but sixteen or twenty-four are common. With
// the gaps, the parts add up to the slice.
//
// A gap that is longer than the sample's ticks (and its skid) and four intervals more has
// time in it that no sample stands for, as when the machine slept: chance makes one gap in a
// hundred so long. The last sample of a profile also covers an interval after it.
//
// # Groups
//
// Each part of a slice's time belongs to one group, and the groups add up to its duration.
//
//   - own, framework, third-party: the innermost function, by its file. A framework's is
//     below node_modules, or a source map or its function table says that it is to be ignored. A
//     third party's is of another origin than the page, unless Options.FirstParty says
//     that this is one of the page's own. Traces call code that a page may not see
//     "unknown"; it is a third party's.
//   - native: a builtin, or code of the host.
//   - gc, style, layout, paint: as the sample's marker or pseudo-function says, whichever script was
//     running. Without markers, the time in which something else than a script ran
//     while the picture after an interaction was due counts as paint: that is when browsers
//     compute styles, lay out and paint.
//   - other: something ran, but no check did. A long task is busy from end to end, and an
//     interaction while its handlers run: time in there without a sample, or
//     with one that says that nothing ran, is other too. A polling clock finds code without
//     checks only by the gap that it leaves.
//   - waiting: nothing ran, or there is no sample.
//
// # The cause
//
// The cause is the function to look at first:
//
//  1. The function that has the most time itself, with the native code that it called, if
//     that is half of the busy time or more. It may be of any origin: a function of a
//     third party or a framework that takes half the time is what was slow. For a
//     slow handler behind a framework's dispatcher it is the handler, because the dispatcher's
//     time is spent in its callees. For JSON.parse or a sort it is their caller, as
//     builtins have no checks; likewise for a comparator too small to have one. For a forced layout
//     it is the function that forced it.
//  2. Otherwise the time is spread over several functions. It is the innermost function (the one
//     with the least total) that has half of the busy time with its callees. Frameworks'
//     functions are left out: most of them call everything.
//  3. Otherwise there is none, and the groups have to do.
//
// The handler is the outermost function of the page's own code on most of the cause's stacks, else
// of a third party's: where a framework or the browser called it.
package slices
