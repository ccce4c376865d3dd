package builddir

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"path"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
)

// scriptFile is a script of the tree and what was learned of it before any is
// changed.
type scriptFile struct {
	*file
	inPages  bool   // a page names it
	asScript bool   // it is loaded as a classic script
	asModule bool   // it is loaded as a module, whatever its text says
	starts   starts // the workers that it starts
	entry    bool   // a worker starts with it
	commonJS bool
	systemJS bool   // it registers itself with SystemJS
	legacy   bool   // a page names it for browsers without modules
	sum      uint64 // of what was read
	ours     bool   // instrumented before
	mapURL   string // what its sourceMappingURL says
	digests  bool   // it may hold integrity hashes
	precache bool   // it is a service worker with a list that the runtime is on
	source   mapPlace
	done     *FileReport // how it went
}

// learn reads every script once. All the rest of the work needs to know of all
// scripts before the first one is instrumented: the names none of them uses,
// and whose source map is whose.
func (w *work) learn() error {
	w.scriptAt = map[string]*scriptFile{}
	for _, f := range w.tree.files {
		if f.kind == script {
			s := &scriptFile{file: f, asModule: path.Ext(f.path) == ".mjs"}
			w.scripts = append(w.scripts, s)
			w.scriptAt[f.path] = s
		}
	}
	err := w.each(len(w.scripts), func(i int) error {
		s := w.scripts[i]
		src, err := w.in.ReadFile(s.path)
		if err != nil {
			return located(s.path, err)
		}
		s.sum = maphash.Bytes(w.seed, src)
		s.mapURL = sourcemap.URL(src)
		s.ours = instrumented(src)
		s.digests = mayHoldDigests(src)
		s.commonJS = w.takesForCommonJS(s.path, src)
		s.starts = startsOf(src)
		s.systemJS = bytes.Contains(src[:min(len(src), systemJSReach)], []byte("System.register("))
		w.mu.Lock()
		defer w.mu.Unlock()
		w.names.Avoid(src)
		return nil
	})
	for _, s := range w.scripts {
		w.markStarted(s.path, s.starts)
	}
	return err
}

// systemJSReach is how far into a script bundlers may call System.register.
const systemJSReach = 1 << 10

// goal is the grammar of a script, as far as is known. What is loaded both ways
// must say itself what it is.
func (s *scriptFile) goal() transform.Goal {
	switch {
	case s.asModule && !s.asScript:
		return transform.Module
	case s.asScript && !s.asModule:
		return transform.Script
	}
	return transform.Auto
}

// takesForCommonJS guesses whether a script, if it is no module, is CommonJS: by
// its name, or because it speaks of require or exports, and not as files do
// that ask first where they run. In a tree without pages those count too.
func (w *work) takesForCommonJS(p string, src []byte) bool {
	if path.Ext(p) == ".cjs" {
		return true
	}
	if !bytes.Contains(src, []byte("require(")) && !bytes.Contains(src, []byte("exports")) {
		return false
	}
	return !w.tree.hasPages || !bytes.Contains(src, []byte("typeof exports")) && !bytes.Contains(src, []byte("typeof module")) && !bytes.Contains(src, []byte("typeof define"))
}

// instrumented recognises a script of an earlier run.
func instrumented(src []byte) bool {
	return bytes.Contains(src, []byte("globalThis."+runtime.Global)) || bytes.Contains(src, []byte(Folder+"/checks.js\"")) || bytes.Contains(src, []byte(Folder+"/module.js\""))
}

// options are those of Transform for one script.
func (w *work) options(s *scriptFile) transform.Options {
	o := w.transformOptions(s.path)
	o.Goal = s.goal()
	o.ChecksModule = fromHere(s.path, Folder+"/checks.js")
	embeds := w.embeds(s)
	if o.Entry = embeds || s.entry && !s.inPages; o.Entry {
		o.ChecksModule = fromHere(s.path, Folder+"/module.js") // no script of a page gives it its Profiler
	}
	switch {
	case embeds:
		o.Embed = w.embedded(s.path)
		return o
	case s.inPages:
		return o
	}
	if s.commonJS {
		o.Require = fromHere(s.path, Folder+"/checks.cjs")
	}
	if path.Ext(s.path) != ".cjs" {
		o.Loader = fromHere(s.path, Folder+"/runtime.js")
	}
	return o
}

