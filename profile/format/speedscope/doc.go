// Package speedscope writes and reads speedscope's own files (.speedscope.json),
// as of version 1.25 of their schema.
//
// A file is a list of frames and of profiles whose samples are stacks of frames.
// Viewers identify functions by frame, so Write makes one frame of each function,
// with the position of its definition, and drops the position of execution. The
// profile is a sampled one, in order of time: a sample's weight is its ticks
// times the interval, in nanoseconds; without an interval, ticks of unit "none".
// The time that speedscope shows is the sum of the preceding weights. The metadata
// and the marks, each where its samples are, are under the key "fieldprof", which
// speedscope ignores.
//
// Read takes sampled and evented profiles in any unit; of a file with several
// profiles, the one that speedscope would show first ("activeProfileIndex"). Other
// units of time become nanoseconds, and the interval is the longest tick that
// divides all weights, or a microsecond if that is longer (see the interval of a
// profile in docs/formats.md); weights of other units are rounded. Samples without
// weight are skipped; an empty stack is (idle). In an evented profile each interval
// between two events is a sample; only the frame that was opened last can be closed,
// and frames left open end with the profile.
package speedscope
