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
	if last.at = at; c != last {
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
		for j := from.samples; j < to.samples; j++ {
			sorted.samples.add(f.samples.at(j))
		}
		for j := from.deltas; j < to.deltas; j++ {
			sorted.deltas.add(f.deltas.at(j))
		}
		for j := from.lines; j < to.lines; j++ {
			sorted.lines.add(f.lines.at(j))
		}
		for j := from.cols; j < to.cols; j++ {
			sorted.cols.add(f.cols.at(j))
		}
	}
	f.samples, f.deltas, f.lines, f.cols, f.chunks = sorted.samples, sorted.deltas, sorted.lines, sorted.cols, nil
}
