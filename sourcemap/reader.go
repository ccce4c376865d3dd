package sourcemap

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// reader reads the segments of a mappings string where it stands in its JSON.
type reader struct {
	layout *layout
	json   []byte // up to and with the quote behind the mappings
	at     int    // what is read next
	end    int    // the quote

	column int64 // generated
	fields int   // of the last segment on this line; 0: it has none so far
	// These go on from segment to segment and line to line.
	source, sourceLine, sourceColumn, name int64
}

func (r *reader) open(l *layout) {
	*r = reader{layout: l, json: l.data[:l.mappings.end+1], at: l.mappings.start, end: l.mappings.end}
}

// answer is the last segment.
func (r *reader) answer() answer {
	if r.fields < 4 {
		return answer{}
	}
	a := answer{r.layout, int32(r.source), int32(r.sourceLine), int32(r.sourceColumn), -1}
	if r.fields == 5 {
		a.name = int32(r.name)
	}
	return a
}

// next reads one segment. It gives the segment's first number, and where that
// ends.
func (r *reader) next() (delta int64, behind int, ok bool) {
	var field [5]int64
	n := 0
	for c := r.json[r.at]; c != ',' && c != ';' && r.at < r.end; c = r.json[r.at] {
		if n == len(field) {
			return 0, 0, false
		}
		v := int64(0)
		for shift := 0; ; shift += 5 {
			d := digitOf[r.json[r.at]]
			if d == 255 || shift > 30 {
				return 0, 0, false
			}
			r.at++
			v |= int64(d&31) << shift
			if d < 32 {
				break
			}
		}
		if v&1 != 0 {
			v = -(v >> 1)
		} else {
			v >>= 1
		}
		if field[n] = v; n == 0 {
			behind = r.at
		}
		n++
	}
	r.fields = n
	r.column += field[0]
	r.source += field[1]
	r.sourceLine += field[2]
	r.sourceColumn += field[3]
	r.name += field[4]
	return field[0], behind, r.valid()
}

// valid checks the last segment as Parse does.
func (r *reader) valid() bool {
	if uint64(r.column) > math.MaxInt32 {
		return false
	}
	switch r.fields {
	case 1:
		return true
	case 5:
		if uint64(r.name) >= uint64(r.layout.names.count) {
			return false
		}
	case 4:
	default:
		return false
	}
	return uint64(r.source) < uint64(r.layout.sources.count) && uint64(r.sourceLine|r.sourceColumn) <= math.MaxInt32
}

// For the bytes of a word.
const (
	ones       = 0x0101010101010101
	highs      = 0x80 * ones
	commas     = ',' * ones
	semicolons = ';' * ones
)

// stride reads segments of the usual forms, four or five numbers of one or two
// digits, and the lines they make up, as long as nothing happens there. It stops
// in front of whatever else comes.
func (s *shifter) stride() {
	pairs, json := pairTable(), s.json
	sources, names := uint64(s.layout.sources.count), uint64(max(1, s.layout.names.count))
	fifth := int32(63) // bound on the length of the fifth field
	if s.layout.names.count == 0 {
		fifth = 0
	}
	stop := min(s.event, s.limit+1)
	at, column, fields := s.at, s.column, s.fields
	source, sourceLine, sourceColumn, name := s.source, s.sourceLine, s.sourceColumn, s.name
	for at+9 <= len(json) {
		// Where does the segment end? Eight bytes behind, if nowhere before.
		w := binary.LittleEndian.Uint64(json[at:])
		x, y := w^commas, w^semicolons
		length := bits.TrailingZeros64(((x-ones)&^x|(y-ones)&^y)&highs) &^ 7
		a := pairs[uint16(w)]
		w >>= a & 63
		b := pairs[uint16(w)]
		w >>= b & 63
		c := pairs[uint16(w)]
		w >>= c & 63
		d := pairs[uint16(w)]
		w >>= d & 63
		e := pairs[uint16(w)]
		if uint16(a+b+c+d+e) != uint16(length) || d&63 == 0 || e&63 > fifth {
			break
		}
		nextColumn, nextSource := column+int64(a>>16), source+int64(b>>16)
		nextLine, nextSourceColumn := sourceLine+int64(c>>16), sourceColumn+int64(d>>16)
		nextName := name + int64(e>>16)
		if a < 0 || nextColumn >= stop || uint64(nextSource) >= sources ||
			uint64(nextLine|nextSourceColumn) > math.MaxInt32 || uint64(nextName) >= names {
			break
		}
		behind := at + length>>3
		separator := json[behind]
		if separator != ',' && separator != ';' {
			break
		}
		at, column, source, sourceLine, sourceColumn, name = behind, nextColumn, nextSource, nextLine, nextSourceColumn, nextName
		fields = 4 + int(e&63+63)>>6
		if separator == ';' {
			if s.event != never || s.line+1 >= min(s.quiet, MaxLines) {
				break
			}
			s.line++
			column, fields = 0, 0
		}
		at++
	}
	s.at, s.column, s.fields = at, column, fields
	s.source, s.sourceLine, s.sourceColumn, s.name = source, sourceLine, sourceColumn, name
}
