package conformance

import (
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/test/browser"
)

// The policies that Chromium takes for a permission, as docs/deploying.md has it.
func TestPoliciesThatChromiumTakes(t *testing.T) {
	files := fstest.MapFS{"index.html": {Data: []byte(`<!doctype html><script>
try {
	new Profiler({ sampleInterval: 10, maxBufferSize: 10 }).stop().then(() => (result = "allowed"));
} catch (error) {
	result = error.name;
}
</script>`)}}
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		if b.Name != "chromium" {
			return
		}
		for _, c := range []struct {
			policies []string
			want     string
		}{
			{nil, "NotAllowedError"},
			{[]string{"js-profiling=?0"}, "NotAllowedError"},
			{[]string{"js-profiling"}, "allowed"},
			{[]string{"js-profiling-mode=eager"}, "NotAllowedError"},
			{[]string{"js-profiling-mode=lazy"}, "NotAllowedError"},
			{[]string{"js-profiling-mode=unknown"}, "NotAllowedError"},
			{[]string{"js-profiling, js-profiling-mode=eager"}, "allowed"},
			{[]string{"js-profiling, js-profiling-mode=lazy"}, "allowed"},
			{[]string{"js-profiling-mode=lazy, js-profiling"}, "allowed"},
			{[]string{"js-profiling", "js-profiling-mode=eager"}, "allowed"},
			{[]string{"js-profiling=?0, js-profiling-mode=eager"}, "NotAllowedError"},
			{[]string{"js-profiling, js-profiling-mode=unknown"}, "allowed"},
		} {
			site := browser.Serve(t, browser.Site{Files: files, Header: http.Header{"Document-Policy": c.policies}})
			page := b.Open(site.URL + "/index.html")
			if got := string(page.Wait("window.result")); got != `"`+c.want+`"` {
				t.Errorf("%q: %s, want %s", c.policies, got, c.want)
			}
			page.Close()
		}
	})
}
