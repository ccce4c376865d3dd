package live

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// program works half of the time, for 5 ms at a time by its own clock: that is sampled
// however busy the machine is.
const program = `
function work() { var x = 0; for (var end = performance.now() + 5; performance.now() < end;) x += Math.sqrt(x + 1); return x }
var worked = 0;
function loop() { work(); worked++; setTimeout(loop, 5) }
loop();
`

const (
	head     = `<!doctype html><title>The page</title><script src="/__fieldprof/live.js" data-source="` + token + `"></script><script src="runtime.js"></script>`
	asSource = "\n;self.__fieldprofSource=\"" + token + "\";import(\"/__fieldprof/live.js\")"
)

func files(t *testing.T) fstest.MapFS {
	t.Helper()
	result, err := transform.Transform([]byte(program), transform.Options{File: "program.js", Goal: transform.Script, Selection: transform.Selection{Preset: transform.Precise}})
	if err != nil {
		t.Fatal(err)
	}
	site := fstest.MapFS{
		"index.html":   {Data: []byte(head + `<script src="program.js"></script>`)},
		"slow.html":    {Data: []byte(head + `<script src="program.js"></script><button id="slow" style="position: fixed; left: 50px; top: 80px; width: 100px; height: 40px" onclick="for (const end = performance.now() + 2000; performance.now() < end;) work(); this.textContent = 'done'">`)},
		"watched.html": {Data: []byte(strings.Replace(head, "<script", `<script>{ const { send } = WebSocket.prototype; WebSocket.prototype.send = function (text) { const { type, seq } = JSON.parse(text); if (type === 'batch') sessionStorage.setItem('sent', seq); return send.call(this, text); }; }</script><script`, 1) + `<script src="program.js"></script>`)},
		"other.html":   {Data: []byte("<!doctype html><title>another page</title>")},
		"overlay.html": {Data: []byte(`<!doctype html><title>The page</title><script>{ const { attachShadow } = Element.prototype; Element.prototype.attachShadow = function (how) { window.mode = how.mode; return window.root = attachShadow.call(this, how); } }</script>` + strings.Replace(head, "data-source", "data-overlay data-source", 1) + `<script src="program.js"></script><p>Some text.`)},
		"workers.html": {Data: []byte(`<!doctype html><script>new Worker("worker.js", { name: "one" }); for (let i = 0; i < 4; i++) new Worker("outer.js"); window.SharedWorker && new SharedWorker("shared.js", "all")</script>`)},
		"worker.js":    {Data: []byte("importScripts('runtime.js', 'program.js');" + asSource)},
		"outer.js":     {Data: []byte("new Worker('inner.js', { name: 'two', type: 'module' });")},
		"inner.js":     {Data: []byte("import './module.js'; import './program.js';" + asSource)},
		"shared.js":    {Data: []byte("importScripts('runtime.js', 'program.js');" + asSource)},
		"program.js":   {Data: result.Code},
	}
	for name, path := range map[string]string{"runtime.js": "", "module.js": "", "trace.js": "", "coordinator.js": "__fieldprof/", "live.js": "__fieldprof/"} {
		text, err := fs.ReadFile(runtime.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		site[path+name] = &fstest.MapFile{Data: text}
	}
	return site
}

// mayKeep lets browsers keep pages in the back/forward cache.
var mayKeep = http.Header{"Cache-Control": {"no-cache"}}

// eachWay runs a test in every browser, on pages that are isolated and on others.
func eachWay(t *testing.T, path string, test func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, isolated bool)) {
	content := files(t)
	browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
		s := newServer(t)
		url := browser.Serve(t, browser.Site{Files: content, Isolated: isolated, Handler: s, Header: mayKeep}).URL
		test(t, b, b.Open(url+path), s, url, isolated)
	})
}

func isPage(s *source) bool { return s.What == "page" }

func quiet(t *testing.T, page *browser.Page) {
	t.Helper()
	for _, said := range page.Errors() {
		// No script can prevent Firefox's own messages about a server that is away, or a policy.
		if strings.HasPrefix(said, "page error") && !strings.Contains(said, "/__fieldprof/source") && !strings.Contains(said, "Content-Security-Policy: ") {
			t.Errorf("the page said %q", said)
		}
	}
}

