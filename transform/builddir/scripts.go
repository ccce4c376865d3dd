package builddir

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"path"
	"regexp"
	"sync"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/training"
)

// scriptFile is a script of the tree and what was learned about it before any script is
// changed.
type scriptFile struct {
	*file
	inPages  bool // a page names it
	asScript bool // it is loaded as a classic script
	asModule bool // it is loaded as a module, whatever its text says
	asWorker bool // a worker starts with it as a classic script
	entry    bool // a worker starts with it
	commonJS bool
	asBody   bool        // it is CommonJS wherever it runs
	legacy   bool        // a page names it for browsers without modules
	sum      uint64      // of what was read
	hash     string      // of its text, if sites are or were counted
	listOf   *scriptFile // the service worker whose list it has
	acyclic  bool        // it is in no import cycle, nor is any that imports it
	imported bool        // a page or another module loads it as a module
	source   mapPlace
	done     *FileReport // how it went
	*facts
}

// facts are what a script's own text reveals.
type facts struct {
	starts     starts // the workers that it starts
	imports    imports
	systemJS   bool     // it registers itself with SystemJS
	ours       bool     // instrumented before
	runtime    bool     // it may hold modules of the runtime
	mapURL     string   // what its sourceMappingURL says
	digests    bool     // it may hold integrity hashes
	requires   bool     // it mentions require or exports
	hasEntries bool     // it has what looks like entries of Workbox's lists
	hasHexes   bool     // it has hexadecimal digests
	keeps      bool     // with either of them, or loads: it looks like a service worker that keeps files
	ofWorker   bool     // likewise: it looks like a script of a worker
	installs   bool     // it handles the event install
	loads      []string // the URLs of what it loads by importScripts
	namesTaken transform.Names
}

func factsOf(src []byte) *facts {
	f := &facts{systemJS: bytes.Contains(src[:min(len(src), systemJSReach)], []byte("System.register("))}
	var group sync.WaitGroup
	group.Go(func() { f.namesTaken.Avoid(src) })
	group.Go(func() {
		f.starts = startsOf(src)
		f.hasEntries, f.hasHexes = nextRevision(src, 0) >= 0, holdsHexes(src)
		f.installs, f.loads = handlesInstall(src), loadedByScripts(src)
		if f.hasEntries || f.hasHexes || len(f.loads) > 0 {
			f.keeps = f.installs || mentionsLists(src)
			f.ofWorker = f.keeps || bytes.Contains(src, []byte("importScripts"))
		}
	})
	group.Go(func() { f.imports = importsIn(src) })
	group.Go(func() {
		f.ours, f.runtime = instrumented(src), bundlesRuntime(src)
		f.mapURL = sourcemap.URL(src)
		f.digests = mayHoldDigests(src)
		f.requires = holds(src, "quire(", "require(") || holds(src, "xports", "exports")
	})
	group.Wait()
	return f
}

// holds reports whether a script contains a text, of which rare is a part that begins
// with a rare letter: the rarer the letter, the faster the search.
func holds(src []byte, rare, text string) bool {
	return bytes.Contains(src, []byte(rare)) && bytes.Contains(src, []byte(text))
}

// learn reads every script once. The rest of the work needs facts about all scripts
// before the first one is instrumented: the names that none of them uses, and which
// source map belongs to which script.
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
		s.sum = w.sum(src)
		if w.trains() {
			s.hash = training.Hash(src)
		}
		s.facts = w.Cache.factsOf(s.path, src)
		s.commonJS = w.takesForCommonJS(s, src)
		s.asBody = path.Ext(s.path) == ".cjs" && !asksWhere(src) && !moduleWords.Match(src)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.names.Join(&s.namesTaken)
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range w.scripts {
		w.markStarted(s.path, s.starts)
	}
	return nil
}

// systemJSReach is how far into a script bundlers may call System.register.
const systemJSReach = 1 << 10

// goal returns the grammar of a script, as far as it is known. A script that is loaded
// both ways must reveal it by its text.
func (s *scriptFile) goal() transform.Goal {
	switch {
	case s.asModule && !s.asScript && !s.asWorker:
		return transform.Module
	case s.asScript && !s.asModule:
		return transform.Script
	case s.asBody && !s.asScript && !s.asModule && !s.asWorker:
		return transform.FunctionBody
	}
	return transform.Auto
}

// takesForCommonJS guesses whether a script, if it is no module, is CommonJS: by
// its name, or because it mentions require or exports, except as files do that first
// test where they run. In a tree without pages those count too.
func (w *work) takesForCommonJS(s *scriptFile, src []byte) bool {
	return path.Ext(s.path) == ".cjs" || s.requires && !(w.tree.hasPages && asksWhere(src))
}

func asksWhere(src []byte) bool {
	return bytes.Contains(src, []byte("typeof exports")) || bytes.Contains(src, []byte("typeof module")) || bytes.Contains(src, []byte("typeof define"))
}

// moduleWords are in all modules: tools name some .cjs, too. import() is for CommonJS as well.
var moduleWords = regexp.MustCompile(`\b(?:import|export)\b\s*[\w$*{"'\\]`)

// sum detects that a file changed between two readings. In memory nothing changes.
func (w *work) sum(src []byte) uint64 {
	if w.inMemory {
		return 0
	}
	return maphash.Bytes(w.seed, src)
}

