package builddir

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The first thing that a page asks for stays the first, unless it is asked for in a way that a link
// cannot repeat, or the page waits for the runtime.
func TestTheFirstScriptKeepsItsPlace(t *testing.T) {
	files := site{"app.js": "export " + loop("app"), "old.js": loop("old"), "a.css": "", "a&b.js": loop("both")}
	const link = `<link rel="modulepreload" fetchpriority="low" href="app.js" `
	for page, want := range map[string]string{
		`<script type=module src=app.js></script>`:                             link + `class="fieldprof" /><script defer`,
		`<script type=module crossorigin nonce=n src=app.js></script>`:         link + `crossorigin="" class="fieldprof" nonce="n" /><script defer`,
		`<script type=importmap>{}</script><script type=module src=app.js>`:    `{}</script>` + link + `class="fieldprof" /><script defer`,
		`<link rel=icon href=x><script type=module src=app.js></script>`:       link,
		`<script type=module src=app.js></script><link rel=stylesheet href=a>`: link,
		`<script defer src="a&amp;b.js"></script>`:                             `<link rel="preload" as="script" fetchpriority="low" href="a&amp;b.js" class="fieldprof" />`,
	} {
		if out := memorySite(t, files.with("index.html", page), Options{})["index.html"]; !strings.Contains(out, want) {
			t.Errorf("%s becomes %s, without %s", page, out, want)
		}
	}
	for _, page := range []string{
		`<link rel="stylesheet" href=a.css><script type=module src=app.js></script>`,
		`<link rel=modulepreload href=chunk.js><script type=module src=app.js></script>`,
		`<script type=module integrity="` + sha384(files["app.js"]) + `" src=app.js></script>`,
		`<script type=module fetchpriority=high src=app.js></script>`,
		`<script type=module REFERRERPOLICY="origin" src=app.js></script>`,
		`<script defer charset=utf-8 src=old.js></script>`,
		`<script type=module src=https://other.example/x.js></script><script type=module src=app.js></script>`,
		`<script type=module>import "./app.js"</script><script type=module src=app.js></script>`,
		`<script src=old.js></script>`,
		`<script async src=old.js></script>`,
		`<meta http-equiv=content-security-policy content="script-src 'self'"><script type=module src=app.js></script>`,
	} {
		out := memorySite(t, files.with("index.html", page), Options{})["index.html"]
		must.Contain(t, page, out, "fieldprof/runtime.js")
		if strings.Contains(out, "fetchpriority=\"low\"") {
			t.Errorf("%s becomes %s", page, out)
		}
	}
}
