package sourcemap

import (
	"fmt"
	"math"
)

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// digitOf is the value of a base64 digit, 255 for any other byte.
var digitOf = func() (t [256]uint8) {
	for i := range t {
		t[i] = 255
	}
	for i := range digits {
		t[digits[i]] = uint8(i)
	}
	return t
}()

// mappingError locates a fault in a mappings string.
type mappingError struct {
	line, segment int // from 0
	text          string
}

func (e *mappingError) Error() string {
	return fmt.Sprintf("mappings: generated line %d, segment %d: %s", e.line+1, e.segment+1, e.text)
}

// decodeMappings hands every segment of a mappings string to add, in order of
// line. sources and names bound the indices. Some tools write invalid segments among valid
// ones: a segment with an invalid source or position is unmapped, and one with an invalid
// name has no name. Either way, the next segment's numbers are relative to those it had.
func decodeMappings(s string, sources, names int, add func(line int, seg Segment) error) error {
	// Source, its line and column, and name go on from segment to segment;
	// the generated column starts again with each line.
	var src, srcLine, srcCol, name int64
	line, segment, col := 0, 0, int64(0)
	fail := func(format string, args ...any) error {
		return &mappingError{line, segment, fmt.Sprintf(format, args...)}
	}
	for i := 0; i < len(s); {
		switch s[i] {
		case ';':
			line, segment, col = line+1, 0, 0
			if line >= MaxLines {
				return fail("more than %d lines", MaxLines)
			}
			i++
			continue
		case ',':
			segment++
			i++
			continue
		}
		var field [5]int64
		n := 0
		for i < len(s) && s[i] != ',' && s[i] != ';' {
			if n == len(field) {
				return fail("more than 5 fields")
			}
			v, next, fault := decodeVLQ(s, i)
			if fault != "" {
				return fail("%s", fault)
			}
			field[n], i = v, next
			n++
		}
		seg := Segment{Source: -1, Name: -1}
		col += field[0]
		if !isIndex(col, math.MaxInt32+1) {
			return fail("column %d is out of range", col)
		}
		seg.Column = int32(col)
		// Fields that are missing are 0.
		src, srcLine, srcCol, name = src+field[1], srcLine+field[2], srcCol+field[3], name+field[4]
		if n >= 4 && isIndex(src, int64(sources)) && isIndex(srcLine, math.MaxInt32+1) && isIndex(srcCol, math.MaxInt32+1) {
			seg.Source, seg.SourceLine, seg.SourceColumn = int32(src), int32(srcLine), int32(srcCol)
			if n == 5 && isIndex(name, int64(names)) {
				seg.Name = int32(name)
			}
		}
		if err := add(line, seg); err != nil {
			return err
		}
	}
	return nil
}

func isIndex(v, of int64) bool { return v >= 0 && v < of }

// decodeVLQ reads one number at i. A number has at most 32 bits, sign
// included, hence seven digits.
func decodeVLQ(s string, i int) (v int64, next int, fault string) {
	for shift := 0; ; shift += 5 {
		if i == len(s) || s[i] == ',' || s[i] == ';' {
			return 0, i, "number cut short"
		}
		d := digitOf[s[i]]
		if d == 255 {
			return 0, i, fmt.Sprintf("%q is no base64 digit", s[i])
		}
		if shift > 30 {
			return 0, i, "number of more than 32 bits"
		}
		v |= int64(d&31) << shift
		i++
		if d&32 == 0 {
			if v&1 != 0 {
				return -(v >> 1), i, ""
			}
			return v >> 1, i, ""
		}
	}
}

func appendVLQ(b []byte, v int64) []byte {
	u := uint64(v) << 1
	if v < 0 {
		u = uint64(-v)<<1 | 1
	}
	for u > 31 {
		b = append(b, digits[u&31|32])
		u >>= 5
	}
	return append(b, digits[u])
}

// appendMappings writes the segments back as a mappings string.
func (m *Map) appendMappings(b []byte) []byte {
	var src, srcLine, srcCol, name int32
	for line := range m.Lines() {
		if line > 0 {
			b = append(b, ';')
		}
		col := int32(0)
		for i, s := range m.Line(line) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendVLQ(b, int64(s.Column-col))
			col = s.Column
			if s.Source < 0 {
				continue
			}
			b = appendVLQ(b, int64(s.Source-src))
			b = appendVLQ(b, int64(s.SourceLine-srcLine))
			b = appendVLQ(b, int64(s.SourceColumn-srcCol))
			src, srcLine, srcCol = s.Source, s.SourceLine, s.SourceColumn
			if s.Name >= 0 {
				b = appendVLQ(b, int64(s.Name-name))
				name = s.Name
			}
		}
	}
	return b
}
