package builddir

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A foreign script, at the site's root, may have the name of one of the tree.
func TestForeignScriptsWithNamesOfTheTree(t *testing.T) {
	const foreign = `<script defer src="/_vercel/insights/script.js"></script>`
	files := site{"script.js": loop("script"), "assets/app.js": loop("app")}
	for _, c := range []struct{ page, other, runtime string }{
		{foreign + `<script src="script.js"></script>`, "", "./"},
		{`<script src="./script.js"></script>` + foreign, "", "./"},
		{foreign + `<script src="/script.js"></script>`, "", "/"},
		{foreign + `<script src="/assets/app.js"></script>`, "", "/"},
		{foreign + `<script>` + loop("inline") + `</script>`, `<script src="/assets/app.js"></script>`, "./"},
		{foreign + `<script src="/app/assets/app.js"></script><script src="/app/script.js"></script>`, "", "/app/"},
		{foreign + `<script src="/app/assets/app.js"></script>`, `<script src="/app/script.js"></script>`, "/app/"},
		{foreign + `<base href="/app/"><script src="assets/app.js"></script>`, `<script src="/app/script.js"></script>`, "/app/"},
		{`<script src="/app/script.js"></script>`, `<script src="script.js"></script>`, "/app/"},
		{`<script src="/app/deep/assets/app.js"></script>`, `<script src="/app/deep/script.js"></script>`, "/app/deep/"},
	} {
		in := files.with("index.html", "<!doctype html>"+c.page).with("other.html", "<!doctype html>"+c.other)
		out := memorySite(t, in, Options{})
		got := runtimeURLs.FindString(out["index.html"])
		if got = strings.TrimSuffix(got, "fieldprof/runtime.js"); got != c.runtime && !(strings.Contains(c.page, "<base") && got == "./") {
			t.Errorf("%s with %s asks for the runtime in %q, not in %q", c.page, c.other, got, c.runtime)
		}
		if sampled := memorySite(t, in, Options{Sample: 0.5})["index.html"]; strings.Contains(sampled, "_vercel/insights/fieldprof") || strings.Contains(c.page, foreign) != strings.Contains(sampled, foreign) {
			t.Errorf("%s becomes %s", c.page, sampled)
		}
	}
	out := memorySite(t, files.with("index.html", foreign+`<script type=module src=script.js></script>`), Options{})
	must.Contain(t, "a module", out["script.js"], setsGlobal)
}

// Templates and people spell URLs in ways that only browsers read alike.
func TestURLsAreReadAsBrowsersReadThem(t *testing.T) {
	for src, p := range map[string]string{
		"app.js ": "app.js", "\n\t  app.js\n": "app.js", "\fapp.js": "app.js", "ap\np.js": "app.js", `js\app.js`: "js/app.js", `.\js/app.js?a\b`: "js/app.js",
		"\n  https://cdn.example/x/js/app.js": "js/app.js", `https:\\cdn.example\x\app.js`: "app.js",
		"100%.js": "100%.js", "a%zz.js": "a%zz.js", "a%20b.js#%": "a b.js", "/deep%/app.js": "app.js",
	} {
		in := site{"index.html": `<!doctype html><script src="` + src + `"></script>`, p: loop("app")}
		out := memorySite(t, in, Options{PublicPath: "https://cdn.example/x/"})
		if url := runtimeURLs.FindString(out["index.html"]); url == "" {
			t.Errorf("the page of %q has no runtime: %s", src, out["index.html"])
		}
		if strings.Contains(out[p], "importScripts") {
			t.Errorf("%q, a page's script, is taken for a worker's: %s", src, out[p])
		}
		sampled := memorySite(t, in, Options{PublicPath: "https://cdn.example/x/", Sample: 0.5})["index.html"]
		must.Contain(t, "the sampled page of "+src, sampled, "profiled/"+escapePath(p))
	}
}
