// Package pprof writes and reads the profiles of google/pprof (profile.proto,
// gzipped), for `go tool pprof` and compatible tools.
//
// A profile has two sample types: samples/count, the stacks captured, and
// time/nanoseconds, their ticks times the interval; time is the default. The
// period is the interval. As the format requires, samples of one stack (and kind,
// see below) are added up, so their times and skids are lost. Columns of
// definitions are lost; all positions are kept.
//
// pprof merges functions of equal name. Functions without one are therefore
// called "(anonymous) file:line" and "(top level) file", which Read reverses.
// Host code has the file "(native)".
//
// The profile's health is in the comments (`go tool pprof -comments`), followed by
// its metadata in JSON, which Read restores. A kind that matters to attribution is
// the label "kind", the engine's work the label "marker". A sample within an
// interaction, a long task or frame, a load, a navigation or a measure has the mark's
// name as a label: go tool pprof -tagfocus 'interaction=click' takes those samples.
// Samples that differ in labels are not added up. The marks themselves are lost.
//
// Read accepts foreign profiles whose samples have a time (cpu/nanoseconds,
// wall/milliseconds, …) or at least a count. A sample's count becomes as many
// samples, with the weight spread evenly, up to MaxSamples; the weight is its time
// over the period or, without one, or where times are not of whole periods, over a time
// that divides all. Times are those
// of the processor, or of several, and need not add up to the duration (Meta.Exact). Inlined functions become frames. Only the protocol buffer
// form is read, not the old text forms.
package pprof
