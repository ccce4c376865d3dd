package browser

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// pages are the folders of testdata, with the realms that their scripts run in
// and the kinds of samples that an armed one must capture there: entry 0, loop
// 1 (where a loop calls nothing), exit 2.
var pages = []struct {
	name   string
	realms map[string]string
	bare   bool // works without the runtime too: it has no modules
}{
	{"classic", map[string]string{"/index.html": "012"}, true},
	{"modules", map[string]string{"/index.html": "012"}, false},
	{"mixed", map[string]string{"/index.html": "012"}, false},
	{"worker", map[string]string{"/index.html": "02", "/worker.js": "02"}, true},
	{"moduleworker", map[string]string{"/index.html": "02", "/worker.mjs": "012"}, false},
	{"sharedworker", map[string]string{"/index.html": "02", "/worker.js": "012"}, true},
	{"serviceworker", map[string]string{"/index.html": "02", "/worker.js": "012"}, true},
	{"frames", map[string]string{"/index.html": "02", "/frame.html": "02"}, true},
}

// outcome is what a page comes to.
type outcome struct {
	result  string   // window.result, as JSON
	console []string // sorted: workers speak when they can
}

// A page with checks must be the page it was: idle, with every check
// capturing, and without the runtime; where memory can be shared and where not.
func TestPagesBehave(t *testing.T) {
	if testing.Short() {
		t.Skip("some 130 pages")
	}
	for _, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			wants := make([]outcome, len(names))
			variants := []variant{original, idle, armed, compact}
			if p.bare {
				variants = append(variants, bare)
			}
			for _, v := range variants {
				for _, isolated := range []bool{false, true} {
					if isolated && v != armed {
						continue // the others raise nothing, shared or not
					}
					name := string(v)
					if isolated {
						name += " isolated"
					}
					t.Run(name, func(t *testing.T) {
						seen := &sightings{}
						site := Serve(t, Site{Files: deploy(t, p.name, v), Isolated: isolated, Handler: seen})
						Each(t, func(t *testing.T, b *Browser) {
							got := visit(b, site.URL+"/index.html")
							want := &wants[slices.Index(names, b.Name)]
							if v == original {
								*want = got
								return
							}
							compare(t, got, *want)
							if (v == armed || v == compact) && got.result != `{"unsupported":true}` {
								sees(t, seen, p.realms)
							}
						})
					})
				}
			}
		})
	}
}

// visit opens a page and waits for its result.
func visit(b *Browser, url string) outcome {
	b.t.Helper()
	page := b.Open(url)
	result := string(page.Wait("window.result"))
	said := page.Said()
	for _, e := range said.Errors {
		b.t.Error(e)
	}
	got := outcome{result: result}
	for _, message := range said.Console {
		got.console = append(got.console, message.Level+": "+message.Text)
	}
	slices.Sort(got.console)
	return got
}

func compare(t *testing.T, got, want outcome) {
	t.Helper()
	if got.result != want.result {
		t.Errorf("the result is %s\nand of the original %s", got.result, want.result)
	}
	if !slices.Equal(got.console, want.console) {
		t.Errorf("the console shows %q\nand of the original %q", got.console, want.console)
	}
}

// sees waits until every realm has told of its samples.
func sees(t *testing.T, seen *sightings, realms map[string]string) {
	t.Helper()
	for realm, kinds := range realms {
		must.Happen(t, fmt.Sprintf("%s captures samples of kinds %q", realm, kinds), func() bool { return seen.of(realm) == kinds })
	}
}

// Where memory is shared, a thread that raises the flag reaches a page in the
// middle of its hottest loops, with the weight of all its ticks.
func TestFlagIsSeenInHotLoops(t *testing.T) {
	site := Serve(t, Site{Files: deploy(t, "hot", idle), Isolated: true})
	Each(t, func(t *testing.T, b *Browser) {
		got := visit(b, site.URL+"/index.html")
		if got.result == `"no shared memory"` && b.Name == "webkit" {
			return
		}
		heard := must.JSON[map[string]struct{ Kind, Ticks int }](t, []byte(got.result))
		if heard["around"].Kind != 1 || heard["around"].Ticks != 2 || heard["into"].Ticks != 2 {
			t.Errorf("heard %s", got.result)
		}
	})
}

// A page that lets in only what it names by hash, nonce or origin, and checks
// the integrity of its scripts, lets its instrumented self in too.
func TestPolicyHolds(t *testing.T) {
	wants := make([]outcome, len(names))
	for _, v := range []variant{original, idle} {
		t.Run(string(v), func(t *testing.T) {
			site := Serve(t, Site{Files: deploy(t, "policy", v)})
			Each(t, func(t *testing.T, b *Browser) {
				got := visit(b, site.URL+"/index.html")
				want := &wants[slices.Index(names, b.Name)]
				if v == original {
					*want = got
				}
				compare(t, got, *want)
			})
		})
	}
}
