package builddir

import (
	"fmt"
	"strings"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A page has its runtime before the first of its scripts that may run, and a visitor must
// not wait for it. Modules and deferred scripts run when the page has been read, in their
// order. If a page has no others, so does the runtime:
//
//	<script defer="" src="./fieldprof/runtime.js" class="fieldprof"></script><script type="module" src="app.js"></script>
//
// The page is then read and painted while the runtime is on its way. The attribute is also
// valid XML.
//
// A part that pages insert, as htmx and Turbo do, has no runtime of its own: its scripts find that of the page,
// whose address is not the part's, so that the URL would lead nowhere.
//
// The runtime takes the element out of the page (runtime/src/core/element.ts), which has then
// the elements of the original for its own scripts. It knows by the class that we put it there.

const classOfOurs = ` class="fieldprof"`

// loadRuntime puts the runtime's script element before the first script of a page that
// has an inline script with checks, or one that may load a script with checks.
func (w *work) loadRuntime(p *pageFile) {
	first := p.firstThatRuns()
	if first == nil || p.isPart || len(p.edits) == 0 && !w.mayLoadChecks(p) {
		return
	}
	at, url := w.runtimePlace(p, first)
	at = w.allowTrace(p, at, url, first)
	attributes := fmt.Sprintf(`src="%s"`, htmlscan.EscapeAttribute(url, '"'))
	if p.first(runsEarly) == nil {
		attributes = `defer="" ` + attributes
		p.keepPlace(at, first)
	}
	crossOrigin, integrity := w.asksFor(p, url)
	p.insertScript(at, first, attributes+crossOrigin+classOfOurs+integrity, "")
	w.loadChecksAhead(p)
}

// mayLoadChecks reports whether a page may load a script that has checks. Each script of the tree, and
// each inline one, may: without checks itself, it imports others, or makes elements for names that it
// puts together. One from elsewhere knows nothing of the tree.
func (w *work) mayLoadChecks(p *pageFile) bool {
	return w.changed && p.first(func(i int, s *htmlscan.Script) bool {
		return runs(s) && !isLegacy(s) && (s.Src == nil || p.named[i] != nil)
	}) != nil
}

// isLegacy reports whether a script is for browsers without modules alone.
func isLegacy(s *htmlscan.Script) bool {
	return s.Kind == htmlscan.Classic && s.NoModule && !s.Foreign
}

// runsEarly reports whether a script may run before the page has been read. Scripts in svg may:
// a browser runs them, though they stay as they are.
func runsEarly(_ int, s *htmlscan.Script) bool {
	switch {
	case s.Inert || s.Kind != htmlscan.Classic && s.Kind != htmlscan.Module:
		return false
	case isLegacy(s):
		return false // browsers that could profile do not run it
	}
	return s.Async || s.Foreign || s.Kind == htmlscan.Classic && !(s.Defer && s.Src != nil)
}

// asksFor returns the attributes by which a page asks for its runtime. From elsewhere it must be asked for
// as its neighbours are: a host that has only answered without CORS may refuse it, and without it
// browsers refuse a script with an integrity attribute. A neighbour without one is allowed by its URL.
func (w *work) asksFor(p *pageFile, url string) (crossOrigin, integrity string) {
	if strings.Contains(url, "//") {
		switch first := p.firstNamed(); {
		case first == nil && len(p.seen.Policies) == 0:
		case first == nil, first.CrossOrigin == nil && first.Kind == htmlscan.Module:
			crossOrigin = ` crossorigin=""`
		case first.CrossOrigin != nil:
			crossOrigin = crossOriginOf(first)
		case first.Integrity == nil:
			return "", ""
		}
	} else if p.vouches() {
		crossOrigin = crossOriginOf(p.firstNamed())
	}
	return crossOrigin, w.runtimeIntegrity(p, "runtime.js")
}

// vouches reports whether a page has for its scripts what the header Integrity-Policy demands of all.
func (p *pageFile) vouches() bool {
	first := p.firstNamed()
	return first != nil && first.Integrity != nil && first.CrossOrigin != nil
}

// runtimeIntegrity returns the integrity attribute of an element that loads a file of
// the runtime in a page with policies, since a policy that lists hashes allows files by it, or in one
// that vouches for its scripts.
func (w *work) runtimeIntegrity(p *pageFile, name string) string {
	if len(p.seen.Policies) == 0 && !p.vouches() {
		return ""
	}
	return fmt.Sprintf(` integrity="%s"`, w.allowRuntimeFile(p, name))
}

// allowRuntimeFile lets the page's policies allow a file of the runtime, and returns its
// hash as integrity attributes spell it.
func (w *work) allowRuntimeFile(p *pageFile, name string) string {
	hash := htmlscan.Hash(w.runtimeFile(name), "sha256")
	p.added = append(p.added, hash)
	return strings.Trim(hash, "'")
}
