package send

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
)

const canary = "cAnArY"

// canaryPage has the canary in its URL and in the URLs of scripts of every kind, which all
// call instrumented code.
const canaryPage = `<!doctype html>
<script src="runtime.js?key=cAnArY"></script>
<script src="program.js?key=cAnArY#cAnArY"></script>
<script>
function inline() { work(); setTimeout(inline, 20) }
inline();
const text = (name) => 'function ' + name + '() { work(); setTimeout(' + name + ', 20) } ' + name + '() // cAnArY';
const add = (src) => document.head.append(Object.assign(document.createElement('script'), { src }));
add(URL.createObjectURL(new Blob([text('blobbed')], { type: 'text/javascript' })));
add('data:text/javascript,' + text('carried'));
add('third.js?token=cAnArY');
(0, eval)(text('named') + '\n//# sourceURL=https://u:cAnArY@a.example/x.js?cAnArY');
const keyed = { ['https://a.example/?token=cAnArY cAnArY']() { work() } };
setInterval(() => Object.values(keyed)[0](), 20);
</script>
<script type="module">
import { install } from './performance.js';
import { Profiler as Mozilla } from './mozilla.js';
import { send } from './send.js';
window.begin = (options) => { window.sending = send({ url: '/profiles', chunk: 400, ...options }) };
const pause = () => new Promise((done) => setTimeout(done, 300));
const until = async (make) => {
  for (let i = 0; i < 20; i++) {
    const made = JSON.stringify(await make());
    if (made.includes('"work"') || made.includes('"work @')) return made;
  }
  return 'no sample';
};
// All that a page can get from us, as JSON.
window.results = async () => {
  const { record, raw, cpuprofile } = await fieldprof.loadParts();
  install();
  const all = {};
  all.trace = await until(async () => { const p = new fieldprof.Profiler({ sampleInterval: 10, maxBufferSize: 1000 }); await pause(); return p.stop() });
  all.proposal = await until(async () => { const p = await performance.profile({ sampleInterval: 10, maxBufferSize: 1000, categories: ['js'] }); await pause(); return p.stop() });
  const recorded = (make) => until(async () => { const r = record({ interval: 10, limit: 1000 }); await pause(); r.stop(); return make(r) });
  all.raw = await recorded(raw);
  all.cpuprofile = await recorded(cpuprofile);
  const mozilla = async (make) => until(async () => { const p = new Mozilla(); p.start(10000); await pause(); p.stop(); await Mozilla.load(); return make(p) });
  all.results = await mozilla((p) => p.results());
  all.samples = await mozilla((p) => p.samples());
  return all;
};
window.ready = true;
</script>
`

// wire records what our code sends: envelopes, and requests for tables.
type wire struct {
	*ingest
	table []byte
	mu    sync.Mutex
	sent  []string
}

func (w *wire) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	isTable := strings.HasSuffix(r.URL.Path, ".functions.json")
	if isTable || r.URL.Path == "/profiles" {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.mu.Lock()
		w.sent = append(w.sent, fmt.Sprintf("%s %s referrer %q", r.Method, r.URL, r.Referer()))
		w.mu.Unlock()
	}
	if isTable && r.URL.Path == "/program.js.functions.json" {
		out.Write(w.table)
		return
	}
	if r.URL.Path == "/third.js" {
		out.Header().Set("Content-Type", "text/javascript")
		io.WriteString(out, "function third() { work(); setTimeout(third, 20) } third()")
		return
	}
	w.ingest.ServeHTTP(out, r)
}

func canarySite(t *testing.T) (fs.FS, []byte) {
	t.Helper()
	site := files(t).(fstest.MapFS)
	table := site["program.js.functions.json"].Data
	delete(site, "program.js.functions.json")
	site["secret.html"] = &fstest.MapFile{Data: []byte(canaryPage)}
	for _, name := range []string{"performance.js", "mozilla.js"} {
		site[name] = &fstest.MapFile{Data: must.Get(fs.ReadFile(runtime.Files(), name))(t)}
	}
	return site, table
}

