package view

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// EncodeJSON writes a value as indented JSON for a terminal: names come from files and pages of
// any origin, and characters that Printable would spell out are escaped.
func EncodeJSON(w io.Writer, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(EscapeJSON(data), '\n'))
	return err
}

// EscapeJSON escapes those characters in JSON that Printable would spell out: those outside
// ASCII that have no glyph, and DEL. encoding/json has escaped the other ones. All of them
// are in strings, so the values stay the same.
func EscapeJSON(data []byte) []byte {
	var b []byte
	for _, r := range string(data) {
		switch {
		case r < 0x7f, shown(r):
			b = utf8.AppendRune(b, r)
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				b = fmt.Appendf(b, `\u%04x`, unit)
			}
		}
	}
	return b
}