// transformOptions are what scripts and inline scripts have in common.
func (w *work) transformOptions(p string) transform.Options {
	return transform.Options{
		File:          p,
		Preset:        w.Preset,
		MinStatements: w.MinStatements,
		Checks:        w.Checks,
		Form:          w.Form,
		MaxGzip:       w.MaxGzip,
		Explain:       w.List,
		Keep:          w.globs.keeper(p),
		Bindings:      w.bindings,
	}
}

// instrument makes the new script with its map and function table.
func (w *work) instrument(s *scriptFile) error {
	src, err := w.in.ReadFile(s.path)
	if err != nil {
		return located(s.path, err)
	}
	if maphash.Bytes(w.seed, src) != s.sum {
		return fmt.Errorf("%s changed while it was being read: instrument the build when it is done", s.path)
	}
	report := &FileReport{Path: s.path, Bytes: Growth{Before: len(src), After: len(src)}}
	s.done = report
	if report.LeftOut = w.leftOut(s); report.LeftOut != "" {
		return nil // copied with the rest
	}
	options := w.options(s)
	var warning string
	options.SourceMap, warning = w.readMap(s, src)
	report.warn(warning)
	options.MapTo = cleanName(s.path)
	kept, keptMap, err := w.withPrecache(s, src, options.SourceMap)
	if err != nil {
		report.warn(err.Error() + "; the new map leads to the clean script")
		kept, keptMap, _ = w.withPrecache(s, src, nil)
	}
	src, options.SourceMap = kept, keptMap
	result, err := transform.Transform(src, options)
	if err != nil && options.SourceMap != nil {
		// Not the script's fault: go on without its map.
		report.warn(err.Error() + "; the new map leads to the clean script")
		options.SourceMap = nil
		result, err = transform.Transform(src, options)
	}
	if err != nil {
		return err
	}
	if !transform.Restores(result.Code, result.Insertions, src) {
		report.LeftOut = "checks would change it" // a fault of ours
		report.warn("deleting the checks would not give the script back: copied as it is; please report this")
		return nil
	}
	report.fill(&result, w.List)
	if w.DryRun {
		report.Bytes.After, report.changed = len(result.Code), len(result.Insertions) > 0
		return nil
	}
	if len(result.Insertions) == 0 && !s.precache {
		return w.writeTable(s.path, result.Table) // the script is copied with the rest
	}
	return w.writeScript(s, &result)
}

// cleanName is what maps that we make call the clean script. A name in a scheme
// of its own does not stand in the way of the deployed file's.
func cleanName(p string) string { return "fieldprof:///" + escapePath(p) }

// leftOut says why a script is copied as it is, or nothing.
func (w *work) leftOut(s *scriptFile) string {
	switch {
	case s.ours:
		s.done.warn("is instrumented already; copied as it is")
		return "instrumented already"
	case !s.inPages && (s.legacy || s.systemJS && w.hasLegacy):
		// Checks are no syntax for those browsers, and nothing can profile there.
		return "for browsers without modules (nomodule)"
	case tooLong(s.path):
		s.done.warn("has so long a name that there is none for its function table; copied as it is")
		return "its name is too long"
	case w.globs.excludes(s.path):
		return "excluded"
	}
	return ""
}

// writeScript writes a changed script, its map and its table.
func (w *work) writeScript(s *scriptFile, result *transform.Result) error {
	code := result.Code
	switch {
	case s.source.inline:
		code, _ = sourcemap.ReplaceURL(code, sourcemap.InlineURL(result.Map))
	case s.source.url != "":
		code = withURL(code, s.source.url)
	}
	s.done.Bytes.After = len(code)
	s.done.changed = true
	if err := w.put(s.path, code, s.file); err != nil {
		return err
	}
	w.advance(s.file)
	if !s.source.inline {
		if err := w.put(s.source.to, result.Map, nil); err != nil {
			return err
		}
	}
	return w.writeTable(s.path, result.Table)
}

// withURL makes the script's sourceMappingURL comment say url; a script without
// one gets one.
func withURL(code []byte, url string) []byte {
	if changed, ok := sourcemap.ReplaceURL(code, url); ok {
		return changed
	}
	comment := "//# sourceMappingURL=" + url + "\n"
	if n := len(code); n > 0 && code[n-1] != '\n' {
		comment = "\n" + comment
	}
	return append(code, comment...)
}
