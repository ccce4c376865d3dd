package esbuildplugin

import (
	"path/filepath"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// messages turns warnings about outputs into esbuild's messages: lines count from 1,
// columns in bytes from 0.
func (w *work) messages(warnings []builddir.Warning, tree []builddir.File) []api.Message {
	if len(warnings) == 0 {
		return nil
	}
	contents := make(map[string][]byte, len(tree))
	for _, f := range tree {
		contents[f.Path] = f.Data
	}
	said := make([]api.Message, len(warnings))
	for i, v := range warnings {
		name := w.place.named(filepath.Join(w.place.root, filepath.FromSlash(v.File)), api.LogAbsPath)
		said[i] = api.Message{Text: v.Text, Location: locate(name, contents[v.File], v.Line, v.Column)}
	}
	return said
}

// said turns a warning of the transform about a source into a message.
func said(name string, text []byte, v transform.Warning) api.Message {
	return api.Message{Text: v.Text, Location: locate(name, text, v.Line, v.Column)}
}

// longestLine is the longest that is shown whole: minified files are one line.
const longestLine = 2000

// locate turns a line and a column of UTF-16 units, both from 1, into a location.
// Line 0 means the whole file, which is shown at its beginning.
func locate(name string, text []byte, line, column int) *api.Location {
	line = max(line, 1)
	shown := textpos.Of(text).Line(line - 1)
	place := &api.Location{File: name, Line: line, Column: textpos.Bytes(shown, column-1)}
	if len(shown) > longestLine {
		shown = shown[:longestLine]
		for !utf8.Valid(shown) && len(shown) > longestLine-utf8.UTFMax {
			shown = shown[:len(shown)-1]
		}
	}
	place.LineText = string(shown)
	return place
}
