package sourcemap

import (
	"encoding/binary"
	"math"
)

// shifter moves the columns in mappings strings without decoding them, and looks up
// places in the same pass. It copies the JSON to out and rewrites only the column of
// the first segment after an insertion, because later columns are relative to it.
type shifter struct {
	data   []byte
	out    []byte
	copied int // how much of data has been copied to out

	insertions []Insertion
	inserted   int // how many of them are after
	places     []Place
	passed     int // how many of them are after
	found      []answer

	reader
	line  int   // the generated line
	quiet int   // the next line with a place or an insertion
	event int64 // the next column with a place or an insertion on this line
	limit int64 // columns above this one would exceed 31 bits when moved
	stop  int64 // the lesser of event and limit+1
}

// answer is the segment that a place belongs to.
type answer struct {
	in                   *layout // whose tables it points into; nil: nothing is known
	source, line, column int32
	name                 int32 // -1: none
}

const never = math.MaxInt64

// newShifter requires both insertions and places to be sorted.
func newShifter(data []byte, insertions []Insertion, places []Place) *shifter {
	return &shifter{
		data: data, out: make([]byte, 0, len(data)+2*len(insertions)),
		insertions: insertions, places: places, found: make([]answer, len(places)),
		line: -1, event: never,
	}
}

// mappings reads the mappings of a map whose text begins at a column of the
// current line. It returns false for anything wrong and for columns that go back,
// which Parse handles.
func (s *shifter) mappings(l *layout, column int) bool {
	last := s.answer()
	s.open(l)
	s.inherited, s.column = last, int64(column)
	pairs, json := s.pairs, s.json
	for at := l.mappings.start; ; at++ {
		// Most segments have four or five numbers of one or two digits. Near the
		// end there is no word: zero is no segment.
		w := uint64(0)
		if at+9 <= len(json) {
			w = binary.LittleEndian.Uint64(json[at:])
		}
		length := until(w)
		a := pairs[uint16(w)]
		w >>= a & 63
		b := pairs[uint16(w)]
		w >>= b & 63
		c := pairs[uint16(w)]
		w >>= c & 63
		d := pairs[uint16(w)]
		w >>= d & 63
		e := pairs[uint16(w)]
		if uint16(a+b+c+d+e) == uint16(length) && d&63 != 0 {
			n := numbers{int64(a >> 16), int64(b >> 16), int64(c >> 16), int64(d >> 16), int64(e >> 16)}
			if !s.add(4+int(e&63+63)>>6, n[0], n[1], n[2], n[3], n[4]) ||
				s.column >= s.stop && !s.reach(at, n) {
				return false
			}
			at += length >> 3
		} else {
			ok := false
			if at, ok = s.segment(at); !ok {
				return false
			}
		}
		if separator := json[at]; separator != ',' {
			if at == s.quote {
				return true
			}
			if separator != ';' || s.line+1 >= MaxLines {
				return false
			}
			s.begin(s.line + 1)
		}
	}
}

// segment reads up to the next separator: a segment of any form, or nothing.
func (s *shifter) segment(at int) (behind int, ok bool) {
	var n numbers
	fields, behind := n.read(s.json, at)
	switch fields {
	case 0:
		return behind, true
	case 1, 4, 5:
		ok = s.add(fields, n[0], n[1], n[2], n[3], n[4])
		return behind, ok && (s.column < s.stop || s.reach(at, n))
	}
	return 0, false
}

// begin ends a generated line, whose last segment reaches to the end, and starts
// another.
func (s *shifter) begin(line int) {
	s.finish()
	s.line, s.limit, s.event, s.stop = line, math.MaxInt32, never, math.MaxInt32+1
	s.column, s.fields, s.inherited = 0, 0, answer{}
	if line < s.quiet {
		return
	}
	for s.inserted < len(s.insertions) && int(s.insertions[s.inserted].Line) < line {
		s.inserted++
	}
	for s.passed < len(s.places) && int(s.places[s.passed].Line) < line {
		s.passed++ // with no answer
	}
	s.await()
}

// await finds the next place or insertion.
func (s *shifter) await() {
	s.event, s.quiet = never, math.MaxInt
	if s.inserted < len(s.insertions) {
		in := &s.insertions[s.inserted]
		if s.quiet = int(in.Line); s.quiet == s.line {
			s.event = int64(in.Column)
		}
	}
	if s.passed < len(s.places) {
		p := &s.places[s.passed]
		s.quiet = min(s.quiet, int(p.Line))
		if int(p.Line) == s.line {
			s.event = min(s.event, int64(p.Column))
		}
	}
	s.stop = min(s.event, s.limit+1)
}

// placeBefore finds the next place if it is on this line and before a column.
func (s *shifter) placeBefore(column int64) *answer {
	if s.passed == len(s.places) || int(s.places[s.passed].Line) != s.line || int64(s.places[s.passed].Column) >= column {
		return nil
	}
	s.passed++
	return &s.found[s.passed-1]
}

// finish looks up the places after the last segment of the line.
func (s *shifter) finish() {
	if s.event == never {
		return
	}
	for a := s.placeBefore(never); a != nil; a = s.placeBefore(never) {
		*a = s.answer()
	}
}

// reach handles the places and insertions up to a segment, given its numbers and its
// position in the JSON.
func (s *shifter) reach(at int, n numbers) bool {
	if s.column > s.limit {
		return false
	}
	if a := s.placeBefore(s.column); a != nil {
		before := s.reader
		before.fields = s.before
		before.source -= n[1]
		before.sourceLine -= n[2]
		before.sourceColumn -= n[3]
		before.name -= n[4]
		for ; a != nil; a = s.placeBefore(s.column) {
			*a = before.answer()
		}
	}
	for a := s.placeBefore(s.column + 1); a != nil; a = s.placeBefore(s.column + 1) {
		*a = s.answer()
	}
	if moved := s.insert(s.column); moved > 0 {
		s.replace(at, n[0]+moved)
	}
	return s.column <= s.limit
}

// insert consumes the insertions up to a column of the line, and returns by how much
// they move what is there.
func (s *shifter) insert(column int64) (moved int64) {
	for s.inserted < len(s.insertions) {
		in := &s.insertions[s.inserted]
		if int(in.Line) != s.line || int64(in.Column) > column {
			break
		}
		moved += int64(in.Width)
		s.inserted++
	}
	s.limit -= moved
	s.await()
	return moved
}

// replace overwrites one number with another.
func (s *shifter) replace(at int, v int64) {
	s.out = append(s.out, s.data[s.copied:at]...)
	s.out = appendVLQ(s.out, v)
	for digitOf[s.data[at]] > 31 { // it goes on
		at++
	}
	s.copied = at + 1
}

// done completes the last line and copies everything after the last change.
func (s *shifter) done() []byte {
	s.finish()
	return append(s.out, s.data[s.copied:]...)
}
