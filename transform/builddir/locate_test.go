package builddir

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A script of somebody else, at the site's root, may have the name of one of the tree.
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
	must.Contain(t, "a module", out["script.js"], "const{flag:")
}