func TestPageStreams(t *testing.T) {
	eachWay(t, "/index.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, isolated bool) {
		page.Wait("worked")
		p := s.wait("a page", isPage)
		if p.Name != "The page" || p.URL != url+"/index.html" || p.After != "" || p.Recording != 0 {
			t.Errorf("it says %+v", p.Hello)
		}
		shared := isolated && b.Name != "webkit"
		if slices.Contains(p.Clocks, "shared") != shared || !slices.Contains(p.Clocks, "poll") {
			t.Errorf("the clocks are %q", p.Clocks)
		}
		shows := "[Object.keys(window).filter((key) => /fieldprof/.test(key)), sessionStorage.length, document.scripts.length, document.documentElement.children.length]"
		// WebKit's driver has a script of its own.
		if got := string(page.Eval(shows)); got != `[[],0,3,2]` && b.Name != "webkit" {
			t.Errorf("the page sees %s", got)
		}
		s.start(3, "")
		s.wait("work", works(50))
		page.Eval("(performance.mark('here', { detail: 'why' }), performance.measure('whole'), 0)")
		s.wait("marks", func(p *source) bool {
			return slices.ContainsFunc(p.batches, func(b *live.Batch) bool {
				return slices.ContainsFunc(b.Marks, func(m live.Mark) bool { return m.What == "mark" && m.Name == "here" && m.Detail == "why" })
			})
		})
		s.stop()
		s.wait("the end", (*source).ended)
		p.whole(t)
		if first := p.batches[0]; first.Profile != 3 || first.Began == nil || first.Began.Interval != 10 || (first.Began.Clock == "shared") != shared {
			t.Errorf("it began with %+v", first.Began)
		}
		// Another profile begins with records and stacks of its own.
		s.start(4, "poll")
		s.wait("more work", func(p *source) bool { return p.batches[len(p.batches)-1].Profile == 4 && works(20)(p) })
		s.stop()
		s.wait("the end", (*source).ended)
		p.whole(t)
		quiet(t, page)
	})
}

// Firefox hangs in about one of a hundred starts of a worker in a worker, so the page starts
// four of them, and any of these will do.
func TestWorkersStream(t *testing.T) {
	eachWay(t, "/workers.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, isolated bool) {
		s.start(1, "")
		names := []string{"worker.js (one)", "inner.js (two)"}
		if string(page.Eval("'SharedWorker' in window")) == "true" {
			names = append(names, "shared.js (all)")
		}
		for _, name := range names {
			w := s.wait(name, func(w *source) bool { return w.Name == name && works(20)(w) })
			if w.What != "worker" || !strings.HasPrefix(w.URL, url+"/") {
				t.Errorf("it says %+v", w.Hello)
			}
		}
		s.stop()
		for _, name := range names {
			s.wait("the end of "+name, func(w *source) bool { return w.Name == name && w.ended() }).whole(t)
		}
		quiet(t, page)
	})
}

// A slow click is a slow interaction where browsers time events, and a long task everywhere.
func TestSlowInteraction(t *testing.T) {
	eachWay(t, "/slow.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, _ bool) {
		s.wait("a page", isPage)
		s.start(3, "")
		s.wait("work", works(20))
		page.Click(100, 100)
		page.Wait("slow.textContent")
		timed := string(page.Eval("PerformanceObserver.supportedEntryTypes.includes('event')")) == "true"
		if timed == (b.Name == "webkit") {
			t.Errorf("events are timed: %v; docs/live.md says otherwise", timed)
		}
		// Ticks show less of the task than there was, and there are other long tasks on a busy machine.
		long := func(m *live.Mark) bool { return m != nil && m.Duration > 500_000 }
		at := s.wait("marks", func(p *source) bool {
			return long(p.mark("long-task")) && (!timed || long(p.mark("interaction")))
		})
		if m := at.mark("interaction"); timed && !strings.HasPrefix(m.Detail, "button#slow waited ") {
			t.Errorf("the interaction is %+v", *m)
		}
		quiet(t, page)
	})
}

