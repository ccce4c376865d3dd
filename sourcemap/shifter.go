package sourcemap

import "math"

// shifter moves the columns in mappings strings where they stand, and answers
// for places on the way. It copies the JSON to out and rewrites only the column
// of the first segment behind an insertion: the columns behind that one are told
// relative to it.
type shifter struct {
	data   []byte
	out    []byte
	copied int // how much of data has gone to out

	insertions []Insertion // those still ahead
	places     []Place     // those still ahead
	found      []answer    // for all places
	passed     int         // how many places are behind

	reader
	line  int   // the generated line
	quiet int   // the next line with a place or an insertion
	event int64 // the next column with a place or an insertion on this line
	limit int64 // what is behind this column would leave 31 bits when moved
}

// answer is the segment that a place belongs to.
type answer struct {
	in                   *layout // whose tables it points into; nil: nothing is known
	source, line, column int32
	name                 int32 // -1: none
}

const never = math.MaxInt64

// mappings reads the mappings of a map to their end. It gives up, with false,
// at anything wrong and at columns that go back: these are for Parse.
func (s *shifter) mappings(l *layout) bool {
	s.open(l)
	s.begin(0)
	for s.at < s.end {
		s.stride()
		switch s.json[s.at] {
		case '"':
		case ',':
			s.at++
		case ';':
			if s.finish(); s.line+1 >= MaxLines {
				return false
			}
			s.at++
			s.begin(s.line + 1)
		default:
			if !s.segment() {
				return false
			}
		}
	}
	s.finish()
	return true
}

// begin starts a generated line.
func (s *shifter) begin(line int) {
	s.line, s.limit, s.event = line, math.MaxInt32, never
	s.column, s.fields = 0, 0
	if line < s.quiet {
		return
	}
	for len(s.insertions) > 0 && int(s.insertions[0].Line) < line {
		s.insertions = s.insertions[1:]
	}
	for len(s.places) > 0 && int(s.places[0].Line) < line {
		s.pass(answer{})
	}
	s.await()
}

// await sets what comes next of places and insertions.
func (s *shifter) await() {
	s.event, s.quiet = never, math.MaxInt
	if len(s.insertions) > 0 {
		s.quiet = int(s.insertions[0].Line)
		if s.quiet == s.line {
			s.event = int64(s.insertions[0].Column)
		}
	}
	if len(s.places) > 0 {
		line := int(s.places[0].Line)
		s.quiet = min(s.quiet, line)
		if line == s.line {
			s.event = min(s.event, int64(s.places[0].Column))
		}
	}
}

// pass answers for the next place.
func (s *shifter) pass(a answer) {
	s.found[s.passed] = a
	s.passed++
	s.places = s.places[1:]
}

// finish ends a generated line: its last segment reaches to the end.
func (s *shifter) finish() {
	if s.event == never {
		return
	}
	last := s.answer()
	for len(s.places) > 0 && int(s.places[0].Line) == s.line {
		s.pass(last)
	}
}

// segment reads one segment, whatever its form, and deals with the places and
// insertions up to it.
func (s *shifter) segment() bool {
	from := s.at
	var before answer
	if len(s.places) > 0 {
		before = s.answer()
	}
	delta, behind, ok := s.next()
	if !ok || delta < 0 || s.column > s.limit {
		return false
	}
	if s.column < s.event {
		return true
	}
	for len(s.places) > 0 && int(s.places[0].Line) == s.line && int64(s.places[0].Column) <= s.column {
		if int64(s.places[0].Column) < s.column {
			s.pass(before)
		} else {
			s.pass(s.answer())
		}
	}
	moved := int64(0)
	for len(s.insertions) > 0 && int(s.insertions[0].Line) == s.line && int64(s.insertions[0].Column) <= s.column {
		moved += int64(s.insertions[0].Width)
		s.insertions = s.insertions[1:]
	}
	s.await()
	if moved > 0 {
		s.replace(span{from, behind}, delta+moved)
		s.limit -= moved
	}
	return s.column <= s.limit
}

// replace writes a number in the place of another.
func (s *shifter) replace(old span, v int64) {
	s.out = append(s.out, s.data[s.copied:old.start]...)
	s.out = appendVLQ(s.out, v)
	s.copied = old.end
}

// rest copies what is behind the last change.
func (s *shifter) rest() []byte {
	return append(s.out, s.data[s.copied:]...)
}
