package profiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// To its own scripts a page has the elements of the original: they look at their neighbours, and
// frameworks that hydrate a whole document render it again if it has one more element. An element
// of the page's own for the runtime stays.
func TestThePageHasTheElementsOfTheOriginal(t *testing.T) {
	input := t.TempDir()
	must.WriteTree(t, input, map[string]string{
		"waits.html": `<!doctype html><title>p</title><h1>h</h1><script src=app.js></script>`,
		"reads.html": `<!doctype html><title>p</title><h1>h</h1><script type=module src=app.js></script>`,
		"app.js": `function neighbours(n) {
			const before = [];
			for (const element of document.body.children) before.push(element.localName);
			return before.slice(0, n);
		}
		window.seen = neighbours(2).join() + ' ' + document.scripts[0].src.split('/').pop();`,
	})
	output := browser.Instrument(t, builddir.Options{Input: input})
	page := must.Get(os.ReadFile(filepath.Join(output, "waits.html")))(t)
	files := fstest.MapFS{"own.html": {Data: []byte(strings.Replace(string(page), ` class="fieldprof"`, "", 1))}}
	for p, text := range must.ReadTree(t, output) {
		files[p] = &fstest.MapFile{Data: []byte(text)}
	}
	site := browser.Serve(t, browser.Site{Files: files})
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) { // no script of the driver is in its pages
		for name, want := range map[string]string{"waits.html": `"h1,script app.js"`, "reads.html": `"h1,script app.js"`, "own.html": `"h1,script runtime.js"`} {
			if got := string(b.Open(site.URL + "/" + name).Eval("typeof Profiler == 'function' && seen")); got != want {
				t.Errorf("%s: its script saw %s, not %s", name, got, want)
			}
		}
	})
}
