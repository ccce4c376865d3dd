package sourcemap

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/sourcemap/textpos"
)

// Identity makes the map of a file that has none: it maps the text with the
// insertions in it to the text as it was. source is the one source's name, file
// the generated file's ("" leaves the field out).
//
// There is a segment at the beginning of each line, one after each insertion
// and one at each place. Between segments a position maps to the segment before
// it, as in every source map: to get the exact column of a token, pass its place. The
// text goes into the map, unless it is not UTF-8, which JSON could not hold, and so does
// the debug id of its comment. A place
// or an insertion after the last line, or before the first, is ignored.
func Identity(file, source string, text *textpos.Text, insertions []Insertion, places []Place) []byte {
	insertions = sorted(insertions, compareInsertions)
	places = sorted(places, comparePlaces)
	content, lines := text.Bytes(), text.Lines()
	b := make([]byte, 0, 128+len(file)+len(source)+len(content)+len(content)/16+5*lines+10*len(insertions)+8*len(places))
	b = append(b, `{"version":3`...)
	if file != "" {
		b = appendString(append(b, `,"file":`...), []byte(strings.ToValidUTF8(file, "\ufffd")))
	}
	if id := DebugID(content); id != "" {
		b = appendString(append(b, `,"debugId":`...), []byte(id))
	}
	b = appendString(append(b, `,"sources":[`...), []byte(strings.ToValidUTF8(source, "\ufffd")))
	if utf8.Valid(content) {
		b = appendString(append(b, `],"sourcesContent":[`...), content)
	}
	b = append(b, `],"names":[],"mappings":"`...)
	var w identityWriter
	w.b = b
	for line := range lines {
		if line > 0 {
			w.b = append(w.b, ';')
		}
		insertions, places = w.line(int32(line), insertions, places)
	}
	return append(w.b, `"}`...)
}

// identityWriter writes the mappings of a text to itself.
type identityWriter struct {
	b []byte
	// Of the segment before: columns start again with each line, except that
	// columns of the source go on.
	generated, original int64
	originalLine        int64
}

// line writes the segments of a line and returns the insertions and places after it.
func (w *identityWriter) line(line int32, insertions []Insertion, places []Place) ([]Insertion, []Place) {
	for len(insertions) > 0 && insertions[0].Line < line {
		insertions = insertions[1:]
	}
	for len(places) > 0 && places[0].Line < line {
		places = places[1:]
	}
	w.generated = 0
	w.segment(int64(line), 0, 0)
	moved := int64(0)
	for {
		column := int32(math.MaxInt32) // the next one with something at it
		inserts := len(insertions) > 0 && insertions[0].Line == line
		if inserts {
			column = insertions[0].Column
		}
		if len(places) > 0 && places[0].Line == line {
			column = min(column, places[0].Column)
		} else if !inserts {
			return insertions, places
		}
		for len(insertions) > 0 && insertions[0].Line == line && insertions[0].Column == column {
			moved += int64(insertions[0].Width)
			insertions = insertions[1:]
		}
		for len(places) > 0 && places[0] == (Place{line, column}) {
			places = places[1:]
		}
		generated := min(int64(column)+moved, math.MaxInt32)
		if column >= 0 && generated > w.generated {
			w.b = append(w.b, ',')
			w.segment(int64(line), generated, int64(column))
		}
	}
}

func (w *identityWriter) segment(line, generated, original int64) {
	w.b = appendVLQ(w.b, generated-w.generated)
	w.b = append(w.b, 'A')
	w.b = appendVLQ(w.b, line-w.originalLine)
	w.b = appendVLQ(w.b, original-w.original)
	w.generated, w.originalLine, w.original = generated, line, original
}

// appendString writes valid UTF-8 as a string of JSON.
func appendString(b, text []byte) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(text); i++ {
		for i+8 <= len(text) && harmless(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
		}
		if i == len(text) {
			break
		}
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	b = append(b, text[from:]...)
	return append(b, '"')
}

// harmless reports that none of eight bytes needs an escape. It returns false for
// bytes above 0x7f.
func harmless(w uint64) bool {
	quotes, backslashes := w^('"'*ones), w^('\\'*ones)
	return ((w-' '*ones)|(quotes-ones)|(backslashes-ones))&highs == 0 && w&highs == 0
}
