package sourcemap

import (
	"math"
	"math/bits"
)

// reader reads the segments of a mappings string where it stands in its JSON.
type reader struct {
	layout         *layout
	sources, names uint64 // how many the layout has
	pairs          *pairs
	json           []byte // up to and with the quote behind the mappings
	quote          int    // where that is

	column int64 // generated
	fields int   // of the last segment on this line; 0: it has none so far
	before int   // the same of the segment before
	// What the section before says of this line's beginning.
	inherited answer
	// These go on from segment to segment and line to line.
	source, sourceLine, sourceColumn, name int64
}

func (r *reader) open(l *layout) {
	*r = reader{
		layout: l, sources: uint64(l.sources.count), names: uint64(l.names.count), pairs: pairTable(),
		json: l.data[:l.mappings.end+1], quote: l.mappings.end,
	}
}

// answer is the last segment.
func (r *reader) answer() answer {
	switch r.fields {
	case 0:
		return r.inherited
	case 1:
		return answer{}
	}
	a := answer{r.layout, int32(r.source), int32(r.sourceLine), int32(r.sourceColumn), -1}
	if r.fields == 5 {
		a.name = int32(r.name)
	}
	return a
}

// numbers are the fields of a segment; those it lacks are 0.
type numbers [5]int64

// read reads the segment at a place, of any form, up to the next separator. It
// tells how many fields there are, where the first ends, and where the last one
// does; -1 fields if something is wrong.
func (n *numbers) read(pairs *pairs, json []byte, at int) (fields, first, behind int) {
	for ; ; fields++ {
		p := int32(noPair) // in front of the quote, and whatever is longer
		if at+1 < len(json) {
			p = pairs[uint16(json[at])|uint16(json[at+1])<<8]
		}
		v, size := int64(p>>16), int(p&63>>3)
		switch {
		case size > 0:
			at += size
		case p == 0 || at == len(json)-1:
			return fields, first, at
		default:
			var ok bool
			if v, at, ok = long(json, at); !ok {
				return -1, 0, 0
			}
		}
		if fields == len(n) {
			return -1, 0, 0
		}
		if fields == 0 {
			first = at
		}
		n[fields] = v
	}
}

// long reads a number of any length. The quote behind the mappings ends it.
func long(json []byte, at int) (v int64, behind int, ok bool) {
	for shift := 0; shift <= 30; shift += 5 {
		d := digitOf[json[at]]
		if d == 255 {
			break
		}
		at++
		v |= int64(d&31) << shift
		if d < 32 {
			if v&1 != 0 {
				return -(v >> 1), at, true
			}
			return v >> 1, at, true
		}
	}
	return 0, 0, false
}

// For the bytes of a word.
const (
	ones       = 0x0101010101010101
	highs      = 0x80 * ones
	commas     = ',' * ones
	semicolons = ';' * ones
)

// until tells how many bits of a word stand before its first comma or
// semicolon; 64 if it has none.
func until(w uint64) int {
	x, y := w^commas, w^semicolons
	return bits.TrailingZeros64(((x-ones)&^x|(y-ones)&^y)&highs) &^ 7
}

// add moves on by the numbers of a segment. It is false where Parse would
// refuse the segment, and where columns go back. The column's upper bound is the
// caller's business.
func (r *reader) add(fields int, column, source, line, sourceColumn, name int64) bool {
	r.before, r.fields = r.fields, fields
	r.column += column
	r.source += source
	r.sourceLine += line
	r.sourceColumn += sourceColumn
	r.name += name
	return column >= 0 && uint64(r.sourceLine|r.sourceColumn) <= math.MaxInt32 &&
		(uint64(r.source) < r.sources || fields == 1) && (uint64(r.name) < r.names || fields != 5)
}
