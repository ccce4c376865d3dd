package sdk

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/collect/running"
)

// Both SDKs send to a collector that they are pointed at, unmodified: Sentry's by its DSN,
// Datadog's by its proxy. They are content with its answers, and the functions arrive.
func TestCollector(t *testing.T) {
	for name, a := range map[string]app{"sentry": {}, "datadog": {clock: true}} {
		t.Run(name, func(t *testing.T) {
			a.script = "collector-" + name + ".js"
			dir := a.deploy(t)
			browser.Each(t, func(t *testing.T, b *browser.Browser) {
				c := running.Start(t)
				site := browser.Serve(t, browser.Site{Files: os.DirFS(dir)})
				page := b.Open(site.URL + "/index.html?" + url.Values{"collector": {c.URL}, "key": {running.Key}}.Encode())
				page.Wait("window.result")
				running.Await(c, running.Question("functions", "where", "release:sdk-1"), func(f *answer.Functions) bool {
					return slices.ContainsFunc(f.Functions, func(row answer.FunctionRow) bool {
						return row.Name == "measureRow" && strings.HasSuffix(row.File, "/app.js") && row.Line > 0
					})
				})
				page.Quiet()
			})
		})
	}
}
