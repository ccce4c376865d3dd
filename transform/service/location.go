package service

import (
	"bytes"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/transform/builddir"
)

// message is a warning as build tools show it.
type message struct {
	Text     string    `json:"text"`
	Location *location `json:"location"`
}

// location counts as esbuild does: lines from 1, columns in bytes from 0.
type location struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// messages gives warnings their places in the files of the request. One about a
// whole file stands at its beginning.
func messages(warnings []builddir.Warning, files []builddir.File) []message {
	list := make([]message, len(warnings))
	contents := make(map[string][]byte, len(files))
	if len(warnings) > 0 {
		for _, f := range files {
			contents[f.Path] = f.Data
		}
	}
	for i, w := range warnings {
		list[i].Text = w.Text
		if w.File != "" {
			list[i].Location = &location{w.File, max(w.Line, 1), byteColumn(contents[w.File], w.Line, w.Column)}
		}
	}
	return list
}

// byteColumn is where a column of UTF-16 units, counted from 1, stands in its
// line, in bytes from 0.
func byteColumn(text []byte, line, column int) int {
	for ; line > 1; line-- {
		_, rest, found := bytes.Cut(text, []byte{'\n'})
		if !found {
			return 0
		}
		text = rest
	}
	at := 0
	for units := 1; units < column && at < len(text) && text[at] != '\n'; {
		r, size := utf8.DecodeRune(text[at:])
		at += size
		if units++; r > 0xFFFF {
			units++
		}
	}
	return at
}
