package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Elements with the name or id of the checks' global appear in its place until it is
// defined: a user who may write HTML but no script must not break scripts with them.
var clobbers = []string{
	`<form id=__fieldprof></form>`, `<img name=__fieldprof>`, `<video id=__fieldprof></video>`, `<iframe name=__fieldprof></iframe>`,
	`<a id=__fieldprof></a><a id=__fieldprof name=version></a>`,
	`<form id=__fieldprof><input name=version><select name=flag><option>1</select><input name=entry><input name=exit></form>`,
}

// If the page has the runtime, all its scripts share one set of checks, which work.
func TestElementsDoNotTakeTheGlobal(t *testing.T) {
	const work = `function work(n) { for (let i = 0; i < n; i++); return n; }`
	dir := filepath.Join(t.TempDir(), "site")
	must.Write(t, dir, "classic.js", work+`window.classic = work(3);`)
	must.Write(t, dir, "module.js", work+`window.module = work(4); export {};`)
	for i, clobber := range clobbers {
		must.Write(t, dir, fmt.Sprintf("%d.html", i), "<!doctype html><title>page</title><body>"+clobber+`<script src="classic.js"></script><script type="module" src="module.js"></script><script type="module">`+work+`window.inline = work(5);</script>`)
	}
	for _, form := range []transform.Form{transform.Inline, transform.Compact} {
		output := browser.Instrument(t, builddir.Options{Input: dir, Selection: transform.Selection{Preset: transform.Precise, Form: form}})
		browser.Each(t, func(t *testing.T, b *browser.Browser) {
			for i, clobber := range clobbers {
				site := browser.Serve(t, browser.Site{Files: os.DirFS(output)}) // of another origin: in the same window
				page := b.Open(fmt.Sprintf("%s/%d.html", site.URL, i))
				page.Wait("window.inline")
				got := string(page.Eval(`[classic, module, inline, globalThis.__fieldprof.version, ArrayBuffer.isView(globalThis.__fieldprof.flag)].join()`))
				if want := `"3,4,5,1,true"`; got != want || len(page.Errors()) > 0 {
					t.Errorf("%v, %s: %s, want %s; errors %q", form, clobber, got, want, page.Errors())
				}
				page.Close()
			}
		})
	}
}
