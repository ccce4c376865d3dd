package conformance

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// subjects are the pages of testdata/site.
var subjects = []string{"idl", "buffer", "names", "origins", "workers", "performance"}

// notInChromium are the statements that Chromium's own Profiler does not meet.
var notInChromium = map[string]string{
	"a sampleInterval of -0.0001 is a RangeError":      "it looks at whole microseconds",
	"a sampleInterval of 10.5 is rounded up, to 20":    "it looks at whole milliseconds",
	"a sampleInterval of 20.0001 is rounded up, to 30": "it looks at whole milliseconds",
}

// statement is what a page found of one of its statements.
type statement struct {
	Name, Fault string // no Fault: it holds
}

func TestConformance(t *testing.T) {
	dir := browser.Instrument(t, builddir.Options{
		Input: "testdata/site", Selection: transform.Selection{Preset: transform.Precise}, Runtime: runtime.Options{Prefer: "polyfill"},
	})
	for _, subject := range subjects {
		t.Run(subject, func(t *testing.T) { meets(t, os.DirFS(dir), subject) })
	}
}

// meets has a page judge its statements in every browser.
func meets(t *testing.T, files fs.FS, subject string) {
	t.Helper()
	pages := map[bool]string{false: serve(t, files, false, nil), true: serve(t, files, true, nil)}
	browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
		for _, s := range visit(t, b, fmt.Sprintf(pages[isolated], subject)) {
			if s.Fault != "" {
				t.Errorf("%s: %s", s.Name, s.Fault)
			}
		}
	})
}

// Workers from strings have a Profiler if the deployer wraps Worker, and the page sees nothing
// of that.
func TestWrappedWorkers(t *testing.T) {
	dir := browser.Instrument(t, builddir.Options{
		Input: "testdata/site", Selection: transform.Selection{Preset: transform.Precise}, Runtime: runtime.Options{Prefer: "polyfill", WrapWorkers: true},
	})
	meets(t, os.DirFS(dir), "strings")
}

// Chromium's own Profiler is held to the same statements, so that one of them
// that asks for more than there is shows.
func TestChromiumsOwn(t *testing.T) {
	policy := http.Header{"Document-Policy": {"js-profiling"}}
	for _, subject := range subjects {
		if subject == "workers" || subject == "performance" {
			continue // it has none there
		}
		t.Run(subject, func(t *testing.T) {
			page := serve(t, os.DirFS("testdata/site"), false, policy)
			browser.Each(t, func(t *testing.T, b *browser.Browser) {
				if b.Name != "chromium" {
					return
				}
				for _, s := range visit(t, b, fmt.Sprintf(page, subject), slices.Collect(maps.Keys(notInChromium))...) {
					if why, known := notInChromium[s.Name]; s.Fault != "" && !known {
						t.Errorf("%s: %s", s.Name, s.Fault)
					} else if known {
						t.Logf("%s: %s (%s)", s.Name, s.Fault, why)
					}
				}
			})
		})
	}
}

// serve serves the site thrice, as itself and as two other origins, the first of
// which lets any origin have its files, and gives a form of the pages' URLs.
func serve(t *testing.T, files fs.FS, isolated bool, header http.Header) string {
	t.Helper()
	embeddable := http.Header{"Cross-Origin-Resource-Policy": {"cross-origin"}}
	closed := browser.Serve(t, browser.Site{Files: files, Header: embeddable})
	agreed := embeddable.Clone()
	agreed.Set("Access-Control-Allow-Origin", "*")
	open := browser.Serve(t, browser.Site{Files: files, Header: agreed})
	redirects := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, found := strings.CutPrefix(r.URL.Path, "/closed/"); found {
			http.Redirect(w, r, closed.URL+"/"+name, http.StatusFound)
			return
		}
		http.NotFound(w, r)
	})
	own := embeddable.Clone()
	for name, values := range header {
		own[name] = values
	}
	site := browser.Serve(t, browser.Site{Files: files, Isolated: isolated, Header: own, Handler: redirects})
	query := url.Values{"open": {open.URL}, "closed": {closed.URL}}.Encode()
	return site.URL + "/%s.html?" + strings.ReplaceAll(query, "%", "%%")
}

// patience ends a page that hangs: it has some thirty statements of a third of a
// second each, and on a busy machine some are tried again.
const patience = 10 * time.Minute

// visit gives what a page finds of its statements, some of which are known to fail.
func visit(t *testing.T, b *browser.Browser, url string, known ...string) (found []statement) {
	t.Helper()
	names := must.Get(json.Marshal(append([]string{}, known...)))(t)
	page := b.Open(url)
	page.Wait("document.readyState === \"complete\" && (window.ready || !document.querySelector(\"[type=module]\"))")
	page.Eval("void judge(" + string(names) + ").then((found) => (window.found = found))")
	for late := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if found = must.JSON[[]statement](t, page.Eval("window.found || []")); len(found) > 0 {
			break
		}
		if time.Now().After(late) {
			t.Fatalf("%s is not done", url)
		}
	}
	return found
}