// options returns the options of Transform for one script.
func (w *work) options(s *scriptFile) transform.Options {
	o := w.transformOptions(s.path)
	o.Goal, o.Hash = s.goal(), s.hash
	if s.runtime {
		o.Keep = exceptRuntime(o.Keep)
	}
	o.ChecksModule = fromHere(s.path, Folder+"/checks.js")
	embeds := w.embeds(s)
	if o.Entry = embeds || s.entry && !s.inPages; o.Entry {
		// No script of a page gives it its Profiler. In a tree with pages the visitor has runtime.js
		// already, which saves a round trip; but it exports nothing, as a module in a cycle needs.
		module := "/module.js"
		if w.tree.hasPages && s.acyclic && !embeds {
			module = "/runtime.js"
		}
		o.ChecksModule = fromHere(s.path, Folder+module)
	}
	o.Acyclic, o.Preloaded = s.acyclic, w.tree.hasPages && s.imported && !o.Entry
	switch {
	case embeds:
		o.Embed = w.embedded(s.path)
		return o
	case s.inPages:
		return o
	}
	if s.commonJS || w.Train { // which any code that can load it loads
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
		File:      p,
		Selection: w.Selection,
		Explain:   w.List,
		Keep:      w.globs.keeper(p),
		Bindings:  w.bindings,
		Build:     w.build,
		Choice:    w.choice,
	}
}

// instrument makes the new script with its map and function table.
func (w *work) instrument(s *scriptFile) error {
	src, err := w.in.ReadFile(s.path)
	if err != nil {
		return located(s.path, err)
	}
	if w.sum(src) != s.sum {
		return fmt.Errorf("%s changed while it was being read: instrument the build when it is done", s.path)
	}
	s.done = &FileReport{Path: s.path, Bytes: Growth{Before: len(src), After: len(src)}}
	switch s.done.LeftOut = w.leftOut(s); s.done.LeftOut {
	case "":
	case excluded:
		return w.listOnly(s, src)
	default:
		return nil // only its digests may be renewed
	}
	options := w.options(s)
	var warning string
	options.SourceMap, warning = w.readMap(s, src)
	s.done.warn(warning)
	at, list := w.precache(s, src)
	m, err := w.Cache.made(circumstancesOf(s, src, &options, at, list), func(memory *transform.Memory) (*made, error) {
		options.Memory = memory
		return w.make(s, src, &options, at, list)
	})
	if err != nil {
		return err
	}
	s.done.add(&m.report)
	return w.writeMade(s, m)
}

// made is the result for a script. Parts that are nil are not written.
type made struct {
	code, sourceMap, table []byte
	report                 FileReport
}

// make transforms a script. In a service worker, list goes on its list, at an offset.
func (w *work) make(s *scriptFile, src []byte, options *transform.Options, at int, list string) (*made, error) {
	m := &made{report: FileReport{Path: s.path, Bytes: Growth{len(src), len(src)}}}
	options.MapTo = cleanName(s.path)
	kept, keptMap, err := withPrecache(src, options.SourceMap, at, list)
	if err != nil {
		m.report.warn(err.Error() + "; the new map leads to the clean script")
		kept, keptMap, _ = withPrecache(src, nil, at, list)
	}
	src, options.SourceMap = kept, keptMap
	result, err := transform.Transform(src, *options)
	if err != nil && options.SourceMap != nil {
		// Not the script's fault: go on without its map.
		m.report.warn(err.Error() + "; the new map leads to the clean script")
		options.SourceMap = nil
		result, err = transform.Transform(src, *options)
	}
	if err != nil {
		return nil, err
	}
	if !transform.Restores(result.Code, result.Insertions, src) {
		m.report.LeftOut = "checks would change it" // our fault
		m.report.warn("deleting the checks would not give the script back: copied as it is; please report this")
		return m, nil
	}
	m.report.fill(&result, w.List)
	if result.Imports != "" {
		m.report.Imports = Folder + "/" + path.Base(result.Imports)
	}
	if w.DryRun {
		m.report.Bytes.After, m.report.changed = len(result.Code), len(result.Insertions) > 0
		return m, nil
	}
	if m.table, err = result.Table.Encode(); err != nil {
		return nil, err
	}
	if len(result.Insertions) > 0 || list != "" { // else the script is copied with the rest
		m.code, m.sourceMap = s.source.name(result.Code, result.Map), result.Map
		m.report.Bytes.After, m.report.changed = len(m.code), true
	}
	return m, nil
}

// cleanName is the name of the clean script in maps that we make. It has a scheme of
// its own, so that it cannot collide with the deployed file's name.
func cleanName(p string) string { return "fieldprof:///" + escapePath(p) }

const excluded = "excluded"

// leftOut returns why no checks go into a script, or "".
func (w *work) leftOut(s *scriptFile) string {
	switch {
	case s.ours:
		s.done.warn("is instrumented already; no more checks go into it")
		return "instrumented already"
	case !s.inPages && (s.legacy || s.systemJS && w.hasLegacy):
		// Those browsers cannot parse the checks, and cannot profile anyway.
		return "for browsers without modules (nomodule)"
	case tooLong(s.path):
		s.done.warn("has a name so long that no room is left for that of its function table; no checks go into it")
		return "its name is too long"
	case w.globs.excludes(s.path):
		return excluded
	}
	return ""
}

// writeMade writes the result for a script: its code, map and table.
func (w *work) writeMade(s *scriptFile, m *made) error {
	if m.code != nil {
		if err := w.put(s.path, m.code, s.file); err != nil {
			return err
		}
		w.advance(s.file)
	}
	if m.code != nil && s.source.to != "" {
		if err := w.put(s.source.to, m.sourceMap, s.file); err != nil {
			return err
		}
	}
	if m.table == nil {
		return nil
	}
	return w.put(s.path+tableSuffix, m.table, s.file)
}

// name makes a script refer to its map, or contain it.
func (m *mapPlace) name(code, sourceMap []byte) []byte {
	switch {
	case m.inline:
		code, _ = sourcemap.ReplaceURL(code, sourcemap.InlineURL(sourceMap))
	case m.url != "":
		code = withURL(code, m.url)
	}
	return code
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