// A secret in the URLs of a page and its scripts neither leaves the page nor reaches it
// through us.
func TestNoSecretLeavesThePage(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		site, table := canarySite(t)
		to := &wire{ingest: &ingest{t: t, keepsText: true}, table: table}
		server := browser.Serve(t, browser.Site{Files: site, Handler: to})
		page := b.Open(server.URL + "/secret.html?token=" + canary + "#" + canary)
		page.Wait("window.ready")
		page.Eval("void results().then((all) => (window.all = all))")
		all := string(page.Wait("window.all"))
		for _, what := range []string{"no sample", canary} {
			if at := strings.Index(all, what); at >= 0 {
				t.Errorf("the page gets: %s", all[max(0, at-300):min(len(all), at+100)])
			}
		}
		page.Eval("void begin()")
		chunk := to.wait(t, "a chunk", func(r *request) bool { return r.Chunk > 0 && r.names()["work"] > 0 })
		if chunk.Page != server.URL+"/secret.html" {
			t.Errorf("the page is %s", chunk.Page)
		}
		page.Eval("void setTimeout(() => { location.href = 'other.html' })")
		page.Wait("document.title === 'another page'")
		to.check(t)
	})
}

// check fails if anything received contains the canary.
func (w *wire) check(t *testing.T) {
	t.Helper()
	for _, r := range w.all() {
		if at := strings.Index(r.text, canary); at >= 0 {
			t.Errorf("chunk %d holds %s", r.Chunk, r.text[max(0, at-200):min(len(r.text), at+50)])
		}
	}
	if len(w.tables()) == 0 {
		t.Error("no table was asked for")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.sent {
		if strings.Contains(line, canary) {
			t.Errorf("there was the request %s", line)
		}
	}
}

// tables are the requests for tables.
func (w *wire) tables() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var asked []string
	for _, line := range w.sent {
		if strings.Contains(line, ".functions.json") {
			asked = append(asked, line)
		}
	}
	return asked
}

// Nor does a slice name what a page has in the ids of its elements and its own marks.
func TestNoSecretInSlices(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		site := slowSite(t).(fstest.MapFS)
		delete(site, "slow.js.functions.json") // to is asked for it
		to := &wire{ingest: &ingest{t: t, keepsText: true}}
		server := browser.Serve(t, browser.Site{Files: site, Handler: to})
		page := b.Open(server.URL + "/slow.html?token=" + canary + "#" + canary)
		page.Wait("window.ready")
		page.Eval("document.querySelector('button').id = '/save?token=" + canary + "'")
		page.Eval("void begin({ slices: " + many + " })")
		page.Wait("__fieldprof.tape.sessions.length === 2 && __fieldprof.tape.read")
		page.Click(100, 100)
		page.Wait("seen.includes('interaction click')")
		page.Eval("void setTimeout(() => { location.href = 'other.html' })")
		page.Wait("document.title === 'another page'")
		got := to.wait(t, "the slice of the click", isClick)
		if target := got.marks()[0].Target; target != "" && target != "button" && !strings.HasPrefix(target, "button#") {
			t.Errorf("the target is %q", target)
		}
		to.check(t)
	})
}

// The browser's own Profiler returns URLs with their query: they are cleaned as well.
func TestNoSecretInTheBrowsersOwn(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		if b.Name != "chromium" {
			t.Skip("has none")
		}
		site, table := canarySite(t)
		to := &wire{ingest: &ingest{t: t, keepsText: true}, table: table}
		server := browser.Serve(t, browser.Site{Files: site, Handler: to, Header: http.Header{"Document-Policy": {"js-profiling"}}})
		page := b.Open(server.URL + "/secret.html?token=" + canary + "#" + canary)
		page.Wait("window.ready")
		page.Eval("void begin()")
		chunk := to.wait(t, "a chunk", func(r *request) bool { return r.names()["work"] > 0 })
		if len(chunk.Trace.Fieldprof) > 0 {
			t.Fatal("the trace is our own")
		}
		for _, r := range to.all() {
			if strings.Contains(r.text, canary) {
				t.Errorf("chunk %d holds it: %.2000s", r.Chunk, r.text)
			}
		}
	})
}
