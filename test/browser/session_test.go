package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A program that is no test presses keys, and learns what the browser counts and is.
func TestSession(t *testing.T) {
	site := Serve(t, Site{Files: page(`<!doctype html><input autofocus><script>
		window.keys = '';
		document.querySelector('input').focus();
		addEventListener('keydown', (event) => (window.keys += event.isTrusted && event.key));
	</script>`)})
	Each(t, func(t *testing.T, b *Browser) {
		session := must.Get(Start(b.Name))(t)
		tab := must.Get(session.Open(site.URL + "/index.html"))(t)
		defer tab.Close()
		for _, key := range []string{"a", "Z", "Enter"} {
			must.Do(t, tab.Press(key))
		}
		must.Get(tab.Wait("keys === 'aZEnter' && document.querySelector('input').value === 'aZ'", time.Minute))(t)
		metrics := must.Get(tab.Metrics())(t)
		if b.Name == "chromium" && (metrics["ScriptDuration"] <= 0 || metrics["ThreadTime"] <= 0) || b.Name != "chromium" && len(metrics) > 0 {
			t.Errorf("metrics %v", metrics)
		}
		if version := must.Get(session.Version())(t); !strings.Contains(version, "/") && !strings.ContainsAny(version, "0123456789") {
			t.Errorf("the version is %q", version)
		}
	})
}