// The page that follows records at once, and says whom it follows.
func TestReload(t *testing.T) {
	eachWay(t, "/index.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, _ bool) {
		s.wait("a page", isPage)
		s.start(3, "")
		first := s.wait("work", works(20))
		for range 2 {
			page.Eval("void setTimeout(() => location.reload())")
			next := s.wait("the next page", func(p *source) bool { return p.After == first.ID && works(20)(p) })
			if next.hellos != 1 || next.batches[0].Profile != 1 || next.Interval != 10 {
				t.Errorf("the next page says %+v", next.Hello)
			}
			s.wait("the first page's end", func(p *source) bool { return p == first && p.conn == nil })
			if len(first.closed) != 1 || first.closed[0].Code != 1000 && first.closed[0].Code != 1001 {
				t.Logf("the page before closed with %v", first.closed)
			}
			first = next
		}
		s.stop()
		s.wait("the end", func(p *source) bool { return p == first && p.ended() }).whole(t)
		quiet(t, page)
	})
}

// The last message of a page arrives, unless Firefox closes its socket by itself, which it does
// when a navigation begins: then everything from before that does.
func TestLastWords(t *testing.T) {
	eachWay(t, "/watched.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, _ bool) {
		s.wait("a page", isPage)
		s.start(3, "")
		p := s.wait("work", works(20))
		page.Eval("void setTimeout(() => { sessionStorage.setItem('stayed', sessionStorage.getItem('sent')); location.href = 'other.html' })")
		page.Wait("document.title === 'another page'")
		s.wait("nobody", func(p *source) bool { return p.conn == nil })
		number := func(name string) int64 {
			return must.Get(strconv.ParseInt(string(page.Eval("+sessionStorage.getItem('"+name+"')")), 10, 64))(t, name)
		}
		needed := number("sent")
		if b.Name == "firefox" && p.closed[0].Code == websocket.StatusGoingAway {
			needed = number("stayed")
		}
		if last := p.batches[len(p.batches)-1].Seq; last < needed || needed < 1 {
			t.Errorf("batch %d was sent last, %d came; it closed with %v", needed, last, p.closed)
		}
	})
}

// A connection is lost, before and after an acknowledgement, and the server is away for a while.
func TestLostConnection(t *testing.T) {
	eachWay(t, "/index.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, _ bool) {
		s.wait("a page", isPage)
		s.start(3, "")
		p := s.wait("work", works(20))
		s.change(func() { s.silent = true })
		n := len(p.batches)
		s.wait("batches that are not acknowledged", func(p *source) bool { return len(p.batches) >= n+3 })
		s.change(func() { s.away = true })
		s.cut()
		s.wait("nobody", func(p *source) bool { return p.conn == nil })
		page.Eval("void (window.from = worked)")
		page.Wait("worked > from + 200")
		s.change(func() { s.away, s.silent, s.run = false, false, s.run+1 })
		s.wait("the page again", func(p *source) bool { return p.hellos == 2 && p.Recording == 3 && len(p.batches) > n+6 })
		s.cut()
		s.wait("the page again", func(p *source) bool { return p.hellos == 3 })
		s.stop()
		s.wait("the end", (*source).ended)
		p.whole(t)
		quiet(t, page)
	})
}

// Under a policy without connections a page that is to be recorded is, and works; its
// coordinator comes from a file where workers from text are forbidden.
func TestPolicies(t *testing.T) {
	content := files(t)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		s := newServer(t)
		header := http.Header{"Content-Security-Policy": {"connect-src 'none'"}}
		page := b.Open(browser.Serve(t, browser.Site{Files: content, Handler: s, Header: header}).URL + "/other.html")
		page.Eval(`(sessionStorage.setItem('fieldprof.live', JSON.stringify({ id: '0123456789abcdef', interval: 10 })), setTimeout(() => { location.href = 'index.html' }), 0)`)
		page.Wait("__fieldprof.tape.sessions.length === 1 && worked > 100")
		s.change(func() {
			if len(s.sources) > 0 {
				t.Error("it is connected")
			}
		})
		s = newServer(t)
		s.start(3, "")
		header = http.Header{"Content-Security-Policy": {"worker-src 'self'"}}
		page = b.Open(browser.Serve(t, browser.Site{Files: content, Isolated: true, Handler: s, Header: header}).URL + "/index.html")
		shared := string(page.Eval("typeof SharedArrayBuffer")) != `"undefined"`
		p := s.wait("work", works(50))
		if polls := slices.ContainsFunc(p.notes(), func(note string) bool { return strings.HasPrefix(note, "clock: ") }); polls == shared {
			t.Errorf("its notes are %q", p.notes())
		}
		quiet(t, page)
	})
}

