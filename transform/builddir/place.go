package builddir

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A browser asks for the files of a page in the order of their elements. Over HTTP/1.1 the first of
// them gets the connection that brought the page; each of the others has to wait for a new one, which
// takes a round trip. The runtime comes before the page's first script and would take its place, so the
// page asks for that script before:
//
//	<link rel="modulepreload" fetchpriority="low" href="app.js" class="fieldprof" /><script defer="" src="./fieldprof/runtime.js" class="fieldprof"></script><script type="module" src="app.js"></script>
//
// There is no link in a page that waits for its runtime, or that asks for something else first: there
// it would gain nothing. Nor is there one where the two requests would differ, so that the browser might send both.
// Modules and deferred scripts have a low priority by themselves. The runtime takes the link out of the
// page, with its own element.

// keepPlace adds that link for the script before which a deferred runtime is put, if it is to have one.
func (p *pageFile) keepPlace(at int, first *htmlscan.Script) {
	if at != first.Start || p.firstNamed() != first || first.Integrity != nil || len(p.seen.Policies) > 0 ||
		differs.Match(p.src[first.Start:first.ContentStart]) || slices.ContainsFunc(p.seen.Links, func(l htmlscan.Link) bool { return l.Start < at && isAskedFor(l) }) {
		return
	}
	link := `<link rel="modulepreload"`
	if first.Kind == htmlscan.Classic {
		link = `<link rel="preload" as="script"`
	}
	link += fmt.Sprintf(` fetchpriority="low" href="%s"`, htmlscan.EscapeAttribute(first.Src.Value, '"'))
	p.edits = append(p.edits, pageEdit{at, at, link + crossOriginOf(first) + classOfOurs + nonceOf(first) + " />"})
}

// differs matches a start tag with attributes by which a browser asks for the script in another way.
var differs = regexp.MustCompile(`(?i)[\s"'/](?:referrerpolicy|charset|fetchpriority|blocking|attributionsrc|nomodule)\b`)

// isAskedFor reports whether a link has the browser ask for what it names when it meets it.
func isAskedFor(l htmlscan.Link) bool {
	return slices.ContainsFunc(l.Rel, func(rel string) bool { return rel == "stylesheet" || rel == "preload" || rel == "modulepreload" })
}
