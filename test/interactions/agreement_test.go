package interactions

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

const vitals = "/web-vitals.js"

// serveVitals serves web-vitals as a module, and another page.
func serveVitals(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case vitals:
		http.ServeFile(w, r, filepath.Join("node_modules/web-vitals/dist", vitals))
	case "/other.html":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>another page</title>")
	default:
		http.NotFound(w, r)
	}
}

// quick is more clicks than INP has to look past its longest interaction.
const quick = 60

// INP is what web-vitals computes from the same entries, with few interactions and with so
// many that the longest does not count.
func TestAgreesWithWebVitals(t *testing.T) {
	fixtures.EnsureIn(t, must.Get(filepath.Abs("."))(t))
	s := serveShop(t, transform.Balanced, true)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := s.visit(t, b, fmt.Sprintf("vitals: %q", vitals))
		if string(page.Eval("'interactionId' in (globalThis.PerformanceEventTiming?.prototype ?? {})")) != "true" {
			if got := string(page.Eval("observing.counts.inp === undefined")); got != "true" {
				t.Error("there is an INP in a browser without Event Timing")
			}
			t.Skip("has no Event Timing")
		}
		page.Eval(`void (window.ids = new Set(), window.longest = 0, new PerformanceObserver((list) => {
			for (const { interactionId, duration } of list.getEntries()) {
				if (!interactionId) continue;
				ids.add(interactionId);
				longest = Math.max(longest, duration);
			}
		}).observe({ type: 'event', durationThreshold: 16 }))`)
		clicks := 0
		slow := func(id string) {
			click(t, page, id)
			clicks++
			page.Wait(fmt.Sprintf("ids.size >= %d", clicks))
		}
		agree := func() {
			t.Helper()
			page.Wait("Math.abs(observing.counts.inp - window.inp) <= 16")
		}
		slow("filter")
		agree()
		// One that is much longer than all others.
		page.Eval("document.getElementById('align').addEventListener('click', () => { for (const end = performance.now() + 500; performance.now() < end; ); })")
		slow("align")
		agree()
		if got := must.JSON[float64](t, page.Eval("observing.counts.inp")); got < 700 {
			t.Errorf("INP is %v ms after a click of 800 ms", got)
		}
		for range quick {
			page.Click(1, 1)
		}
		slow("filter") // web-vitals reports with the entries of what takes a moment
		page.Wait("window.inp < longest")
		agree()
		page.Quiet()
	})
}

// A page that comes back, from the cache of pages or not, is observed as before.
func TestBackAndForward(t *testing.T) {
	s := serveShop(t, transform.Balanced, true)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := s.visit(t, b, "")
		page.Eval("void (window.before = true)")
		click(t, page, "filter")
		await(t, page)
		page.Eval("void setTimeout(() => { location.href = 'other.html' })")
		page.Wait("document.title === 'another page'")
		page.Eval("void setTimeout(() => history.back())")
		page.Wait("window.ready")
		if string(page.Eval("window.before === true")) != "true" {
			page.Eval(fmt.Sprintf("begin({ elsewhere: %q })", s.offers))
		}
		click(t, page, "filter")
		await(t, page)
		page.Quiet()
	})
}
