package deploy

import (
	"testing"

	"github.com/fieldprof/fieldprof/test/browser"
)

// sessionSite has two pages, a frame without storage of its own, and a page
// that asks for consent.
var sessionSite = site{
	"index.html": `<!doctype html>` + ran + `<script src=a.js></script><script>done = ran.join()</script>`,
	"next.html":  `<!doctype html>` + ran + `<script src=a.js></script><script>done = ran.join()</script>`,
	"frame.html": `<!doctype html><script>addEventListener('error', (e) => parent.postMessage('error ' + e.message, '*'))</script>` + ran +
		`<script src=a.js></script><script>parent.postMessage(ran.join(), '*')</script>`,
	"sandbox.html": `<!doctype html><script>addEventListener('message', (e) => { window.done = e.data })</script><iframe sandbox=allow-scripts></iframe>` +
		`<script>document.querySelector('iframe').src = '/frame.html' + location.search</script>`,
	"consent.html": `<!doctype html><script>fieldprofConsent = localStorage.consent === 'yes'</script>` + ran + `<script src=a.js></script><script>done = ran.join()</script>`,
	"a.js":         classic(),
}

const (
	isClean    = `"/a.js"`
	isProfiled = `"/` + profiled + `a.js"`
)

// goTo leads a page to another, as a link does.
func goTo(p *browser.Page, path string) {
	p.Eval("setTimeout(() => location.assign('" + path + "')) && delete window.done && delete window.fieldprofSampled")
}

func arrives(t *testing.T, p *browser.Page, what, want string) {
	t.Helper()
	if got := string(p.Wait("document.readyState === 'complete' && window.done")); got != want {
		t.Errorf("%s: %s ran, want %s", what, got, want)
	}
}

// A session keeps to what it chose, whatever chance says on its other pages.
func TestSessionsStick(t *testing.T) {
	dir := sessionSite.write(t)
	always := instrument(t, dir, 1)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		server := browser.Serve(t, browser.Site{Files: watch(always)})
		p := b.Open(server.URL + "/index.html")
		arrives(t, p, "a rate of 1", isProfiled)
		goTo(p, "/next.html?fieldprof=0")
		arrives(t, p, "insists on clean", isClean)
		for _, path := range []string{"/next.html", "/index.html", "/index.html?x"} {
			goTo(p, path)
			arrives(t, p, "stays clean at a rate of 1", isClean)
		}
		if got := string(p.Eval("fieldprofSampled")); got != "false" {
			t.Errorf("clean: fieldprofSampled is %s", got)
		}
		goTo(p, "/next.html?fieldprof=1")
		arrives(t, p, "insists on profiled", isProfiled)
		goTo(p, "/index.html")
		arrives(t, p, "stays profiled", isProfiled)
		if got := string(p.Eval("fieldprofSampled")); got != "true" {
			t.Errorf("profiled: fieldprofSampled is %s", got)
		}
		p.Quiet()
	})
}

// Where storage is forbidden nothing throws; only the address can choose.
func TestWithoutStorage(t *testing.T) {
	output := instrument(t, sessionSite.write(t), 1)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		for query, want := range map[string]string{"": isClean, "?fieldprof=0": isClean, "?fieldprof=1": isProfiled} {
			server := browser.Serve(t, browser.Site{Files: watch(output)})
			arrives(t, b.Open(server.URL+"/sandbox.html"+query), "a sandbox "+query, want)
		}
	})
}

// Before a page has consent it is clean and stores nothing.
func TestConsent(t *testing.T) {
	output := instrument(t, sessionSite.write(t), 1)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		server := browser.Serve(t, browser.Site{Files: watch(output)})
		p := b.Open(server.URL + "/consent.html?fieldprof=1")
		arrives(t, p, "without consent", isClean)
		if got := string(p.Eval("sessionStorage.length")); got != "0" {
			t.Errorf("%s entries are stored without consent", got)
		}
		p.Eval("localStorage.consent = 'yes'")
		goTo(p, "/consent.html")
		arrives(t, p, "with consent", isProfiled)
	})
}

// A framework that puts a fetched page in the place of this one runs its
// scripts again, when document.write would begin a new page.
func TestSwappedPages(t *testing.T) {
	output := instrument(t, sessionSite.write(t), 1)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		server := browser.Serve(t, browser.Site{Files: watch(output)})
		p := b.Open(server.URL + "/index.html")
		arrives(t, p, "before", isProfiled)
		got := string(p.Eval(`fetch('/next.html').then((r) => r.text()).then((text) => {
			window.kept = true;
			const page = new DOMParser().parseFromString(text, 'text/html');
			for (const script of page.querySelectorAll('script')) {
				const copy = document.createElement('script');
				if (script.src) copy.src = script.getAttribute('src');
				copy.text = script.text;
				document.body.append(copy);
			}
			return new Promise((done) => setTimeout(() => done([window.kept, fieldprofSampled, ran.join()]), 300));
		})`))
		if got != `[true,true,"/a.js"]` {
			t.Errorf("after the swap: %s", got)
		}
		p.Quiet()
	})
}
