package sites

import (
	"io/fs"
	"sync/atomic"
	"testing"

	"github.com/fieldprof/fieldprof/test/browser"
)

// network is a site that can go away.
type network struct {
	fs.FS
	off atomic.Bool
}

func (n *network) Open(name string) (fs.File, error) {
	if n.off.Load() {
		return nil, fs.ErrNotExist
	}
	return n.FS.Open(name)
}

// servesOffline: a site that works without a network still does. Its service worker keeps the
// runtime with the rest.
func servesOffline(t *testing.T, builds *builds) {
	build := builds.of(t, "svelte", "")
	for _, v := range variants {
		t.Run(v, func(t *testing.T) {
			browser.Each(t, func(t *testing.T, b *browser.Browser) {
				files := &network{FS: deploy(t, build, v, "/app")}
				page := b.Open(browser.Serve(t, browser.Site{Files: files, Handler: &browser.Sightings{}}).URL + "/app/index.html")
				if string(page.Eval("'serviceWorker' in navigator")) != "true" {
					t.Skip("SKIPPED: no service workers")
				}
				page.Wait("navigator.serviceWorker.controller")
				files.off.Store(true)
				page.Eval("void (window.frame = document.body.appendChild(document.createElement('iframe')), frame.src = 'index.html')")
				if got := string(page.Wait("frame.contentDocument.querySelector('#total')?.textContent")); got != `"1"` {
					t.Errorf("offline, the total is %s", got)
				}
			})
		})
	}
}
