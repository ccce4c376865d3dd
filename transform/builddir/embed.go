package builddir

import (
	"bytes"
	"slices"

	"github.com/fieldprof/fieldprof/internal/pathglob"
	"github.com/fieldprof/fieldprof/runtime"
)

// A page that is not in the tree, because a server or another tool writes it, has no
// script element for the runtime. A script that such a page loads first may carry the
// runtime itself (Options.Embed): the text of runtime.js with the location of the other
// files. A realm that already has a runtime keeps it.

// embedded is the runtime as a script carries it: in one line.
func (w *work) embedded(p string) string {
	if w.Train {
		return string(bytes.TrimSpace(runtime.Counting))
	}
	o := w.Runtime
	o.Folder = fromHere(p, Folder+"/")
	return string(bytes.TrimSpace(runtime.Configure(runtimeText("runtime.js"), o)))
}

// embeds reports whether a script is to carry the runtime.
func (w *work) embeds(s *scriptFile) bool { return pathglob.FitsAny(w.Embed, s.path) }

// warnOfEmbeds reports globs that match no script.
func (w *work) warnOfEmbeds() (warnings []Warning) {
	for _, pattern := range w.Embed {
		if !slices.ContainsFunc(w.scripts, func(s *scriptFile) bool { return pathglob.Fits(pattern, s.path) }) {
			warnings = append(warnings, Warning{File: pattern, Text: "no script matches this glob, so none carries the runtime"})
		}
	}
	return warnings
}
