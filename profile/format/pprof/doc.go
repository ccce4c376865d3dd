// Package pprof writes and reads the profiles of google/pprof (profile.proto,
// gzipped), for `go tool pprof` and what speaks its format.
//
// A profile has two sample types: samples/count, the stacks captured, and
// time/nanoseconds, their ticks times the interval; time is the default. The
// period is the interval. Samples of one stack (and kind, see below) are added
// up, as the format has it, so their times and skids are lost. Columns of
// definitions are lost; all positions stay.
//
// pprof merges functions of equal name. Functions without one are therefore
// called "(anonymous) file:line" and "(top level) file"; Read takes that back.
// Host code has the file "(native)".
//
// The profile's health stands in the comments (`go tool pprof -comments`),
// followed by its metadata in JSON, which Read takes back. A kind that matters
// to attribution is the label "kind".
//
// Read takes profiles of others whose samples have a time (cpu/nanoseconds,
// wall/milliseconds, …) or at least a count. A sample's count becomes as many
// samples, weights spread evenly, up to MaxSamples; the weight is its time
// over the period. Inlined functions become frames. Only the protocol buffer
// form is read, not the text forms of old.
package pprof
