package send

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/test/browser"
)

func TestChunksArrive(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to, url := visit(t, b, "{ chunk: 400, release: '1.2', labels: { plan: 'pro', seats: 7 }, routes: [{ path: '/index.*', sampleRate: 1, name: 'start' }], sampleRate: 0 }")
		began := time.Now()
		works := func(r *request) bool { return r.names()["work"] > 0 } // a page that gets no processor for a chunk has none in it
		first := to.wait(t, "a chunk", works)
		third := to.wait(t, "one after the next", func(r *request) bool { return r.Chunk >= first.Chunk+2 && works(r) })
		for _, r := range []*request{first, third} {
			if r.Version != 1 || r.Page != url+"/index.html" || r.Route != "start" || r.Release != "1.2" || r.Labels["plan"] != "pro" || r.Labels["seats"] != "7" || len(r.Notes) > 0 {
				t.Errorf("the envelope says %+v", r.envelope)
			}
			if at := time.UnixMilli(int64(r.Started)); at.Before(began.Add(-time.Hour)) || at.After(began.Add(time.Hour)) {
				t.Errorf("chunk %d began at %v", r.Chunk, at)
			}
		}
		if first.Session != third.Session || first.View != third.View || len(first.Session) != 32 || len(first.View) != 32 {
			t.Errorf("sessions %q %q, views %q %q", first.Session, third.Session, first.View, third.View)
		}
		if first.Started >= third.Started {
			t.Error("time runs backwards")
		}
		if got := first.header.Get("Content-Type"); got != "application/json" {
			t.Errorf("the content type is %q", got)
		}
		if string(page.Eval("typeof CompressionStream")) == `"function"` && first.header.Get("Content-Encoding") != "gzip" {
			t.Error("the chunk is not compressed")
		}
		page.Eval("sending.stop()")
		if got := string(page.Eval("sending.active")); got != "false" {
			t.Error("it goes on behind stop")
		}
		page.Quiet()
	})
}

// The last chunk is on its way when the page goes, without an unload listener, and the next
// page continues the session.
func TestLastChunkSurvivesThePage(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to, url := visit(t, b, "{}")
		records(page, 100)
		sent := len(to.all()) // none, unless this has taken five seconds
		page.Eval("void setTimeout(() => { location.href = 'other.html' })")
		last := to.wait(t, "the last chunk", func(r *request) bool { return r.Chunk >= sent })
		if last.names()["work"] == 0 || last.Page != url+"/index.html" {
			t.Errorf("the last chunk of %s has %v, notes %q", last.Page, last.names(), last.Notes)
		}
		page.Wait("document.title === 'another page'")
		page.Eval("void (location.href = 'index.html')")
		page.Wait("window.ready")
		page.Eval("void begin({ chunk: 300 })")
		again := to.wait(t, "a chunk of the next page", func(r *request) bool { return r.View != last.View })
		if again.Session != last.Session || again.Chunk != 0 {
			t.Errorf("session %s becomes %s, at chunk %d", last.Session, again.Session, again.Chunk)
		}
	})
}

// turn is an expression that hides or shows the page, as far as it can tell.
func turn(state string) string {
	return `(Object.defineProperty(document, 'visibilityState', { value: '` + state + `', configurable: true }),
		document.dispatchEvent(new Event('visibilitychange')), sending.active)`
}

// A hidden page sends what it has, rests, and continues when it is shown.
func TestHiddenPage(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to, _ := visit(t, b, "{}")
		records(page, 100)
		if got := string(page.Eval(turn("hidden"))); got != "false" {
			t.Error("a hidden page is profiled")
		}
		to.wait(t, "what the hidden page had", func(r *request) bool { return r.Chunk == 0 && r.names()["work"] > 0 })
		page.Eval(turn("visible"))
		page.Wait("sending.active")
		records(page, 100)
		page.Eval("sending.flush()")
		to.wait(t, "the next chunk", func(r *request) bool { return r.Chunk == 1 && r.names()["work"] > 0 })
	})
}

func TestNothingWithoutThePagesSay(t *testing.T) {
	for i, c := range [][2]string{
		{"false", "{ chunk: 300, consent: false }"},
		{"a promise of false", "{ chunk: 300, consent: Promise.resolve(false) }"},
		{"a failure", "{ chunk: 300, consent() { throw new Error('who knows') } }"},
		{"never an answer", "{ chunk: 300, consent: new Promise(() => {}) }"},
		{"rate 0", "{ chunk: 300, sampleRate: 0 }"},
		{"rate 0 here", "{ chunk: 300, sampleRate: 1, routes: [{ path: '/**', sampleRate: 0 }] }"},
		{"an odd rate", "{ chunk: 300, sampleRate: 'all' }"},
		{"no bytes", "{ chunk: 300, maxSessionBytes: 0 }"},
	} {
		name, options := c[0], c[1]
		t.Run(name, func(t *testing.T) {
			browser.One(t, browser.Names()[i%3], func(t *testing.T, b *browser.Browser) {
				page, to, _ := visit(t, b, options)
				if name == "no bytes" { // it runs until it knows how large a chunk is
					page.Wait("!sending.active")
				}
				quiet(t, page, to)
				if strings.Contains(options, "consent") && string(page.Eval("sessionStorage.length")) != "0" {
					t.Error("something is stored")
				}
				page.Quiet()
			})
		})
	}
}

