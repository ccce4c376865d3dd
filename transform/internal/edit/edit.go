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

	"github.com/fieldprof/fieldprof/transform/internal/order"
)

// ID names one inserted text; see Buffer.Apply.
type ID int32

// Buffer collects insertions into one source. The zero Buffer is empty and
// ready for use.
type Buffer struct {
	chunks [][]Insertion // none is ever moved: they are many
	len    int
}

// Insertion is one inserted text.
type Insertion struct {
	Offset int    // in the source
	Text   string // without line breaks
	Output int    // offset in the result, set by Apply
	id     ID
	// partner orders insertions at one offset: for a closer, where its opener
	// is; openers carry openerSide and keep the order they were asked in.
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
		// Nothing lies between: the closer must be after its opener.
		return b.add(offset, text, openerSide)
	}
	return b.add(offset, text, from)
}

// Wrap puts open before the range and close after it and returns the closer.
func (b *Buffer) Wrap(start, end int, open, close string) ID {
	b.Open(start, open)
	return b.Close(end, start, close)
}

func (b *Buffer) add(offset int, text string, partner int) ID {
	last := len(b.chunks) - 1
	if last < 0 || len(b.chunks[last]) == cap(b.chunks[last]) {
		b.chunks = append(b.chunks, make([]Insertion, 0, max(16, min(b.len, 4096))))
		last++
	}
	id := ID(b.len)
	b.chunks[last] = append(b.chunks[last], Insertion{Offset: offset, Text: text, id: id, partner: partner})
	b.len++
	return id
}

// Apply writes the source with the insertions. It returns the insertions in
// the order of the result, with Output set. The source is not modified.
func (b *Buffer) Apply(src []byte) ([]byte, []Insertion) {
	edits := order.ByOffset(len(src), func(i *Insertion) int { return i.Offset }, inOrder, b.chunks...)
	size := len(src)
	for i := range edits {
		size += len(edits[i].Text)
	}
	out := make([]byte, 0, size)
	at := 0
	for i := range edits {
		e := &edits[i]
		out = append(out, src[at:e.Offset]...)
		at = e.Offset
		e.Output = len(out)
		out = append(out, e.Text...)
	}
	return append(out, src[at:]...), edits
}

// inOrder compares where two insertions are in the result.
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
