package npm

import (
	"net/http"
	"os"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

// instrumentsItself is a page that instruments a script and runs what comes out.
const instrumentsItself = `<!doctype html>
<script type="importmap">
{ "imports": {
  "fieldprof": "./node_modules/fieldprof/dist/browser.js",
  "fieldprof-wasm": "./node_modules/fieldprof-wasm/dist/browser.js"
} }
</script>
<script type="module">
import { FieldprofError, start } from 'fieldprof';
try {
  const service = await start();
  const source = 'globalThis.sum = 0;\nfunction work(list) { for (const f of list) sum += f(); return sum }\nwork([() => 20, () => 22]);\n';
  const { files } = await service.instrument([{ path: 'app.js', contents: new TextEncoder().encode(source) }], { preset: 'precise' });
  const text = new TextDecoder().decode(files.find(({ path }) => path === 'app.js').contents);
  (0, eval)(text);
  const wrong = await service.salt({ presett: 1 }).catch((error) => error instanceof FieldprofError && error.option);
  await service.stop();
  const later = await service.salt().catch((error) => error.message);
  window.result = { version: service.version, checked: text.includes('__fieldprof'), longer: text.length > source.length, sum, wrong, later };
} catch (error) {
  window.result = { error: String(error) };
}
</script>
`

// The client runs in pages, under a policy that allows WebAssembly and itself.
func TestBrowsers(t *testing.T) {
	folder := packages.Install(t, []string{"--omit=optional"}, "fieldprof", "fieldprof-wasm")
	must.Write(t, folder, "index.html", instrumentsItself)
	policy := http.Header{"Content-Security-Policy": {"default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'"}}
	site := browser.Serve(t, browser.Site{Files: os.DirFS(folder), Header: policy})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := b.Open(site.URL + "/index.html")
		got := must.JSON[struct {
			Version, Error, Wrong, Later string
			Checked, Longer              bool
			Sum                          int
		}](t, page.Wait("window.result"))
		if got.Error != "" || got.Version != release.Version || !got.Checked || !got.Longer || got.Sum != 42 || got.Wrong != "presett" || got.Later != "the fieldprof service was stopped" {
			t.Errorf("%+v", got)
		}
		page.Quiet()
	})
}
