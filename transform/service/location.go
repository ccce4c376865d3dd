package service

import (
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
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

// messages locates warnings in the files of the request. A warning about a whole
// file is located at its beginning.
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

// byteColumn converts a column of UTF-16 units, from 1, into bytes, from 0.
func byteColumn(text []byte, line, column int) int {
	return textpos.Bytes(textpos.Of(text).Line(max(line, 1)-1), column-1)
}
