package visits

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// page is a site without packages.
var page = site{"page", "a button", []step{
	{click: "#count", done: `#count[data-clicks="1"]`},
	{click: "#name", done: "#name:focus"},
	{press: "a", done: `body[data-key="a"]`},
}}

// A visit finds whatever its browser tells, in the clean build as in a recorded one over a slow
// network; and a page that fails is a reason.
func TestVisits(t *testing.T) {
	dist := filepath.Join(t.TempDir(), "dist")
	must.Do(t, os.CopyFS(dist, os.DirFS("testdata/page")))
	s := must.Get(instrument(t.Context(), page, dist))(t)
	s.builds["failing"] = must.Get(read(dist, func(text []byte) ([]byte, error) {
		text = must.Get(probed(text))(t)
		return inserted(text, head, "text/javascript", "setTimeout(() => { throw new Error('as planned') })")
	}))(t)
	var running sync.WaitGroup
	for _, name := range browsers {
		running.Go(func() { t.Run(name, func(t *testing.T) { visitAll(t, name, s) }) })
	}
	running.Wait()
}

func visitAll(t *testing.T, name string, s *served) {
	session, err := browser.Start(name)
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("SKIPPED: %v", err)
	}
	must.Do(t, err)
	visits := Round{clean: visit(session, s, clean, networks["fast"]), recording: visit(session, s, recording, networks["slow"])}
	visits.compare()
	for build, v := range visits {
		if v.Failed != "" {
			t.Fatalf("%s: %s", build, v.Failed)
		}
		for _, m := range measured {
			_, told := v.Values[m.name]
			chromiums := map[string]bool{"long": true, "script": true, "thread": true, "interaction-script": true, "interaction-thread": true}[m.name]
			if told != (m.name != "samples" || build == recording) && (name == "chromium" || !chromiums) || told && name == "firefox" && chromiums {
				t.Errorf("%s: %s is there: %t", build, m.name, told)
			}
		}
	}
	if requests := visits[clean].Values["requests"]; requests != 2 {
		t.Errorf("the clean page makes %v requests", requests)
	}
	if load := visits[recording].Values["load"]; load < 300 { // a handshake and a page, at least
		t.Errorf("the slow page is loaded after %v ms", load)
	}
	if failed := visit(session, s, "failing", Network{}).Failed; failed != "an error on the page: Error: as planned" && failed != "an error on the page: Uncaught Error: as planned" {
		t.Errorf("the page that fails: %q", failed)
	}
}
