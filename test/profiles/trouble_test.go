package profiles

import (
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

// without copies a site, with some files replaced or, where nil, missing.
func without(t *testing.T, site fs.FS, replaced map[string][]byte) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	must.Do(t, fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(site, name)
		files[name] = &fstest.MapFile{Data: text}
		return err
	}))
	for name, text := range replaced {
		if delete(files, name); text != nil {
			files[name] = &fstest.MapFile{Data: text}
		}
	}
	return files
}

// In any trouble the page works, there are samples of its
// functions, and the trace says what was lost. The browsers take turns, or with
// FIELDPROF_FULL=1 have all of it.
func TestTrouble(t *testing.T) {
	site := instrument(t, "shares", transform.Balanced)
	policy := func(value string) http.Header { return http.Header{"Content-Security-Policy": {value}} }
	other := must.Get(fs.ReadFile(instrument(t, "idle", transform.Balanced), "app.js.functions.json"))(t)
	for i, c := range []struct {
		name   string
		files  fs.FS
		header http.Header
		clock  string // where memory can be shared
		lost   string // the loss that the trace must name
	}{
		{"nothing wrong", site, nil, "shared", ""},
		{"no blobs", site, policy("worker-src 'self'"), "shared", ""},
		{"no table", without(t, site, map[string][]byte{"app.js.functions.json": nil}), nil, "shared", "app.js"},
		{"no requests", site, policy("connect-src 'none'"), "shared", "app.js"},
		{"no workers", site, policy("worker-src 'none'"), "poll", "worker"},
		{"another file's table", without(t, site, map[string][]byte{"app.js.functions.json": other}), nil, "shared", "app.js"},
		{"a broken table", without(t, site, map[string][]byte{"app.js.functions.json": []byte(`{"version":1,"functions":[1e99,-5`)}), nil, "shared", "app.js"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := browser.Serve(t, browser.Site{Files: c.files, Isolated: true, Header: c.header})
			browser.One(t, browser.Names()[i%3], func(t *testing.T, b *browser.Browser) {
				s := profilePage(t, b.Open(server.URL+"/index.html"), "auto", "work(400)")
				for end := time.Now().Add(must.Hang); (!has(s.captures(), "six") || s.says("not loaded in time")) && time.Now().Before(end); {
					s = profilePage(t, b.Open(server.URL+"/index.html"), "auto", "work(400)") // the machine was busy
				}
				clock := c.clock
				if b.Name == "webkit" {
					clock = "poll"
				}
				if got := s.Trace.Fieldprof.Clock; got != clock {
					t.Errorf("the clock is %s, want %s; lost %q", got, clock, s.Trace.Fieldprof.Lost)
				}
				lost := c.lost
				if b.Name == "webkit" && lost == "worker" {
					lost = "shared" // without shared memory none is started
				}
				if lost != "" && !s.says(lost) {
					t.Errorf("nothing lost speaks of %q: %q", lost, s.Trace.Fieldprof.Lost)
				}
				if lost == "" && b.Name != "webkit" && len(s.Trace.Fieldprof.Lost) > 0 {
					t.Errorf("lost %q", s.Trace.Fieldprof.Lost)
				}
				if count := s.captures(); !has(count, "six") {
					t.Errorf("samples are %v", count)
				}
			})
		})
	}
}

// A frame with an origin of its own may fetch little; its page must work.
func TestSandboxedFrame(t *testing.T) {
	site := without(t, instrument(t, "shares", transform.Balanced), map[string][]byte{
		"outer.html": []byte(`<!doctype html><script>onmessage = (event) => { result = event.data }</script><iframe sandbox="allow-scripts" src="inner.html"></iframe>`),
		"inner.html": []byte(`<!doctype html><script src="fieldprof/runtime.js"></script><script src="app.js"></script><script>
			(async () => {
				let trace, value;
				try {
					fieldprof.install({ prefer: 'polyfill', base: 1 });
					const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 1000 });
					value = work(200);
					trace = await profiler.stop();
				} catch (error) { trace = String(error) }
				parent.postMessage(JSON.stringify({ worked: value > 0, samples: trace.samples && trace.samples.length, lost: trace.fieldprof && trace.fieldprof.lost, trace: typeof trace }), '*');
			})();
		</script>`),
	})
	server := browser.Serve(t, browser.Site{Files: site})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		said := must.JSON[string](t, b.Open(server.URL+"/outer.html").Wait("window.result"))
		// No module loads there without CORS, so nothing can read the stacks.
		if want := `{"worked":true,"samples":0,"lost":["samples: no trace.js"],"trace":"object"}`; said != want {
			t.Errorf("the frame says %s, want %s", said, want)
		}
	})
}

