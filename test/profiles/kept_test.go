package profiles

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

// leavable is a site whose page knows when it is shown, and whether the browser kept it while
// another was there.
func leavable(t *testing.T) fs.FS {
	return without(t, instrument(t, "shares", transform.Balanced), map[string][]byte{
		"index.html": []byte(`<!doctype html><script src="fieldprof/runtime.js"></script><script src="app.js"></script><script>
			let kept = false, shown = false;
			addEventListener('pageshow', (event) => { kept = event.persisted; shown = true; });
			addEventListener('pagehide', () => { shown = false; });
		</script>`),
		"other.html": []byte(`<!doctype html><title>other</title><script>left = true</script>`),
	})
}

// storable lets browsers keep a page: a page that may not be stored is not kept either.
var storable = http.Header{"Cache-Control": {"no-cache"}}

// visit opens the page, which works and profiles, and leaves it for another as soon as an
// expression is true there.
func visit(b *browser.Browser, url, when string) *browser.Page {
	page := b.Open(url)
	page.Eval(`(() => {
		fieldprof.install({ prefer: 'polyfill', base: 1 });
		globalThis.profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 1e5 });
		work(100);
		const leave = () => { if (` + when + `) location.href = 'other.html'; else setTimeout(leave, 20); };
		setTimeout(leave, 200);
	})()`)
	page.Wait("globalThis.left")
	return page
}

// comeBack goes back to the page, which works again and ends its profile: how many samples
// have functions of the page from before it was left, and from after. A browser that did not keep
// the page skips the test.
func comeBack(t *testing.T, page *browser.Page) (before, after int, lost []string) {
	page.Eval("setTimeout(() => history.back(), 100), 0")
	page.Wait("typeof work === 'function' && document.readyState === 'complete' && shown")
	if string(page.Eval("kept")) != "true" {
		t.Skip("the browser did not keep the page: nothing to survive")
	}
	page.Eval(`void (async () => {
		await new Promise((done) => setTimeout(done, 300));
		const back = performance.now();
		for (let i = 0; i < 25; i++) for (const end = performance.now() + 20; performance.now() < end; ) round(1000);
		const { frames, stacks, samples, fieldprof: { lost } } = await profiler.stop();
		const named = ({ stackId }) => stackId !== undefined && frames[stacks[stackId].frameId].line > 0;
		globalThis.profile = { lost, before: samples.filter((s) => s.timestamp < back && named(s)).length, after: samples.filter((s) => s.timestamp >= back && named(s)).length };
	})()`)
	got := must.JSON[struct {
		Before, After int
		Lost          []string
	}](t, page.Wait("globalThis.profile"))
	return got.Before, got.After, got.Lost
}

// A page that was left and is come back to, where browsers keep it.
func TestBackForwardCache(t *testing.T) {
	eachWay(t, leavable(t), storable, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		before, after, lost := comeBack(t, visit(b, url, "__fieldprof.tape.read"))
		if before == 0 || after < 20 {
			t.Errorf("%d samples from before the page was left, %d from after; lost %q", before, after, lost)
		}
	})
}

// The same while files that the profile needs are on their way: WebKit ends such requests, and does
// not repeat them.
func TestLeftWhileLoading(t *testing.T) {
	site := leavable(t)
	for _, name := range []string{"fieldprof/trace.js", "app.js.functions.json"} {
		t.Run(path.Base(name), func(t *testing.T) {
			text := must.Get(fs.ReadFile(site, name))(t)
			files := without(t, site, map[string][]byte{name: nil})
			browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
				var asked atomic.Int32
				back := make(chan struct{})
				server := browser.Serve(t, browser.Site{Files: files, Isolated: isolated, Header: storable, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if asked.Add(1) == 1 {
						select {
						case <-back:
						case <-r.Context().Done():
						}
					}
					w.Header().Set("Content-Type", "text/javascript")
					w.Write(text)
				})})
				page := visit(b, server.URL+"/index.html", "true") // one of the two is still to come
				close(back)
				before, after, lost := comeBack(t, page)
				if before == 0 || after < 20 {
					t.Errorf("%d samples from before the page was left, %d from after; lost %q", before, after, lost)
				}
				for _, reason := range lost {
					if strings.Contains(reason, "app.js") || strings.Contains(reason, "trace.js") {
						t.Errorf("lost %q", reason)
					}
				}
			})
		})
	}
}
