package profiles

import (
	"net/url"
	"path"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

// A page that does not profile starts nothing, fetches nothing and sets no
// timer; nor does one whose profile has ended.
func TestNothingWithoutAProfile(t *testing.T) {
	files := without(t, instrument(t, "shares", transform.Balanced), map[string][]byte{
		"index.html": []byte(`<!doctype html><script>
			// Before the runtime: anything that starts is counted.
			const started = [];
			const sleep = ((timeout) => (ms) => new Promise((done) => timeout(done, ms)))(setTimeout);
			for (const name of ['setTimeout', 'setInterval', 'requestIdleCallback', 'requestAnimationFrame', 'fetch', 'Worker', 'MessageChannel']) {
				const own = globalThis[name];
				if (own) globalThis[name] = new Proxy(own, {
					apply(target, self, values) { started.push(name); return Reflect.apply(target, self, values) },
					construct(target, values) { started.push(name); return Reflect.construct(target, values) },
				});
			}
			const soFar = () => started.splice(0);
		</script><script src="fieldprof/runtime.js"></script><script src="app.js"></script>`),
	})
	eachWay(t, files, nil, func(t *testing.T, b *browser.Browser, url string, _ bool) {
		page := b.Open(url)
		value := page.Eval(`(async () => {
			work(100);
			await sleep(600);
			const before = soFar();
			const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
			fieldprof.install({ prefer: 'polyfill' });
			const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1000 });
			work(100);
			await profiler.stop();
			do await sleep(1000);
			while (soFar().length > 0); // requests that the profile had under way come to their end
			const flag = __fieldprof.flag[0];
			work(50);
			await sleep(1500);
			const after = soFar();
			return { before, after, loaded, flag };
		})()`)
		got := must.JSON[struct {
			Before, After, Loaded []string
			Flag                  int
		}](t, value)
		if b.Name == "webkit" { // its driver waits by timers of the page
			timer := func(name string) bool { return name == "setTimeout" }
			got.Before, got.After = slices.DeleteFunc(got.Before, timer), slices.DeleteFunc(got.After, timer)
		}
		if len(got.Before) > 0 {
			t.Errorf("without a profile the page started %q", got.Before)
		}
		if len(got.After) > 0 || got.Flag != 0 {
			t.Errorf("after a profile the page started %q; the flag is %d", got.After, got.Flag)
		}
		var names []string
		for _, loaded := range got.Loaded {
			names = append(names, baseOf(loaded))
		}
		slices.Sort(names)
		if names = slices.DeleteFunc(names, func(n string) bool { return n == "favicon.ico" || n == ".collector.js" }); !slices.Equal(names, []string{"app.js", "runtime.js"}) {
			t.Errorf("without a profile the page loaded %q", names)
		}
	})
}

func baseOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return address
	}
	return path.Base(parsed.Path)
}
