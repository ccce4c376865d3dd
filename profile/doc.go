// Package profile holds one recording of where a program spent its time, and the
// operations on it: check it, merge it, decide whose time each sample is, and trace
// it back to the sources.
//
// # The life of a profile
//
// A clock raises a flag once per interval; each raise is a tick. The first
// check in the running program that sees the flag takes the pending ticks and
// captures a stack: one sample, whose weight is the number of ticks it stands
// for. The capturing side collects the samples in a Builder. The result names
// deployed positions and the kind of site at which each sample was taken. Nothing
// has been decided yet, so every rule can be replayed on it.
//
//	raw := builder.Profile()
//	known := profile.Symbolize(raw, scripts)               // functions by table, sources by map
//	result := profile.Attribute(known, profile.BySite)     // each stack now ends at the owner of its time
//
// Attribute needs the Checked and FilledFirst flags that Symbolize sets, so it
// comes second. Views and formats take the result. A profile read from a file
// is already a result.
//
// # Units
//
// Lines and columns count from 1, columns in UTF-16 code units; 0 is unknown.
// Times are nanoseconds from Meta.Start; that of a sample is the end of the time that it
// stands for. Weights are ticks: a sample of weight w stands for w × Profile.TickTime. That is
// Meta.Interval, unless the account of ticks explains the recording's duration. A profile
// read from a file without a clock has interval 0 and only weights.
//
// # Columns
//
// The model is columnar and interned: strings, functions, frames and stacks
// are each stored once and named by index, and stacks form a trie in which a
// parent comes before its children. A million samples cost 25 bytes each.
// Indices are int32, so each table holds at most 2³¹−1 entries.
//
// Everything here except the Builder returns new profiles and never changes its
// arguments; results may share columns with their inputs.
//
// The codecs are in profile/format, the views in profile/view.
package profile
