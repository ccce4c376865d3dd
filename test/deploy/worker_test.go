package deploy

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// workerSite publishes the application with the service worker, as the page
// says. Chance is what the address says.
func workerSite(t *testing.T) string {
	t.Helper()
	snippet := block(t, "snippet.html")
	const chance = `<script>Math.random = () => Number(new URLSearchParams(location.search).get('chance') ?? 0.999)</script>`
	folder := application(t, func(name, text string) string {
		if strings.HasSuffix(name, ".html") {
			return strings.Replace(text, "<title>", chance+"\n"+snippet+"<title>", 1)
		}
		return text
	})
	shell(t, folder, block(t, "publish-worker.sh"))
	public := filepath.Join(folder, "public")
	must.Do(t, os.WriteFile(filepath.Join(public, "fieldprof-worker.js"), []byte(block(t, "fieldprof-worker.js")), 0o644))
	must.Do(t, os.WriteFile(filepath.Join(public, "empty.html"), []byte("<!doctype html>"), 0o644))
	return public
}

// openWithWorkers opens a page, and skips the test in a browser that has no
// service workers as tests run it.
func openWithWorkers(t *testing.T, b *browser.Browser, url string) *browser.Page {
	t.Helper()
	p := b.Open(url)
	if string(p.Eval("'serviceWorker' in navigator")) != "true" {
		t.Skipf("%s has no service workers here", b.Name)
	}
	return p
}

func TestServiceWorker(t *testing.T) {
	public := workerSite(t)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		original := original(t, b)
		server := browser.Serve(t, browser.Site{Files: watch(public)})
		p := openWithWorkers(t, b, server.URL+"/index.html?fieldprof=1")
		expect(t, "the first page", p, want(original, false, false))
		p.Wait("navigator.serviceWorker.ready.then(() => true)")
		for _, path := range []string{"/about.html", "/index.html", "/about.html"} {
			visit(p, path)
			expect(t, path, p, want(original, true, true))
		}
		p.Quiet()
		visit(p, "/index.html?fieldprof=0")
		p.Wait("navigator.serviceWorker.controller === null && navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)")
		expect(t, "leaving", p, want(original, false, false))
		// A profiled page that leaves its session reloads itself, and browsers report
		// the end of its pending requests in many ways.
		abandoned := len(p.Errors())
		for _, path := range []string{"/about.html", "/index.html"} {
			visit(p, path)
			expect(t, path, p, want(original, false, false))
		}
		for _, e := range p.Errors()[abandoned:] {
			t.Error(e)
		}
	})
}

// A host that redirects folders to their slash and answers with a page for files it does not have: pages have the same
// address as without the worker, and scripts that are not from the build come from the clean site.
func TestServiceWorkerOfAStaticHost(t *testing.T) {
	public := workerSite(t)
	page := `<!doctype html><script src="/api/config.js"></script><script type="module" src="./shop.js"></script>`
	for folder, script := range map[string]string{"": "window.shown = 'clean ' + config", "profiled": "window.shown = 'profiled ' + config"} {
		shop := filepath.Join(public, folder, "shop")
		must.Do(t, os.MkdirAll(shop, 0o755))
		must.Do(t, os.WriteFile(filepath.Join(shop, "index.html"), []byte(page), 0o644))
		must.Do(t, os.WriteFile(filepath.Join(shop, "shop.js"), []byte(script), 0o644))
	}
	host := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/shop"):
			http.Redirect(w, r, r.URL.Path+"/", http.StatusMovedPermanently)
		case r.URL.Path == "/api/config.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "var config = 'configured'")
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>", page)
		}
	})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		server := browser.Serve(t, browser.Site{Files: watch(public), Handler: host})
		p := openWithWorkers(t, b, server.URL+"/index.html?fieldprof=1")
		p.Wait("navigator.serviceWorker.ready.then(() => true)")
		visit(p, "/shop")
		p.Wait("window.shown")
		if got := string(p.Eval("[location.pathname, shown]")); got != `["/shop/","profiled configured"]` {
			t.Error(got)
		}
	})
}

// A session draws once, and one that is not drawn never sees a service worker.
func TestServiceWorkerDraws(t *testing.T) {
	public := workerSite(t)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		for _, c := range []struct {
			chance string
			drawn  bool
		}{{"0", true}, {"0.0099", true}, {"0.01", false}, {"0.5", false}} {
			files := watch(public)
			server := browser.Serve(t, browser.Site{Files: files})
			p := openWithWorkers(t, b, server.URL+"/empty.html")
			p.Eval("document.cookie = 'fieldprof=; path=/; max-age=0'") // WebKit has the last server's cookies
			visit(p, "/index.html?chance="+c.chance)
			p.Wait("window.result")
			if c.drawn {
				p.Wait("navigator.serviceWorker.ready.then(() => true)")
				visit(p, "/about.html?chance=0.999")
				p.Wait("window.result && navigator.serviceWorker.controller !== null")
				continue
			}
			visit(p, "/about.html?chance=0")
			p.Wait("window.result")
			if got := string(p.Eval("navigator.serviceWorker.getRegistrations().then((all) => all.length)")); got != "0" {
				t.Errorf("a draw of %s: %s service workers", c.chance, got)
			}
			for _, name := range files.scripts() {
				if strings.HasPrefix(name, "profiled/") || name == "fieldprof-worker.js" {
					t.Errorf("a draw of %s: %s was fetched", c.chance, name)
				}
			}
		}
	})
}
