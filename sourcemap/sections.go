package sourcemap

import (
	"math"
	"strconv"
)

// section is one section of an index map in the JSON.
type section struct {
	line, column int
	columnAt     span // where the offset's column is
	layout       *layout
}

// sections edits an index map: the mappings of each section, and the columns
// where sections begin. It returns false for what only Parse handles, such as nested
// sections and segments that reach into the next section.
func (s *shifter) sections(l *layout) bool {
	scan := &scanner{s.data[:l.sections.end], l.sections.start}
	var here section // waits for the beginning of the next
	_, ok := scan.array(func() bool {
		next, ok := readSection(scan)
		if !ok || next.line >= MaxLines {
			return false
		}
		if here.layout != nil {
			if next.line < here.line || next.line == here.line && next.column < here.column ||
				!s.section(&here, next.line, next.column) {
				return false
			}
		}
		here = next
		return true
	})
	return ok && (here.layout == nil || s.section(&here, math.MaxInt, math.MaxInt))
}

// section edits one section, which ends where the next one begins.
func (s *shifter) section(it *section, nextLine, nextColumn int) bool {
	if it.line > s.line {
		s.begin(it.line)
	}
	s.insert(int64(it.column) - 1) // insertions at the offset are inside
	column := int64(it.column) + math.MaxInt32 - s.limit
	if column > math.MaxInt32 {
		return false
	}
	early := it.columnAt.start < it.layout.mappings.start
	if early {
		s.replaceColumn(it, column)
	}
	if !s.mappings(it.layout, it.column) || s.line > nextLine ||
		s.line == nextLine && s.fields > 0 && s.column >= int64(nextColumn) {
		return false
	}
	if !early {
		s.replaceColumn(it, column)
	}
	return true
}

func (s *shifter) replaceColumn(it *section, column int64) {
	if column == int64(it.column) {
		return
	}
	s.out = append(s.out, s.data[s.copied:it.columnAt.start]...)
	s.out = strconv.AppendInt(s.out, column, 10)
	s.copied = it.columnAt.end
}

// readSection takes one section, if it looks as tools write it.
func readSection(s *scanner) (it section, ok bool) {
	offset := false
	ok = s.object(func(key []byte) bool {
		switch {
		case string(key) == "offset" && !offset:
			offset = true
			return it.readOffset(s)
		case string(key) == "map" && it.layout == nil:
			it.layout, ok = layOut(s)
			return ok && !it.layout.has("sections")
		}
		return false
	})
	return it, ok && offset && it.layout != nil
}

func (it *section) readOffset(s *scanner) bool {
	line, column := false, false
	ok := s.object(func(key []byte) (ok bool) {
		switch {
		case string(key) == "line" && !line:
			line = true
			it.line, ok = s.count()
		case string(key) == "column" && !column:
			column = true
			s.space()
			it.columnAt.start = s.at
			it.column, ok = s.count()
			it.columnAt.end = s.at
		}
		return ok
	})
	return ok && line && column
}
