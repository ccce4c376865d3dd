// Package edit is an insertion-only buffer: text can be added to a source, and
// nothing else can happen to it.
//
// Every insertion has a gravity. An opener clings to the text on its right, a
// closer to the text on its left, so at one offset closers come first; of two
// closers the one that was opened later comes first, of two openers the one
// asked for first. With that, wraps nest like brackets however they meet:
//
//	b.Wrap(0, 9, "A(", ")a")  // x => y => z, outer body
//	b.Wrap(5, 9, "B(", ")b")  // inner body, same end
//
// No insertion may contain a line break: line numbers of the result are those
// of the source, and source maps need only their columns shifted.
package edit

import (
	"cmp"
	"slices"
)

// ID names one inserted text; see Buffer.Apply.
type ID int32

// Buffer collects insertions into one source. The zero Buffer is empty and
// ready for use.
type Buffer struct {
	edits []Insertion
}

// Insertion is one inserted text.
type Insertion struct {
	Offset int    // in the source
	Text   string // without line breaks
	Output int    // offset in the result, set by Apply
	id     ID
	// partner orders insertions at one offset: for a closer, where its opener
	// stands; openers carry openerSide and keep the order they were asked in.
	partner int
}

// openerSide is larger than any source offset, so openers sort after closers.
const openerSide = int(^uint(0) >> 1)

// Open inserts text that belongs to what follows it.
func (b *Buffer) Open(offset int, text string) ID {
	return b.add(offset, text, openerSide)
}

// Close inserts text that belongs to what precedes it and ends something that
// began at from.
func (b *Buffer) Close(offset, from int, text string) ID {
	if from >= offset {
		// Nothing lies between: the closer must stand behind its opener.
		return b.add(offset, text, openerSide)
	}
	return b.add(offset, text, from)
}

// Wrap puts open before the range and close behind it and returns the closer.
func (b *Buffer) Wrap(start, end int, open, close string) ID {
	b.Open(start, open)
	return b.Close(end, start, close)
}

func (b *Buffer) add(offset int, text string, partner int) ID {
	id := ID(len(b.edits))
	b.edits = append(b.edits, Insertion{Offset: offset, Text: text, id: id, partner: partner})
	return id
}

// Len is the number of insertions.
func (b *Buffer) Len() int { return len(b.edits) }

// Apply writes the source with the insertions. It returns the insertions in
// the order of the result, with Output set. The source is not modified.
func (b *Buffer) Apply(src []byte) ([]byte, []Insertion) {
	b.sort(len(src))
	size := len(src)
	for i := range b.edits {
		size += len(b.edits[i].Text)
	}
	out := make([]byte, 0, size)
	at := 0
	for i := range b.edits {
		e := &b.edits[i]
		out = append(out, src[at:e.Offset]...)
		at = e.Offset
		e.Output = len(out)
		out = append(out, e.Text...)
	}
	return append(out, src[at:]...), b.edits
}

// sort puts the insertions into the order of the result. They are spread over
// the source: thrown into as many buckets by offset, few meet in one.
func (b *Buffer) sort(size int) {
	if len(b.edits) < 2 {
		return
	}
	shift := 0
	for size>>shift > len(b.edits) {
		shift++
	}
	ends := make([]int32, size>>shift+2) // of the buckets, one place on, until all are filled
	for i := range b.edits {
		ends[b.edits[i].Offset>>shift+1]++
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	sorted := make([]Insertion, len(b.edits))
	for i := range b.edits {
		end := &ends[b.edits[i].Offset>>shift]
		sorted[*end] = b.edits[i]
		*end++
	}
	start := int32(0)
	for _, end := range ends {
		if end-start > 1 {
			slices.SortFunc(sorted[start:end], inOrder)
		}
		start = end
	}
	b.edits = sorted
}

// inOrder compares where two insertions stand in the result.
func inOrder(x, y Insertion) int {
	if c := cmp.Compare(x.Offset, y.Offset); c != 0 {
		return c
	}
	if x.partner != y.partner {
		if x.partner == openerSide || y.partner == openerSide {
			return cmp.Compare(x.partner, y.partner)
		}
		return cmp.Compare(y.partner, x.partner) // later opened, earlier closed
	}
	if x.partner == openerSide {
		return cmp.Compare(x.id, y.id)
	}
	return cmp.Compare(y.id, x.id) // same range: asked first is the outer one
}

// ID is what Open, Close or Wrap returned for the insertion.
func (i *Insertion) ID() ID { return i.id }
