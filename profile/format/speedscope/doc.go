// Package speedscope writes and reads speedscope's own files (.speedscope.json),
// as of version 1.25 of their schema.
//
// A file is a list of frames and of profiles whose samples are stacks of frames.
// Viewers tell functions apart by frame, so Write makes one frame of each
// function, with the place of its definition, and drops where execution was.
// The profile is a sampled one, in order of time: a sample's weight is its ticks
// times the interval, in nanoseconds; without an interval, ticks of unit "none".
// What speedscope shows as time is the sum of the weights before. The metadata
// is under the key "fieldprof", which speedscope ignores.
//
// Read takes sampled and evented profiles in any unit; of a file with several
// profiles the one that speedscope would show first ("activeProfileIndex"). Other
// units of time become nanoseconds, and the interval the longest tick of which
// all weights are whole numbers, a microsecond where that would be less (see
// the interval of a profile in docs/formats.md); weights of other units are
// rounded. Samples without weight are passed over, an empty stack is (idle). In an
// evented profile each
// stretch between two events is a sample; a frame that is closed must be the one
// that was opened last, and frames left open end with the profile.
package speedscope
