package runtime

import (
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// A trace shows the scripts that the page may see, like Chromium's, and no others; functions
// that those call stay.
func TestOriginsOfScripts(t *testing.T) {
	script := func(name string) *fstest.MapFile {
		return &fstest.MapFile{Data: fmt.Appendf(nil, "function %s() { work(); } %[1]s();", name)}
	}
	asked := &requests{}
	plain := browser.Serve(t, browser.Site{Handler: asked, Files: fstest.MapFS{"opaque.js": script("opaque")}})
	cors := browser.Serve(t, browser.Site{
		Header: http.Header{"access-control-allow-origin": {"*"}},
		Files: fstest.MapFS{"shared.js": script("shared"), "unasked.js": script("unasked"),
			"module.js": script("module"), "imported.js": script("imported")},
	})
	var files fs.FS = os.DirFS(instrument(t, "origins"))
	site := browser.Serve(t, browser.Site{
		Files: files, Header: http.Header{"document-policy": {"js-profiling"}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/redirect" {
				http.NotFound(w, r)
				return
			}
			http.Redirect(w, r, plain.URL+"/opaque.js?redirected", http.StatusFound)
		}),
	})
	want := map[string]bool{"work": true, "inSame": true, "shared": true, "module": true, "imported": true,
		"inBlob": true, "inData": true, "inNamed": true}
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		wantNative, wanted := map[string]bool{}, maps.Clone(want)
		if b.Name == "chromium" {
			wantNative = want
		}
		if b.Name == "webkit" { // it names no evaluated code, and gives no evidence of CORS
			delete(wanted, "inNamed")
			delete(wanted, "imported")
		}
		native, ours := profiled(wantNative, wanted, func(native, ours map[string]bool) {
			profileOrigins(t, b, site.URL+"/index.html?plain="+url.QueryEscape(plain.URL)+"&cors="+url.QueryEscape(cors.URL), native, ours)
		})
		delete(native, "inFrame") // the specification leaves it out, as we do
		compare(t, "the Profiler", native, wantNative)
		compare(t, "our trace", ours, wanted)
	})
	if len(asked.paths) > 0 {
		t.Errorf("the origin of an uninstrumented script was asked for %q", asked.paths)
	}
}

// profileOrigins loads the page, and adds the page's functions that either Profiler shows.
func profileOrigins(t *testing.T, b *browser.Browser, url string, native, ours map[string]bool) {
	t.Helper()
	value := b.Open(url).Eval(`(async () => {
		await ran;
		const trace = await ours.trace(recording.session);
		const raw = ours.raw(recording);
		return { ours: trace, native: window.native && await native.stop(), raw: raw.strings };
	})()`)
	got := must.JSON[struct {
		Ours, Native *trace
		Raw          []string
	}](t, value)
	// The engines' stacks had the others.
	for _, name := range []string{"opaque", "unasked", "inFrame"} {
		if !strings.Contains(strings.Join(got.Raw, "\n"), name) {
			t.Errorf("%s is on no stack at all", name)
		}
	}
	maps.Copy(ours, names(got.Ours))
	if got.Native != nil {
		maps.Copy(native, names(got.Native))
	}
	t.Log(got.Ours.Fieldprof.Lost)
}

// requests records requests for missing files.
type requests struct{ paths []string }

func (r *requests) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.paths = append(r.paths, request.URL.Path)
	http.NotFound(w, request)
}

// names are the functions of the page itself.
func names(tr *trace) map[string]bool {
	found := map[string]bool{}
	for _, f := range tr.Frames {
		if f.ResourceID == nil || f.Name == "" {
			continue
		}
		resource := tr.Resources[*f.ResourceID]
		if strings.Contains(resource, "/fieldprof/") || strings.HasSuffix(resource, "/start.js") || strings.HasPrefix(resource, "pptr:") {
			continue
		}
		found[f.Name] = true
	}
	return found
}
