package main

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/profile/view"
)

// writeJSON prints a value as indented JSON. Names come from files and pages that may be anybody's:
// characters that view.Printable spells out are escaped, as in the JSON of package view.
func writeJSON(w io.Writer, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(escaped(data), '\n'))
	return err
}

// escaped escapes the characters that have no glyph. Those below U+0080 are escaped already, except
// for DEL; all are in strings.
func escaped(data []byte) []byte {
	text := make([]byte, 0, len(data)+1)
	for _, r := range string(data) {
		if r < 0x7f || view.Printable(string(r)) == string(r) {
			text = utf8.AppendRune(text, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			text = fmt.Appendf(text, `\u%04x`, unit)
		}
	}
	return text
}
