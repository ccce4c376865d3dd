package sourcemap

import (
	"cmp"
	"math"
	"slices"
)

// Insertion is a stretch of text put into the generated text, without a
// newline in it. Line and Column (from 0, UTF-16) are where it went in the text
// before any insertion; Width is its length in UTF-16 code units. A negative width says that
// as much of the text before the place has been taken away.
type Insertion struct {
	Line, Column, Width int32
}

// Shift returns the map of the generated text after the insertions.
//
// A segment at or after an insertion's place moves after the inserted text,
// so every character of the old text maps where it did before. The inserted text
// itself gets no segment: it maps where the preceding character does, or nowhere at
// the beginning of a line. The result shares its sources, names and unknown fields
// with m.
func (m *Map) Shift(insertions []Insertion) *Map {
	insertions = sorted(insertions, compareInsertions)
	shifted := *m
	shifted.segments = slices.Clone(m.segments)
	for i := 0; i < len(insertions); {
		line := insertions[i].Line
		end := i
		for end < len(insertions) && insertions[end].Line == line {
			end++
		}
		shiftLine(shifted.Line(int(line)), insertions[i:end])
		i = end
	}
	return &shifted
}

func compareInsertions(x, y Insertion) int {
	return cmp.Or(cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column))
}

// sorted returns s if it is in order, else a sorted copy.
func sorted[T any](s []T, compare func(x, y T) int) []T {
	if slices.IsSortedFunc(s, compare) {
		return s
	}
	return slices.SortedStableFunc(slices.Values(s), compare)
}

// shiftLine moves the segments of one line, both in order of column.
func shiftLine(segs []Segment, insertions []Insertion) {
	width, next := int64(0), 0
	for i := range segs {
		for next < len(insertions) && insertions[next].Column <= segs[i].Column {
			width += int64(insertions[next].Width)
			next++
		}
		segs[i].Column = int32(min(int64(segs[i].Column)+width, math.MaxInt32))
	}
}
