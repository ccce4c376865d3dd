package gojahost

import "github.com/fieldprof/fieldprof/profile"

// sample is one captured sample.
type sample struct {
	time, skid int64 // when it was taken, and how long after its first tick
	stack      stackID
	native     int32 // index of the native function on top, -1 for none
	weight     int32
	kind       profile.Kind
}

// chunkSize is how many samples are allocated at once.
const chunkSize = 4096

// recorder keeps samples in chunks, so that a long recording never copies what
// it has.
type recorder struct {
	chunks [][]sample
	count  int
	limit  int
}

// full reports whether there is no room left.
func (r *recorder) full() bool { return r.count >= r.limit }

// add keeps a sample.
func (r *recorder) add(s sample) {
	if r.count%chunkSize == 0 {
		r.chunks = append(r.chunks, make([]sample, 0, chunkSize))
	}
	last := &r.chunks[len(r.chunks)-1]
	*last = append(*last, s)
	r.count++
}
