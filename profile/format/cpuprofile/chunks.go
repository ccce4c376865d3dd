package cpuprofile

import (
	"cmp"
	"slices"
)

// chunk is how much of a file there was when one of its chunks had been read.
type chunk struct {
	at                           float64
	samples, deltas, lines, cols int
}

// EndChunk says that a chunk of this time has been read: its samples have all the lines and
// columns that they will get, as not every chunk of a trace has them.
func (f *File) EndChunk(at float64) {
	for f.lines.n < f.Samples() {
		f.lines.add(0)
	}
	for f.cols.n < f.Samples() {
		f.cols.add(0)
	}
	var last chunk
	if n := len(f.chunks); n > 0 {
		last = f.chunks[n-1]
	}
	c := chunk{at, f.Samples(), f.Deltas(), f.lines.n, f.cols.n}
	last.at = at // one that adds nothing is none
	if c != last {
		f.chunks = append(f.chunks, c)
	}
}

// SortChunks puts the chunks in order of time; those of one time stay as they were.
func (f *File) SortChunks() {
	inTime := func(a, b int) int { return cmp.Compare(f.chunks[a].at, f.chunks[b].at) }
	order := make([]int, len(f.chunks))
	for i := range order {
		order[i] = i
	}
	if slices.IsSortedFunc(order, inTime) {
		return
	}
	slices.SortStableFunc(order, inTime)
	var sorted File
	for _, i := range order {
		var from chunk
		if i > 0 {
			from = f.chunks[i-1]
		}
		to := f.chunks[i]
		carry[int64](&sorted.samples, &f.samples, from.samples, to.samples)
		carry[float64](&sorted.deltas, &f.deltas, from.deltas, to.deltas)
		carry[int32](&sorted.lines, &f.lines, from.lines, to.lines)
		carry[int32](&sorted.cols, &f.cols, from.cols, to.cols)
	}
	f.samples, f.deltas, f.lines, f.cols, f.chunks = sorted.samples, sorted.deltas, sorted.lines, sorted.cols, nil
}

// list is what columns have in common.
type list[T any] interface {
	add(T)
	at(int) T
}

// carry adds the entries from one on and before another to a list.
func carry[T any](to, from list[T], begin, end int) {
	for i := begin; i < end; i++ {
		to.add(from.at(i))
	}
}
