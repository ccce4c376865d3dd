// Package sqlite is the store of one machine: a single file, written by one process.
//
// # Cells
//
// Ticks are added up in cells, one for each series and minute: sites as numbers, in order, each as the
// distance from the one before and its ticks, both a byte or two. Most chunks have a series
// and a minute of their own, so most writes append a part and insert a small row. Hours and days
// are cells as well (rollup.go), which are used as soon as they are complete, even while the
// minutes are still kept.
//
// A chunk counts in several series: one with all its labels, one with its release and route only, and one
// for each of its labels (levels.go). There are few of the last two kinds, and most questions need no
// other: a day of a million chunks is some thousand cells.
//
// # Writing and reading
//
// One connection writes, under a mutex, and each batch is a transaction. A question reads in a transaction of
// its own, so it sees whole batches only, and never waits for a writer.
package sqlite
