package send

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/slices"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
)

// slowPage has a button whose handler takes 300 ms by the page's clock. `seen` says what the
// slices are that another observer of the page was given: the sender has got its own by then.
const slowPage = `<!doctype html>
<style>button { position: fixed; inset: 0 auto auto 0; width: 200px; height: 200px }</style>
<button id="save">save</button>
<script src="runtime.js"></script>
<script src="slow.js"></script>
<script type="module">
import { send } from './send.js';
import { observe } from './interactions.js';
window.notes = [];
window.seen = [];
window.begin = (options) => { window.sending = send({ url: '/profiles', onnote: (note) => notes.push(note), ...options }) };
window.watching = observe({ onslow: ({ what, name }) => seen.push(what + ' ' + name) });
window.ready = true;
</script>
`

const slowProgram = `
var clicks = 0, leaves = false;
function spend(ms) { var x = 0; for (var end = performance.now() + ms; performance.now() < end;) x += Math.sqrt(x + 1); return x }
function save() { spend(300); clicks++; performance.measure('https://a.example/saved?token=cAnArY', { start: performance.now() - 300 }); if (leaves) location.href = 'other.html' }
document.querySelector('button').addEventListener('click', save);
`

// many is for machines on which much is slow: the slice that a test waits for is among those sent.
const many = "{ perPage: 50 }"

func slowSite(t *testing.T) fs.FS {
	t.Helper()
	site := files(t).(fstest.MapFS)
	site["slow.html"] = &fstest.MapFile{Data: []byte(slowPage)}
	maps.Copy(site, instrumented(t, "slow.js", slowProgram))
	site["interactions.js"] = &fstest.MapFile{Data: must.Get(fs.ReadFile(runtime.Files(), "interactions.js"))(t)}
	return site
}

// visitSlow opens the slow page, which observes and sends slices once this returns.
func visitSlow(t *testing.T, b *browser.Browser, options string) (*browser.Page, *ingest) {
	t.Helper()
	to := &ingest{t: t, keepsText: true}
	server := browser.Serve(t, browser.Site{Files: slowSite(t), Handler: to})
	page := b.Open(server.URL + "/slow.html")
	page.Wait("window.ready && __fieldprof.tape.sessions.length === 1")
	page.Eval(fmt.Sprintf("void begin(%s)", options))
	page.Wait("__fieldprof.tape.sessions.length === 2 && __fieldprof.tape.read") // a click may be the page's last
	return page, to
}

func TestSlicesArrive(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to := visitSlow(t, b, "{ slices: "+many+", sampleRate: 1, release: '1.2' }")
		page.Click(100, 100)
		page.Wait("seen.includes('interaction click')")
		if n := len(to.all()); n > 0 {
			t.Errorf("%d requests while the page is shown", n)
		}
		page.Eval(turn("hidden"))
		got := to.wait(t, "the slice of the click", isClick)
		mark := got.marks()[0]
		if mark.Target != "button#save" || mark.Duration < 300 {
			t.Errorf("the mark is %+v", mark)
		}
		browserName := map[string]string{"chromium": "Chrome ", "firefox": "Firefox ", "webkit": "Safari "}[b.Name]
		if got.Slice != true || got.Rate != 1 || got.Weight < 1 || got.Release != "1.2" || got.Device.Kind != "desktop" || !strings.HasPrefix(got.Browser, browserName) {
			t.Errorf("the envelope says %+v", got.envelope)
		}
		if got.Counts == nil || got.Counts.Interactions < 1 || got.Counts.Slow["interaction"] < 1 {
			t.Errorf("the counts are %+v", got.Counts)
		}
		if got.names()["spend"] == 0 || got.names()["loop"] > 0 {
			t.Errorf("the samples are in %v", got.names())
		}
		checkSlice(t, got, mark)
		if n := packed(t, got.text); n >= 4096 {
			t.Errorf("the slice has %d bytes (gzip), %d without", n, got.bytes)
		}
		page.Quiet()
	})
}

// isClick reports whether a request is the slice of a click: on a busy machine its
// pointerdown may be slow by itself.
func isClick(r *request) bool {
	return r.marks()[0].What == "interaction" && r.marks()[0].Name == "click"
}

// checkSlice reads the request as `instrument slices` does.
func checkSlice(t *testing.T, r *request, want mark) {
	t.Helper()
	p, _, err := format.Read(strings.NewReader(r.text), "slice.json")
	must.Do(t, err)
	for _, s := range slices.Of(p, slices.Options{}) {
		if s.Mark.Name != want.Name || s.Mark.Target != want.Target {
			continue // another event of the time
		}
		if len(s.Blame.Functions) == 0 || s.Blame.Functions[0].Name != "spend" {
			t.Errorf("of %+v: %s", s.Mark, s.Explain())
		}
		return
	}
	t.Errorf("no such slice is in %s", r.text)
}

func packed(t *testing.T, text string) int {
	t.Helper()
	var to bytes.Buffer
	w := gzip.NewWriter(&to)
	must.Get(w.Write([]byte(text)))(t)
	must.Do(t, w.Close())
	return to.Len()
}

// A session in which nothing is slow sends its counts, and nothing else.
func TestNothingSlowSendsOnlyCounts(t *testing.T) {
	never := "interaction: Infinity, 'long-frame': Infinity, 'long-task': Infinity, load: Infinity, navigation: Infinity, mark: Infinity"
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to := visitSlow(t, b, "{ slices: { thresholds: { "+never+" } } }")
		page.Click(100, 100)
		page.Wait("clicks === 1 && seen.includes('interaction click')")
		page.Eval(turn("hidden"))
		page.Eval(turn("visible"))
		page.Eval("void (location.href = 'other.html')")
		page.Wait("document.title === 'another page'")
		got := to.wait(t, "counts", func(*request) bool { return true })
		if got.Counts == nil || got.Counts.Interactions < 1 || len(got.Counts.Slow) > 0 {
			t.Errorf("the counts are %+v", got.Counts)
		}
		latest := math.Inf(-1)
		for _, r := range to.all() {
			if r.Slice || len(r.Trace.Samples) > 0 || r.Counts == nil {
				t.Errorf("there is more than counts: %s", r.text)
			}
			latest = max(latest, r.Counts.P75)
		}
		if latest < 300 {
			t.Errorf("the 75th percentile is %v ms", latest)
		}
	})
}

// A part that is slow when the page is left is not lost.
func TestSlowAndGone(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to := visitSlow(t, b, "{ slices: "+many+" }")
		page.Eval("void (leaves = true)")
		page.Click(100, 100)
		page.Wait("document.title === 'another page'")
		to.wait(t, "a slice", func(r *request) bool { return r.Slice && r.names()["spend"] > 0 })
	})
}
