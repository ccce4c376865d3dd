package runtime

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// A page written by a server has only the app's script, which carries the runtime; a page
// that loads it twice has one runtime. In both a profile has the app's functions, with the
// names and positions of its sources.
func TestEmbeddedRuntimeProfiles(t *testing.T) {
	dist := filepath.Join(t.TempDir(), "dist")
	const app = `"use strict";(()=>{
function spin(n) { let x = 1; for (let i = 0; i < n; i++) x = (x * 1103 + 12345) % 65521; return x; }
globalThis.work = async (ms) => { for (const end = performance.now() + ms; performance.now() < end;) spin(1e5); };
})();
`
	must.Write(t, dist, "assets/app.js", app)
	output := browser.Instrument(t, builddir.Options{Input: dist, Selection: transform.Selection{Preset: transform.Precise}, Embed: []string{"assets/app.js"}})
	const tag = `<script src="/assets/app.js"></script>`
	for name, page := range map[string]string{"once": tag, "twice": tag + tag, "beside": `<script src="/fieldprof/runtime.js"></script>` + tag} {
		t.Run(name, func(t *testing.T) {
			must.Write(t, output, "index.html", "<!doctype html><title>app</title>"+page)
			site := browser.Serve(t, browser.Site{Files: os.DirFS(output)})
			browser.Each(t, func(t *testing.T, b *browser.Browser) {
				page, got := profileEmbedded(t, b, site.URL+"/index.html")
				for n := 0; n < 20 && got.late(); n++ {
					page, got = profileEmbedded(t, b, site.URL+"/index.html")
				}
				functions := got.functions("assets/app.js")
				spun := false
				for f := range functions {
					spun = spun || f == "assets/app.js:2:14 spin"
				}
				if !spun || len(got.Fieldprof.Lost) > 0 || len(page.Errors()) > 0 {
					t.Errorf("functions %v, lost %q, errors %q", functions, got.Fieldprof.Lost, page.Errors())
				}
			})
		})
	}
}

// profileEmbedded loads a page and profiles its work.
func profileEmbedded(t *testing.T, b *browser.Browser, url string) (*browser.Page, trace) {
	t.Helper()
	page := b.Open(url)
	value := page.Eval(`(async () => {
		fieldprof.install({ prefer: 'polyfill', base: 1, clock: 'poll' });
		const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 1e6 });
		await fieldprof.loadParts();
		await work(300);
		return profiler.stop();
	})()`)
	return page, must.JSON[trace](t, value)
}
