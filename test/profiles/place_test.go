package profiles

import (
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// A page that asks for its first script ahead of the runtime gets it once, runs it after the runtime,
// and has no element more than the original.
func TestScriptsAskedForAheadComeOnce(t *testing.T) {
	tags := map[string]string{
		"module":       `<script type="module" src="app.js"></script>`,
		"cross-origin": `<script type="module" crossorigin src="app.js"></script>`,
		"deferred":     `<script defer src="app.js"></script>`,
		"credentials":  `<script defer crossorigin="use-credentials" src="app.js"></script>`,
	}
	input := t.TempDir()
	for name, tag := range tags {
		must.Write(t, input, name+".html", "<!doctype html><title>p</title>"+tag+"<p>text")
	}
	must.Write(t, input, "app.js", `function elements(n) {
		const found = [];
		for (const element of document.querySelectorAll("*")) found.push(element.localName);
		return found.slice(0, n).join();
	}
	window.seen = typeof Profiler + " " + elements(9);`)
	output := browser.Instrument(t, builddir.Options{Input: input})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		for name := range tags {
			if page := string(must.Get(os.ReadFile(path.Join(output, name+".html")))(t)); !strings.Contains(page, `href="app.js"`) {
				t.Errorf("%s has no link: %s", name, page)
			}
			var mu sync.Mutex
			asked := map[string]int{}
			files := http.FileServer(http.Dir(output))
			site := browser.Serve(t, browser.Site{Files: fstest.MapFS{}, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked[path.Base(r.URL.Path)]++
				mu.Unlock()
				w.Header().Set("Cache-Control", "no-store") // a second request would not be answered by a cache
				files.ServeHTTP(w, r)
			})})
			got := string(b.Open(site.URL + "/" + name + ".html").Eval("new Promise((done) => (function look() { window.seen ? done(seen) : setTimeout(look, 5) })())"))
			if want := `"function html,head,title,script,body,p"`; got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
			mu.Lock()
			if asked["app.js"] != 1 || asked["runtime.js"] != 1 {
				t.Errorf("%s: asked for %v", name, asked)
			}
			mu.Unlock()
		}
	})
}
