package browser

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestMain(m *testing.M) { Main(m) }

func page(html string) fstest.MapFS {
	return fstest.MapFS{"index.html": {Data: []byte(html)}}
}

func TestPageIsEvaluated(t *testing.T) {
	site := Serve(t, Site{Files: page(`<!doctype html><script>setTimeout(() => { window.later = { a: [1, 'ü'] } }, 50)</script>`)})
	Each(t, func(t *testing.T, b *Browser) {
		p := b.Open(site.URL + "/index.html")
		if got := string(p.Wait("window.later")); got != `{"a":[1,"ü"]}` {
			t.Errorf("waited for %s", got)
		}
		if got := string(p.Eval("new Promise((done) => setTimeout(() => done(6 * 7), 10))")); got != "42" {
			t.Errorf("a promise gives %s", got)
		}
		if got := string(p.Eval("undefined")); got != "null" && got != "" {
			t.Errorf("undefined gives %s", got)
		}
		if said := p.Said(); len(said.Errors)+len(said.Console) != 0 {
			t.Errorf("a quiet page said %v", said)
		}
	})
}

func TestWhatAPageSays(t *testing.T) {
	site := Serve(t, Site{Files: page(`<!doctype html><script>
		console.log('one', 2);
		console.warn('three');
		Promise.reject(new Error('rejected'));
		setTimeout(() => { throw new Error('thrown') });
	</script><script src="missing.js"></script>`)})
	Each(t, func(t *testing.T, b *Browser) {
		p := b.Open(site.URL + "/index.html")
		p.Eval("new Promise((done) => setTimeout(done, 100))")
		said := p.Said()
		if !slices.ContainsFunc(said.Console, func(m Message) bool { return m.Level == "log" && m.Text == "one 2" }) {
			t.Errorf("no log among %v", said.Console)
		}
		if !slices.ContainsFunc(said.Console, func(m Message) bool { return strings.HasPrefix(m.Level, "warn") && m.Text == "three" }) {
			t.Errorf("no warning among %v", said.Console)
		}
		for _, part := range []string{"rejected", "thrown", "missing.js"} {
			if !slices.ContainsFunc(said.Errors, func(e string) bool { return strings.Contains(e, part) }) {
				t.Errorf("no error speaks of %q among %q", part, said.Errors)
			}
		}
	})
}

func TestIsolation(t *testing.T) {
	for _, isolated := range []bool{false, true} {
		site := Serve(t, Site{Files: page(`<!doctype html>`), Isolated: isolated})
		Each(t, func(t *testing.T, b *Browser) {
			p := b.Open(site.URL + "/index.html")
			got := string(p.Eval("self.crossOriginIsolated === true && typeof SharedArrayBuffer === 'function'"))
			want := "false"
			if isolated && b.Name != "webkit" {
				want = "true"
			}
			if got != want {
				t.Errorf("isolated %v: a page has shared memory: %s", isolated, got)
			}
		})
	}
}

func TestHeadersAreSent(t *testing.T) {
	site := Serve(t, Site{
		Files:  page(`<!doctype html><script>window.ran = true</script>`),
		Header: map[string][]string{"content-security-policy": {"script-src 'self'"}},
	})
	Each(t, func(t *testing.T, b *Browser) {
		p := b.Open(site.URL + "/index.html")
		if got := string(p.Eval("window.ran === true")); got != "false" {
			t.Errorf("an inline script ran in spite of the policy")
		}
	})
}

func TestClick(t *testing.T) {
	site := Serve(t, Site{Files: page(`<!doctype html><body style="margin: 0"><button style="position: fixed; left: 50px; top: 80px; width: 100px; height: 40px" onclick="window.clicked = event.isTrusted">`)})
	Each(t, func(t *testing.T, b *Browser) {
		p := b.Open(site.URL + "/index.html")
		p.Click(100, 100)
		p.Wait("clicked")
	})
}

func TestScreenshot(t *testing.T) {
	site := Serve(t, Site{Files: page(`<!doctype html><body style="background: #00ff00">`)})
	Each(t, func(t *testing.T, b *Browser) {
		path := filepath.Join(t.TempDir(), "page.png")
		b.Open(site.URL + "/index.html").Screenshot(path)
		data := must.Get(os.ReadFile(path))(t)
		picture := must.Get(png.Decode(bytes.NewReader(data)))(t)
		if r, g, b, _ := picture.At(picture.Bounds().Dx()/2, picture.Bounds().Dy()/2).RGBA(); r != 0 || g != 0xffff || b != 0 {
			t.Errorf("the middle is %x %x %x, not green", r, g, b)
		}
	})
}
