package instrumented

import "unicode/utf8"

// text is a text with its lines, which end as they do for engines and source maps:
// at LF, CR, CRLF, U+2028 and U+2029.
type text struct {
	src  []byte
	ends [][2]int32 // of each line: where its text ends, and where the next begins
}

func textOf(src []byte) *text {
	t := &text{src: src}
	end := func(at, width int) { t.ends = append(t.ends, [2]int32{int32(at), int32(at + width)}) }
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\r' && i+1 < len(src) && src[i+1] == '\n':
			end(i, 2)
			i++
		case c == '\n', c == '\r':
			end(i, 1)
		case c == 0xE2 && i+2 < len(src) && src[i+1] == 0x80 && src[i+2]&^1 == 0xA8:
			end(i, 3)
			i += 2
		}
	}
	end(len(src), 0)
	return t
}

func (t *text) lines() int { return len(t.ends) }

// line returns a line without its break, counting from 0; nil if there is none.
func (t *text) line(n int) []byte {
	if n < 0 || n >= len(t.ends) {
		return nil
	}
	start := int32(0)
	if n > 0 {
		start = t.ends[n-1][1]
	}
	return t.src[start:t.ends[n][0]]
}

// units counts the UTF-16 units of a text.
func units(text []byte) int {
	n := 0
	for _, r := range string(text) {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// bytesBefore counts the bytes of the characters that begin before a column of a line.
func bytesBefore(line string, column int) int {
	at := 0
	for n := 0; n < column && at < len(line); n++ {
		r, size := utf8.DecodeRuneInString(line[at:])
		if at += size; r > 0xffff {
			n++
		}
	}
	return at
}
