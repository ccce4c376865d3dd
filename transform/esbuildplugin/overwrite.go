package esbuildplugin

import (
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
)

// esbuild refuses to write an output in the place of a source. It does not look for
// that where it writes nothing itself, so the plugin does, which writes instead; and
// it looks at what comes with the checks, too.

// guardsSources reports whether the metafile must tell which files are sources.
func (w *work) guardsSources() bool { return w.write && !w.allowOverwrite }

// overwritten are errors for outputs in the place of sources.
func (w *work) overwritten(files []api.OutputFile, listed *metafile) []api.Message {
	if !w.guardsSources() {
		return nil
	}
	sources := make(map[string]bool, len(listed.inputs))
	for _, name := range listed.inputs {
		sources[under(w.place.base, name)] = true
	}
	var errs []api.Message
	for _, f := range files {
		if sources[f.Path] {
			name := w.place.named(f.Path, api.LogAbsPath)
			errs = append(errs, api.Message{Text: fmt.Sprintf("Refusing to overwrite input file %q (use \"AllowOverwrite: true\" to allow this)", name)})
		}
	}
	return errs
}
