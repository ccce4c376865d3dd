package site

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/serve/site"
	"github.com/fieldprof/fieldprof/test/browser"
)

const pixel = `<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>`

// build is a clean build with a page, a module, a worker and a picture from elsewhere.
func build(t *testing.T, picture string) string {
	t.Helper()
	dir := t.TempDir()
	const work = "function work(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i; return new Error(String(sum)).stack; }\n"
	for name, text := range map[string]string{
		"index.html": `<!doctype html><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,"><meta http-equiv="content-security-policy" content="script-src 'self'; default-src 'none'; img-src http: data:">` +
			`<img id="picture" src="` + picture + `"><script src="app.js"></script><script type="module" src="m.js"></script>`,
		"app.js":    work + `window.classic = work(3); window.worker = new Promise((done) => { new Worker("worker.js").onmessage = (e) => done(e.data); });`,
		"m.js":      "export " + work + "window.module = work(3);",
		"worker.js": work + `setTimeout(() => postMessage({stack: work(3), runtime: typeof __fieldprof, isolated: self.crossOriginIsolated}));`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A clean build runs in every browser, isolated or as in the field, under a strict policy;
// its code is known, and files from elsewhere still come where browsers have a way.
func TestCleanBuildInBrowsers(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Write([]byte(pixel))
	}))
	t.Cleanup(elsewhere.Close)
	dir := build(t, strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)+"/picture.svg")
	for _, isolated := range []bool{true, false} {
		browser.Each(t, func(t *testing.T, b *browser.Browser) {
			s := serve(t, site.Options{Input: dir, Isolated: isolated})
			page := b.Open(s.url + "/")
			page.Wait(`window.module && document.querySelector("#picture").complete`)
			var seen struct {
				Runtime, Classic, Module string
				Isolated                 bool
				Native                   string
				Picture                  int
				Worker                   struct {
					Stack, Runtime string
					Isolated       bool
				}
			}
			native := "''" // elsewhere it is ours
			if b.Name == "chromium" && isolated {
				native = `(() => { try { return String(Profiler) + new Profiler({sampleInterval: 10, maxBufferSize: 10}).sampleInterval } catch (e) { return e.name } })()`
			}
			if err := json.Unmarshal(page.Eval(`worker.then((worker) => ({runtime: typeof __fieldprof, classic, module, worker, isolated: crossOriginIsolated, native: `+native+`, picture: document.querySelector("#picture").naturalWidth}))`), &seen); err != nil {
				t.Fatal(err)
			}
			if seen.Isolated != isolated || seen.Worker.Isolated != isolated || seen.Runtime != "object" || seen.Worker.Runtime != "object" {
				t.Errorf("isolated %v: the page has %+v", isolated, seen)
			}
			// WebKit has only require-corp, which leaves the picture out.
			if there := seen.Picture == 7; there != (!isolated || b.Name != "webkit") {
				t.Errorf("isolated %v: the picture is %d wide", isolated, seen.Picture)
			}
			for _, stack := range []string{seen.Classic, seen.Module, seen.Worker.Stack} {
				if name, source := s.placeOf(t, stack); name != "work" || !strings.HasPrefix(source, "fieldprof:///") {
					t.Errorf("%s is %s of %s", stack, name, source)
				}
			}
			s.waitFor(t, "page", "/")
			s.waitFor(t, "worker", "/worker.js")
			said := page.Said()
			for _, message := range said.Console {
				if isolated && strings.Contains(message.Text, "Document") && strings.Contains(message.Text, "olicy") {
					t.Errorf("isolated %v: it says %s", isolated, message.Text)
				}
			}
			if native != "''" && !(strings.Contains(seen.Native, "[native code]") && strings.HasSuffix(seen.Native, "10")) {
				t.Errorf("isolated %v: its Profiler says %s", isolated, seen.Native)
			}
			if b.Name != "webkit" && len(said.Errors) > 0 {
				t.Errorf("isolated %v: it says %q", isolated, said.Errors)
			}
		})
	}
}