// Consent is asked for repeatedly, and may be given and withdrawn.
func TestConsentChanges(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to, _ := visit(t, b, "{ chunk: 400, consent: () => window.agreed === true }")
		quiet(t, page, to)
		page.Eval("void (window.agreed = true, sending.update())")
		to.wait(t, "a chunk after the consent", func(r *request) bool { return r.names()["work"] > 0 })
		page.Wait("sending.active")
		page.Eval("void (window.agreed = false)")
		page.Wait("!sending.active")
		page.Eval("sending.flush()") // requests that were on their way have come
		came := len(to.all())
		time.Sleep(time.Second)
		if n := len(to.all()); n > came {
			t.Errorf("%d requests after the consent was taken back", n-came)
		}
	})
}

func TestServerInTrouble(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		var tried [5]atomic.Int64
		to := &ingest{t: t, refuse: func(try int, w http.ResponseWriter) bool {
			tried[min(try, 4)].CompareAndSwap(0, time.Now().UnixMilli())
			switch try {
			case 1:
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusServiceUnavailable)
			case 2:
				w.WriteHeader(http.StatusTooManyRequests)
			case 4:
				w.WriteHeader(http.StatusForbidden)
			}
			return try <= 2 || try == 4
		}}
		server := browser.Serve(t, browser.Site{Files: files(t), Handler: to})
		page := b.Open(server.URL + "/index.html")
		page.Wait("window.ready")
		page.Eval("void begin({ chunk: 60000 })")
		records(page, 100)
		page.Eval("void sending.flush()")
		to.wait(t, "the chunk", func(r *request) bool { return r.Chunk == 0 && r.names()["work"] > 0 })
		if took := tried[2].Load() - tried[1].Load(); took < 990 { // timers may be a little early
			t.Errorf("it was sent again after %d ms, the server asked for a second", took)
		}
		// A request that the server forbids is not repeated, and the next chunk says so.
		records(page, 100)
		page.Eval("sending.flush()")
		records(page, 100)
		page.Eval("sending.flush()")
		next := to.wait(t, "a chunk with notes", func(r *request) bool { return len(r.Notes) > 0 })
		if len(next.Notes) != 1 || !strings.Contains(next.Notes[0], "403") {
			t.Errorf("the notes are %q", next.Notes)
		}
	})
}

func TestSizesAreCapped(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page, to, _ := visit(t, b, "{ chunk: 60000, sampleInterval: 10, maxBytes: 2500, maxQueue: 100 }")
		records(page, 200)
		page.Eval("sending.flush()")
		all := to.all()
		if len(all) < 2 {
			t.Fatalf("%d requests", len(all))
		}
		// A slow page has sent a chunk before.
		seen, parts, samples := map[[2]int]bool{}, map[int]int{}, 0
		for _, r := range all {
			parts[r.Chunk]++
		}
		for _, r := range all {
			if r.bytes > 2500 {
				t.Errorf("a request has %d bytes", r.bytes)
			}
			if r.Parts != parts[r.Chunk] || seen[[2]int{r.Chunk, r.Part}] {
				t.Errorf("chunk %d: part %d of %d, among %d", r.Chunk, r.Part, r.Parts, parts[r.Chunk])
			}
			seen[[2]int{r.Chunk, r.Part}] = true
			samples += r.names()["work"]
		}
		if samples == 0 {
			t.Error("no part has work")
		}
	})
}

// Another origin needs no preflight, and gets cookies only on request.
func TestAnotherOrigin(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		to := &ingest{t: t}
		elsewhere := browser.Serve(t, browser.Site{Files: files(t), Header: http.Header{"Access-Control-Allow-Origin": {"*"}}, Handler: to})
		page, _, _ := visit(t, b, "{ chunk: 300, url: '"+elsewhere.URL+"/profiles' }")
		r := to.wait(t, "a chunk", func(r *request) bool { return r.names()["work"] > 0 })
		if r.header.Get("Cookie") != "" || r.header.Get("Content-Encoding") != "" || !strings.HasPrefix(r.header.Get("Content-Type"), "text/plain") {
			t.Errorf("the headers are %v", r.header)
		}
		page.Eval("void setTimeout(() => { location.href = 'other.html' }, 1000)")
		page.Wait("document.title === 'another page'")
	})
}

// If the browser has a Profiler that the page may use, its traces are sent. It answers a
// task after it is stopped: in time for a page that is hidden, too late for one that goes
// (docs/sending.md).
func TestNativeProfiler(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		if b.Name != "chromium" {
			t.Skip("has none")
		}
		to := &ingest{t: t}
		server := browser.Serve(t, browser.Site{Files: files(t), Handler: to, Header: http.Header{"Document-Policy": {"js-profiling"}}})
		page := b.Open(server.URL + "/index.html")
		page.Wait("window.ready")
		page.Eval("void begin({ chunk: 400 })")
		to.wait(t, "a chunk", func(r *request) bool { return r.names()["work"] > 0 })
		works(page, 100)
		page.Eval("sending.stop()")
		for _, r := range to.all() {
			if len(r.Trace.Fieldprof) > 0 {
				t.Fatal("the trace is our own")
			}
		}
		page.Eval("void begin({})")
		page.Wait("sending.active")
		works(page, 100)
		before := len(to.all())
		page.Eval("void " + turn("hidden"))
		to.wait(t, "what the hidden page had", func(r *request) bool { return len(to.all()) > before && r.names()["work"] > 0 })
	})
}
