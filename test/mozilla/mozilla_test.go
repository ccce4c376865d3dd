// Package mozilla holds Mozilla's Profiler in browsers to the scripts that goja
// and Node also pass.
package mozilla

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

const corpus = "../../runtime/testdata/mozilla"

// A page runs the script twice: at first only to let Profiler know which
// function table to load, since nothing in the script waits for one.
const page = `<!doctype html>
<script src="harness.js"></script>
<script type="module">
import { Profiler } from './mozilla.js';
Object.defineProperty(globalThis, 'Profiler', { value: Profiler, writable: true, configurable: true });
let failure;
addEventListener('error', (event) => { failure = event.message; event.preventDefault(); });
const run = () => new Promise((done) => {
	failure = '';
	const script = Object.assign(document.createElement('script'), { src: 'script.js' });
	script.onload = () => done(failure);
	document.head.append(script);
});
await run();
await Profiler.load();
window.result = await run() || 'passed';
</script>
`

func site(t *testing.T, name string) fs.FS {
	t.Helper()
	read := func(path string) []byte {
		return must.Get(os.ReadFile(filepath.Join(corpus, path)))(t)
	}
	// In a block, since a page runs it twice.
	source := append(append([]byte("(() => {"), read(name)...), "})();"...)
	result, err := transform.Transform(source, transform.Options{File: "script.js", Selection: transform.Selection{Preset: transform.Precise}, Goal: transform.Script})
	if err != nil || len(result.Warnings) > 0 {
		t.Fatal(err, result.Warnings)
	}
	table := must.Get(result.Table.Encode())(t)
	module := must.Get(fs.ReadFile(runtime.Files(), "mozilla.js"))(t)
	files := fstest.MapFS{}
	for name, text := range map[string][]byte{
		"index.html": []byte(page), "harness.js": read("harness.js"), "mozilla.js": module,
		"script.js": result.Code, "script.js.functions.json": table,
	} {
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

func TestCorpus(t *testing.T) {
	for _, name := range []string{"api.js", "frame.js", "sampling.js", "events.js", "statistics.js"} {
		t.Run(name, func(t *testing.T) {
			files := site(t, name)
			browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
				page := b.Open(browser.Serve(t, browser.Site{Files: files, Isolated: isolated}).URL + "/index.html")
				if got := string(page.Wait("window.result")); got != `"passed"` {
					t.Error(got)
				}
			})
		})
	}
}
