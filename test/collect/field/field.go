// Package field is a shop in the field: built and minified as sites are, instrumented, open in
// real browsers, and sending what it records to a collector.
package field

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/interactions/site"
	"github.com/fieldprof/fieldprof/transform"
)

// Release is the release that the shop's profiles are labelled with.
const Release = "shop-1"

// Shop is a running shop. Its pages are at URL.
type Shop struct {
	URL string
	// Dir has the instrumented files of the shop, with their source maps and function tables.
	Dir    string
	offers string
	stop   func()
}

// Open builds a shop below a folder and serves it. Its pages send to this URL.
func Open(ctx context.Context, dir, url string) (*Shop, error) {
	built, err := site.Build(ctx, dir, site.Options{Preset: transform.Balanced, Elsewhere: true, Minified: true})
	if err != nil {
		return nil, err
	}
	if err := addSender(built.Own, url); err != nil {
		return nil, err
	}
	own := httptest.NewServer(&browser.Site{Files: os.DirFS(built.Own)})
	elsewhere := httptest.NewServer(&browser.Site{Files: os.DirFS(built.Elsewhere), Header: http.Header{"Access-Control-Allow-Origin": {"*"}}})
	return &Shop{own.URL, built.Own, elsewhere.URL + "/offers.js", func() {
		own.Close()
		elsewhere.Close()
	}}, nil
}

// Close stops serving.
func (s *Shop) Close() { s.stop() }

// addSender adds to the shop what the docs tell people to add to their pages: a module that
// sends to the collector.
func addSender(dir, url string) error {
	send, err := fs.ReadFile(runtime.Files(), "send.js")
	if err != nil {
		return err
	}
	to, err := json.Marshal(url)
	if err != nil {
		return err
	}
	module := fmt.Appendf(nil, `/* fieldprof: off file */
import { send } from './send.js';
window.notes = [];
const slices = new URLSearchParams(location.search).has('slices');
window.sending = send({ url: %s, release: %q, slices, onnote: (note) => window.notes.push(note) });
`, to, Release)
	index := filepath.Join(dir, "index.html")
	page, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	page = bytes.Replace(page, []byte("</head>"), []byte(`<script type="module" src="field.js"></script></head>`), 1)
	for name, content := range map[string][]byte{"send.js": send, "field.js": module, "index.html": page} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// patience ends what hangs.
const patience = 2 * time.Minute

// Visit opens the shop in a browser, clicks its buttons as a person does, and leaves when the
// recording has been sent: all of the time or, if slices is set, only the slow parts.
func (s *Shop) Visit(session *browser.Session, slices bool) error {
	query := ""
	if slices {
		query = "?slices"
	}
	tab, err := session.Open(s.URL + "/index.html" + query)
	if err != nil {
		return err
	}
	defer tab.Close()
	if _, err := tab.Wait("window.ready && window.sending && sending.active", patience); err != nil {
		return err
	}
	load := `new Promise((done, fail) => document.head.append(Object.assign(document.createElement('script'), { src: %q, crossOrigin: 'anonymous', onload: () => done(true), onerror: fail })))`
	if _, err := tab.Eval(fmt.Sprintf(load, s.offers)); err != nil {
		return err
	}
	for _, cause := range site.Causes {
		if err := click(tab, cause.ID); err != nil {
			return fmt.Errorf("%s: %w", cause.ID, err)
		}
	}
	_, err = tab.Eval("sending.stop().then(() => true)")
	return err
}

// click clicks a button and waits until the page is at rest again.
func click(tab *browser.Tab, button string) error {
	at, err := tab.Eval(fmt.Sprintf("middle(%q)", button))
	if err != nil {
		return err
	}
	var position [2]int
	if err := json.Unmarshal(at, &position); err != nil {
		return err
	}
	const heard = `window.heard = new Promise((done) => addEventListener('click', () => requestAnimationFrame(() => setTimeout(() => done(true), 300)), { once: true })), true`
	if _, err := tab.Eval(heard); err != nil {
		return err
	}
	if err := tab.Click(position[0], position[1]); err != nil {
		return err
	}
	_, err = tab.Eval("heard")
	return err
}