// A worker that dies, a page that is frozen for ten minutes and a clock that is
// put back: sampling goes on, and makes nothing up.
func TestProfileSurvives(t *testing.T) {
	files := without(t, instrument(t, "shares", transform.Balanced), map[string][]byte{
		"index.html": []byte(`<!doctype html><script>
			// Before the runtime: a clock that can be moved, and workers that can be killed.
			let moved = 0;
			const workers = [], spoke = [];
			performance.now = ((now) => () => now.call(performance) + moved)(performance.now);
			globalThis.Worker = class extends Worker { constructor(...of) {
				super(...of);
				workers.push(this);
				spoke.push(new Promise((done) => this.addEventListener('message', done, { once: true })));
			} };
		</script><script src="fieldprof/runtime.js"></script><script src="app.js"></script>`),
	})
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, isolated bool) {
		page := b.Open(url)
		if clockOf(b, isolated) == "shared" {
			page.Eval(`globalThis.killable = true`)
		}
		value := page.Eval(`(async () => {
			const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
			const workSome = () => { for (let i = 0; i < 25; i++) for (const end = performance.now() + 20; performance.now() < end; ) round(1000) };
			const began = performance.now();
			fieldprof.install({ prefer: 'polyfill', base: 1 });
			const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 1e5 });
			const first = new Profiler({ sampleInterval: 1, maxBufferSize: 1e5 });
			while (globalThis.killable && !spoke.length) await sleep(10); // trace.js comes later and starts it
			await Promise.all(spoke); // one that never ran cannot die
			await sleep(400);
			workers.forEach((worker) => worker.terminate());
			for (let i = 0; i < 12; i++) { round(1000); await sleep(400); }
			await sleep(50);
			moved += 600000;
			await sleep(700);
			const later = performance.now();
			workSome();
			await sleep(50);
			const before = await first.stop();
			moved -= 3600000;
			workSome();
			const elapsed = performance.now() - began - moved;
			const trace = await profiler.stop();
			const own = ({ timestamp, stackId }) => stackId !== undefined && timestamp;
			return { clock: trace.fieldprof.clock, lost: trace.fieldprof.lost, missed: trace.fieldprof.account.missed, samples: trace.samples.length, elapsed, workers: workers.length,
				later: trace.samples.filter((s) => own(s) >= later).length, back: trace.samples.filter(own).length - before.samples.filter(own).length };
		})()`)
		got := must.JSON[struct {
			Clock                                 string
			Lost                                  []string
			Missed, Samples, Elapsed, Later, Back float64
		}](t, value)
		t.Logf("%s", value)
		// Each of 25 pieces of work lasts twenty intervals by the page's clock, however
		// long it takes.
		if got.Later < 20 || got.Back < 20 {
			t.Errorf("after a freeze %.0f samples of 25 pieces of work, after the clock went back %.0f", got.Later, got.Back)
		}
		if got.Samples > 2*got.Elapsed+1000 {
			t.Errorf("%.0f samples in %.0f ms and ten minutes that were not", got.Samples, got.Elapsed)
		}
		if clockOf(b, isolated) == "shared" {
			if got.Clock != "poll" || !strings.Contains(strings.Join(got.Lost, "; "), "worker") {
				t.Errorf("its worker was killed, and the clock is %s; lost %q", got.Clock, got.Lost)
			}
		}
	})
}
