package builddir

import (
	"fmt"
	"path"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// Modules of a page take what its first script has made. One that also begins a worker, or
// carries the runtime, imports it. A browser learns of that only when it has the module, and
// nothing runs until it has the runtime too: one more round trip, in every session. So
// the page asks for it at once:
//
//	<link rel="modulepreload" href="./fieldprof/module.js" /><script type="module" src="app.js"></script>
//
// The link goes right before the first module that needs it, so an import map, which
// must precede anything that loads a module, still does; a base applies to both URLs
// alike. The link is also valid XML.

// loadChecksAhead adds that link to a page with a module that imports the runtime.
func (w *work) loadChecksAhead(p *pageFile) {
	for i := range p.seen.Scripts {
		s, named := &p.seen.Scripts[i], p.named[i]
		if named == nil || s.Kind != htmlscan.Module {
			continue
		}
		file := w.importedBy(named.scriptFile)
		if file == "" {
			continue
		}
		url := beside(s.Src.Value, named.at, file)
		link := fmt.Sprintf(`<link rel="modulepreload" href="%s"`, htmlscan.EscapeAttribute(url, '"'))
		link += crossOriginOf(s) + w.runtimeIntegrity(p, path.Base(file)) + nonceOf(s)
		p.edits = append(p.edits, pageEdit{s.Start, s.Start, link + " />"})
		return
	}
}

// importedBy returns the file of the runtime that a module imports, or, if it has no
// checks, that a module it imports does.
func (w *work) importedBy(s *scriptFile) (file string) {
	w.reach(s, func(s *scriptFile) bool {
		if s.done.changed {
			file = s.done.Imports
		}
		return file != ""
	})
	return file
}

// reach visits a module and those that it imports, directly or not, until one is the
// wanted one. It reports whether there is one.
func (w *work) reach(s *scriptFile, wanted func(s *scriptFile) bool) bool {
	seen := map[*scriptFile]bool{s: true}
	for queue := []*scriptFile{s}; len(queue) > 0; queue = queue[1:] {
		if wanted(queue[0]) {
			return true
		}
		for _, name := range queue[0].imports.named {
			if !isURL(name) {
				continue
			}
			if next, _ := w.at(queue[0], name); next != nil && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}
