package conformance

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// spinning is the script of pages that profile themselves. Their result says whether
// the trace has samples and the frame of spin, and names the losses. A machine that is busy
// elsewhere may leave a trace without samples, so the page tries again.
const spinning = `function spin(ms) { for (const end = performance.now() + ms; performance.now() < end; ); }
async function profiled() {
	for (let tries = 1; ; tries++) {
		const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1000 });
		spin(250);
		const trace = await profiler.stop();
		const found = { ours: "fieldprof" in trace, samples: trace.samples.length > 0, spins: trace.frames.some((f) => f.name === "spin"), lost: trace.fieldprof ? trace.fieldprof.lost.join() : "" };
		if (found.spins || found.lost || tries === 40) return found;
	}
}`

const (
	oursWhole   = `{"ours":true,"samples":true,"spins":true,`
	nativeWhole = `{"ours":false,"samples":true,"spins":true,`
)

// deploy instruments a site of one page and one script.
func deploy(t *testing.T, page string, options runtime.Options) string {
	t.Helper()
	in := t.TempDir()
	must.WriteTree(t, in, map[string]string{"index.html": page, "spin.js": spinning})
	return browser.Instrument(t, builddir.Options{Input: in, Selection: transform.Selection{Preset: transform.Precise}, Runtime: options})
}

// Whose Profiler a page gets, whatever the page and its server are like. Firefox and WebKit take
// turns, or with FIELDPROF_FULL=1 have all.
func TestInstall(t *testing.T) {
	const start = `profiled().then((found) => (result = found))`
	const page = `<!doctype html><script src="spin.js"></script><script>` + start + `</script>`
	const asking = `<!doctype html><script src="spin.js"></script><script>profiled().catch((error) => error.name).then((found) => (result = found))</script>`
	policy := http.Header{"Document-Policy": {"js-profiling"}}
	for i, c := range []struct {
		name    string
		page    string
		options runtime.Options
		header  http.Header
		// want is how the result begins, in Chromium and in browsers without a
		// Profiler of their own.
		chromium, others string
	}{
		{"native", page, runtime.Options{}, policy, nativeWhole, oursWhole},
		{"native refused", page, runtime.Options{}, nil, oursWhole, oursWhole},
		{"polyfill", page, runtime.Options{Prefer: "polyfill"}, policy, oursWhole, oursWhole},
		{"polling", page, runtime.Options{Prefer: "polyfill", Clock: "poll"}, policy, oursWhole, oursWhole},
		{"obeyed", asking, runtime.Options{ObeyPolicy: true}, nil, `"NotAllowedError"`, oursWhole},
		{"obeyed by the polyfill", asking, runtime.Options{Prefer: "polyfill", ObeyPolicy: true}, nil, `"NotAllowedError"`, oursWhole},
		{"obeyed, and allowed", asking, runtime.Options{ObeyPolicy: true}, policy, nativeWhole, oursWhole},
		{"obeyed by the polyfill, and allowed", asking, runtime.Options{Prefer: "polyfill", ObeyPolicy: true}, policy, oursWhole, oursWhole},
		{"finer intervals", `<!doctype html><script src="spin.js"></script><script>
			const intervals = () => [1, 2.5, 10].map((sampleInterval) => { const p = new Profiler({ sampleInterval, maxBufferSize: 1 }); p.stop(); return p.sampleInterval; });
			const deployed = intervals(); fieldprof.install({ prefer: "polyfill", base: 5 }); result = [deployed, intervals()];</script>`,
			runtime.Options{Prefer: "polyfill", Base: 1}, nil, `[[1,3,10],[5,5,10]]`, `[[1,3,10],[5,5,10]]`},
		{"nonce", `<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'nonce-abc'"><script nonce="abc" src="spin.js"></script>` +
			`<script nonce="abc">profiled().then((found) => (result = found))</script>`, runtime.Options{Prefer: "polyfill"}, nil, oursWhole, oursWhole},
		{"strict-dynamic with hashes", `<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'strict-dynamic' '` + browser.Hash(spinning) + `' '` + browser.Hash(start) + `'">` +
			`<script src="spin.js" integrity="` + browser.Hash(spinning) + `"></script><script>` + start + `</script>`, runtime.Options{Prefer: "polyfill"}, nil, oursWhole, oursWhole},
		{"frozen", `<!doctype html><script>Object.freeze(Error);Object.freeze(Object.prototype);Object.freeze(EventTarget.prototype)</script>` + page[len(`<!doctype html>`):],
			runtime.Options{Prefer: "polyfill"}, nil, oursWhole, oursWhole},
		{"replaced", `<!doctype html><script>fieldprof = 5; Error = class {}; setTimeout = () => {}; Date.now = () => 0; performance.now = ((now) => () => now.call(performance))(performance.now)</script>` +
			`<script src="spin.js"></script><script>(async () => { result = await profiled() })()</script>`,
			runtime.Options{Prefer: "polyfill"}, nil, `{"ours":true,"samples":true,`, `{"ours":true,"samples":true,`},
		{"no EventTarget", `<!doctype html><script>delete globalThis.Profiler; EventTarget = 5</script><script src="spin.js"></script><script>result = typeof Profiler + typeof __fieldprof</script>`,
			runtime.Options{}, nil, `"undefinedobject"`, `"undefinedobject"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := browser.Serve(t, browser.Site{Files: os.DirFS(deploy(t, c.page, c.options)), Header: c.header})
			browser.Every(t, func(t *testing.T, b *browser.Browser) {
				want := c.others
				if b.Name == "chromium" {
					want = c.chromium
				} else if b.Name != browser.Names()[1+i%2] && os.Getenv("FIELDPROF_FULL") == "" {
					return
				}
				p := b.Open(site.URL + "/index.html")
				if got := string(p.Wait("window.result")); len(got) < len(want) || got[:len(want)] != want {
					t.Errorf("the result is %s, want %s…", got, want)
				}
				p.Quiet()
			})
		})
	}
}

// A worker from a string runs whatever the page's policy refuses.
func TestWrappedWorkerMayNotLoadTheRuntime(t *testing.T) {
	const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'nonce-abc'; worker-src blob:"><script nonce="abc" src="spin.js"></script>` +
		`<script nonce="abc">new Worker(URL.createObjectURL(new Blob(["postMessage('ran')"]))).onmessage = ({ data }) => (result = data)</script>`
	site := browser.Serve(t, browser.Site{Files: os.DirFS(deploy(t, page, runtime.Options{WrapWorkers: true}))})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		if got := string(b.Open(site.URL + "/index.html").Wait("window.result")); got != `"ran"` {
			t.Errorf("the result is %s", got)
		}
	})
}

// A page that lacks trace.js, or may not load it, still has traces, which
// say what they lack.
func TestTraceCannotBeLoaded(t *testing.T) {
	dir := deploy(t, `<!doctype html><script src="spin.js"></script><script>profiled().then((found) => (result = found))</script>`, runtime.Options{Prefer: "polyfill"})
	must.Do(t, os.Remove(filepath.Join(dir, "fieldprof/trace.js")))
	site := browser.Serve(t, browser.Site{Files: os.DirFS(dir)})
	const want = `{"ours":true,"samples":false,"spins":false,"lost":"samples: no trace.js"}`
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		if got := string(b.Open(site.URL + "/index.html").Wait("window.result")); got != want {
			t.Errorf("the result is %s, want %s", got, want)
		}
	})
}
