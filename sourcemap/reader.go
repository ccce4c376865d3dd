package sourcemap

import (
	"math"
	"math/bits"
)

// reader reads the segments of a mappings string directly from the JSON.
type reader struct {
	layout         *layout
	sources, names uint64 // how many the layout has
	pairs          *pairs
	json           []byte // up to and including the quote after the mappings
	quote          int    // where that is

	column int64 // generated
	fields int   // of the last segment on this line; 0: there has been none
	before int   // the same of the segment before
	// The answer of the section before for this line's beginning.
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

// read reads a segment of any form up to the first byte that is not a digit. It
// returns the number of fields, or -1 if a number is incomplete or there is too much,
// and the offset of that byte. It is branchless in the digits, which no processor
// could predict.
func (n *numbers) read(json []byte, at int) (fields, behind int) {
	value, shift := int64(0), uint(0)
	for ; ; at++ {
		d := int64(digitOf[json[at]])
		if d == 255 {
			break
		}
		if shift > 30 || fields == len(n) {
			return -1, at
		}
		value |= d & 31 << (shift & 63)
		n[fields] = value
		more := d >> 5 // 1 if the number goes on
		value &= -more
		shift = (shift + 5) & uint(-more)
		fields += int(1 - more)
	}
	if shift > 0 {
		return -1, at
	}
	for i, v := range n {
		n[i] = (v>>1 ^ -(v & 1)) + v&1
	}
	return fields, at
}

// For the bytes of a word.
const (
	ones       = 0x0101010101010101
	highs      = 0x80 * ones
	commas     = ',' * ones
	semicolons = ';' * ones
)

// until returns how many bits of a word precede its first comma or semicolon; 64 if
// it has none.
func until(w uint64) int {
	x, y := w^commas, w^semicolons
	return bits.TrailingZeros64(((x-ones)&^x|(y-ones)&^y)&highs) &^ 7
}

// add advances by the numbers of a segment. It returns false if Parse would not
// take the segment as it is, and if columns go back. The caller checks the column's upper bound.
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
