package builddir

import (
	"strings"
	"testing"
)

// Modules that import maps name are a page's: they import nothing, and the page has the runtime.
func TestModulesThatImportMapsName(t *testing.T) {
	const head = `<script type=importmap>{"imports":{"app":"./app.js","lib/":"./lib/","none":null,"odd":["x"],"far":"https://elsewhere.example/far.js"},"scopes":{"./lib/":{"dep":"/dep.js"}}}</script>`
	files := site{
		"app.js": `import"lib/a.js";` + loop("app"), "lib/a.js": `import"dep";` + loop("a"), "dep.js": "export " + loop("dep"),
		"other.js": "export " + loop("other"), "lib/worker.js": "export " + loop("worker"),
	}
	for _, page := range []string{
		head + `<script type=module src=app.js></script>`,
		head + `<script type=module>import"app"</script>`,
		`<script type=importmap>{broken</script><script type=importmap>{"imports":5}</script>` + head + `<script type=module>import("app")</script>`,
		`<script type=module>import"./app.js"</script>` + head,
		head + `<script>import("./app.js")</script>`, // as SvelteKit does
	} {
		out := memorySite(t, files.with("index.html", page), Options{})
		if !strings.Contains(out["index.html"], `src="./fieldprof/runtime.js"`) {
			t.Errorf("%s becomes %s, without the runtime", page, out["index.html"])
		}
		for name, want := range map[string]bool{"app.js": false, "lib/a.js": false, "dep.js": false, "other.js": true, "lib/worker.js": true} {
			if got := strings.Contains(out[name], "checks.js"); got != want {
				t.Errorf("%s: that %s imports the runtime is %v: %s", page, name, got, out[name])
			}
		}
	}
}
