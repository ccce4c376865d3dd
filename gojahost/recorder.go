package gojahost

import (
	"math"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/profile"
)

// sample is one captured sample.
type sample struct {
	time, skid int64          // when it was taken, and how long after its first tick
	missed     int64          // deadlines that the coordinator had missed by then
	stack      stackID        // in its segment
	native     int32          // index of the native function on top, -1 for none
	weight     int32          // ticks
	host       int32          // of the runtime
	tags       profile.TagsID // in the recording
	kind       profile.Kind
}

// chunkSize is how many samples are allocated at once, unless a segment has fewer.
const chunkSize = 4096

// parts is how many segments a full recording has: so much of it falls out at once.
const parts = 16

// segment is a stretch of a recording with the stacks of its samples, so that it falls
// out as a whole.
type segment struct {
	stacks *stacks
	most   int        // samples
	chunks [][]sample // the samples, which are never copied
	count  int
	ticks  int64
	from   int64 // when its first sample was taken
	last   int64 // and its last
}

// add keeps a sample.
func (s *segment) add(one sample) {
	if s.count%chunkSize == 0 {
		s.chunks = append(s.chunks, make([]sample, 0, min(chunkSize, s.most-s.count)))
	}
	chunk := &s.chunks[len(s.chunks)-1]
	*chunk = append(*chunk, one)
	s.count++
	s.ticks += int64(one.weight)
	s.last = one.time
}

// span is what fell out of a recording in a stretch of time.
type span struct {
	from, to int64
	ticks    int64
}

// maxSpans bounds what is known of the time before the recording.
const maxSpans = 1024

// recorder keeps the latest samples: as many as its limit, of the latest time. The
// oldest segments fall out, and are counted.
type recorder struct {
	limit    int   // of samples
	keep     int64 // nanoseconds; 0: as long as there is room
	segments []*segment
	count    int    // samples
	gone     []span // in order of time
	fallen   int64  // ticks that ever fell out
}

// add keeps a sample with its stack, which has at most MaxDepth frames.
func (r *recorder) add(frames []goja.StackFrame, s sample) {
	open := r.open(&s)
	id, ok := open.stacks.intern(frames)
	if !ok {
		open = r.begin(s.time)
		id, _ = open.stacks.intern(frames) // has room for any stack
	}
	s.stack = id
	open.add(s)
	r.count++
	r.bound(s.time)
}

// open returns the segment for a sample. Samples of several runtimes may come out of
// order, by the time that it takes to get here.
func (r *recorder) open(s *sample) *segment {
	if len(r.segments) == 0 {
		return r.begin(s.time)
	}
	last := r.segments[len(r.segments)-1]
	s.time = max(s.time, last.last)
	if last.count >= last.most || r.keep > 0 && s.time-last.from >= r.keep/parts {
		return r.begin(s.time)
	}
	return last
}

// begin begins another segment. The one before needs no index any more.
func (r *recorder) begin(at int64) *segment {
	if n := len(r.segments); n > 0 {
		r.segments[n-1].stacks.seal()
	}
	s := &segment{stacks: newStacks(max(MaxDepth, MaxStacks/parts)), most: max(1, r.limit/parts), from: at, last: at}
	r.segments = append(r.segments, s)
	return s
}

// bound lets the oldest segments fall out: those that are too old, and those for which there
// is no room. Segments that have few samples but many stacks count, too.
func (r *recorder) bound(now int64) {
	for len(r.segments) > 0 {
		oldest := r.segments[0]
		old := r.keep > 0 && oldest.last < now-r.keep
		many := len(r.segments) > 1 && (r.count > r.limit || len(r.segments) > parts+1)
		if !old && !many {
			return
		}
		r.segments[0] = nil
		r.segments = r.segments[1:]
		r.count -= oldest.count
		r.drop(span{oldest.from, oldest.last, oldest.ticks})
	}
}

// drop counts what fell out. When too many stretches are known, two become one.
func (r *recorder) drop(s span) {
	r.fallen += s.ticks
	if len(r.gone) >= maxSpans {
		merged := r.gone[:0]
		for i := 0; i+1 < len(r.gone); i += 2 {
			a, b := r.gone[i], r.gone[i+1]
			merged = append(merged, span{a.from, b.to, a.ticks + b.ticks})
		}
		r.gone = merged
	}
	r.gone = append(r.gone, s)
}

// dropped returns how many ticks fell out whose segments touch a stretch of time.
func (r *recorder) dropped(from, to int64) (ticks int64) {
	for _, s := range r.gone {
		if s.to >= from && s.from < to {
			ticks += s.ticks
		}
	}
	return ticks
}

// since is from when on the recording has everything: anything older may have fallen out, and
// is no longer kept if it is not a sample.
func (r *recorder) since(now int64) int64 {
	from := int64(math.MinInt64)
	if r.keep > 0 {
		from = now - r.keep
	}
	if n := len(r.gone); n > 0 {
		from = max(from, r.gone[n-1].to+1)
	}
	if len(r.segments) > 0 {
		from = min(from, r.segments[0].from)
	}
	return from
}

// latest is when the last sample was taken.
func (r *recorder) latest() int64 {
	if len(r.segments) == 0 {
		return 0
	}
	return r.segments[len(r.segments)-1].last
}

// clear forgets everything.
func (r *recorder) clear() { r.segments, r.count, r.gone = nil, 0, nil }

// stretch is a segment at a moment: later additions are not in it, and its contents do not
// change, so it can be read while the recording goes on.
type stretch struct {
	frames []goja.StackFrame
	nodes  []node
	chunks [][]sample
}

// between returns the segments that touch a stretch of time.
func (r *recorder) between(from, to int64) []stretch {
	var stretches []stretch
	for _, s := range r.segments {
		if s.last >= from && s.from < to {
			stretches = append(stretches, stretch{s.stacks.frames, s.stacks.nodes, append([][]sample(nil), s.chunks...)})
		}
	}
	return stretches
}