// A server that has forgotten everything begins another profile.
func TestForgetfulServer(t *testing.T) {
	eachWay(t, "/index.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, _ bool) {
		s.wait("a page", isPage)
		s.start(3, "")
		p := s.wait("work", works(20))
		s.stop()
		s.wait("the end", (*source).ended)
		acked := p.batches[len(p.batches)-1].Seq
		s.change(func() { s.sources = nil })
		s.cut()
		s.start(8, "")
		p = s.wait("work", works(20))
		// The first batch may be from before the first sample.
		first := slices.IndexFunc(p.batches, func(b *live.Batch) bool { return len(b.Records) > 0 })
		if p.batches[0].Seq != acked+1 || p.batches[0].Profile != 8 || p.batches[first].Records[0].ID != live.FirstID {
			t.Errorf("after batch %d it began with %+v, and the first record in %+v", acked, p.batches[0], p.batches[first])
		}
		quiet(t, page)
	})
}

// A page that comes back from the back/forward cache goes on; one that was not kept is a new one.
func TestBackForwardCache(t *testing.T) {
	eachWay(t, "/index.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, _ bool) {
		s.wait("a page", isPage)
		s.start(3, "")
		first := s.wait("work", works(20))
		page.Eval("void setTimeout(() => { sessionStorage.setItem('stayed', sessionStorage.getItem('sent')); location.href = 'other.html' })")
		page.Wait("document.title === 'another page'")
		s.wait("nobody", func(p *source) bool { return p == first && p.conn == nil })
		left := len(first.batches)
		page.Eval("void setTimeout(() => history.back())")
		page.Wait("window.worked")
		again := s.wait("the page again", func(p *source) bool {
			return p.conn != nil && works(20)(p) && (p != first || len(p.batches) > left+2)
		})
		if again != first && again.After != first.ID {
			t.Errorf("it says %+v", again.Hello)
		}
		t.Logf("%s keeps the page: %v", b.Name, again == first)
		s.stop()
		s.wait("the end", func(p *source) bool { return p == again && p.ended() }).whole(t)
		quiet(t, page)
	})
}

// The button starts and stops this page, and takes no room.
func TestOverlay(t *testing.T) {
	eachWay(t, "/overlay.html", func(t *testing.T, b *browser.Browser, page *browser.Page, s *server, url string, _ bool) {
		s.wait("a page", isPage)
		page.Wait("root.querySelector('button').style.opacity === '1'")
		if got := string(page.Eval("[mode, document.documentElement.scrollHeight <= innerHeight, root.querySelector('button').ariaLabel ?? root.querySelector('button').getAttribute('aria-label'), root.querySelector('a').href]")); got != `["closed",true,"Start the profile of this page, 0 samples","`+url+`/__fieldprof/"]` {
			t.Errorf("the button is %s", got)
		}
		var at struct{ X, Y int }
		where := "(({ x, y, width, height }) => ({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) }))(root.querySelector('button').getBoundingClientRect())"
		if err := json.Unmarshal(page.Eval(where), &at); err != nil {
			t.Fatal(err)
		}
		page.Click(at.X, at.Y)
		s.wait("work", works(20))
		page.Wait("/^Stop the profile of this page, [1-9]/.test(root.querySelector('button').getAttribute('aria-label'))")
		page.Eval("root.querySelector('button').click()") // as a key does
		s.wait("the end", (*source).ended).whole(t)
		page.Wait("/^Start/.test(root.querySelector('button').getAttribute('aria-label'))")
		quiet(t, page)
	})
}
