package browser

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/builddir"
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

// A page with checks must be the page it was: idle, with every check
// capturing, and without the runtime; where memory can be shared and where not. Every
// browser has the armed pages; the other variants are for one in turn, or with
// FIELDPROF_FULL=1 for all.
func TestPagesBehave(t *testing.T) {
	if testing.Short() {
		t.Skip("some 80 pages")
	}
	for i, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			wants := make([]Outcome, len(names))
			variants := []variant{original, armed, idle, compact}
			if p.bare {
				variants = append(variants, bare)
			}
			for k, v := range variants {
				for _, isolated := range []bool{false, true} {
					if isolated && v != armed {
						continue // the others raise nothing, shared or not
					}
					name := string(v)
					if isolated {
						name += " isolated"
					}
					t.Run(name, func(t *testing.T) {
						seen := &Sightings{}
						site := Serve(t, Site{Files: deploy(t, p.name, v), Isolated: isolated, Handler: seen})
						behaves := func(t *testing.T, b *Browser) {
							got := visit(b, site.URL+"/index.html")
							want := &wants[slices.Index(names, b.Name)]
							if v == original {
								*want = got
								return
							}
							got.Compare(t, b.Name, *want)
							if (v == armed || v == compact) && got.Result != `{"unsupported":true}` {
								sees(t, seen, p.realms)
							}
						}
						switch {
						case isolated:
							One(t, names[i%2], behaves) // WebKit shares no memory
						case v == original || v == armed:
							Every(t, behaves)
						default:
							One(t, names[(i+k)%3], behaves)
						}
					})
				}
			}
		})
	}
}

// visit opens a page, waits for its result, and reports its errors.
func visit(b *Browser, url string) Outcome {
	b.t.Helper()
	page := b.Open(url)
	got := page.Outcome(page.Wait("window.result"))
	for _, e := range got.Errors {
		b.t.Error(e)
	}
	return got
}

// sees waits until every realm has reported its samples.
func sees(t *testing.T, seen *Sightings, realms map[string]string) {
	t.Helper()
	for realm, kinds := range realms {
		must.Happen(t, fmt.Sprintf("%s captures samples of kinds %q", realm, kinds), func() bool { return seen.Kinds("* "+realm) == kinds })
	}
}

// Where memory is shared, a thread that raises the flag reaches a page in the
// middle of its hottest loops, with the weight of all its ticks.
func TestFlagIsSeenInHotLoops(t *testing.T) {
	site := Serve(t, Site{Files: deploy(t, "hot", idle), Isolated: true})
	Each(t, func(t *testing.T, b *Browser) {
		got := visit(b, site.URL+"/index.html")
		if got.Result == `"no shared memory"` && b.Name == "webkit" {
			return
		}
		heard := must.JSON[map[string]struct{ Kind, Ticks int }](t, []byte(got.Result))
		if heard["around"].Kind != 1 || heard["around"].Ticks != 2 || heard["into"].Ticks != 2 {
			t.Errorf("heard %s", got.Result)
		}
	})
}

// A page that lets in only what it names by hash, nonce or origin, and checks
// the integrity of its scripts, lets its instrumented self in too.
func TestPolicyHolds(t *testing.T) {
	wants := make([]Outcome, len(names))
	for _, v := range []variant{original, idle} {
		t.Run(string(v), func(t *testing.T) {
			site := Serve(t, Site{Files: deploy(t, "policy", v)})
			Each(t, func(t *testing.T, b *Browser) {
				got := visit(b, site.URL+"/index.html")
				want := &wants[slices.Index(names, b.Name)]
				if v == original {
					*want = got
				}
				got.Compare(t, b.Name, *want)
			})
		})
	}
}

// A page whose policy allows its scripts' host has the runtime from there, whether the host answers
// with CORS or not.
func TestPolicyAllowsAnotherHost(t *testing.T) {
	for attribute, header := range map[string]http.Header{"": nil, "crossorigin": {"Access-Control-Allow-Origin": {"*"}}} {
		files := fstest.MapFS{}
		host := Serve(t, Site{Files: files, Header: header})
		page := fmt.Sprintf(`<!doctype html><meta http-equiv=Content-Security-Policy content="script-src %[1]s"><script %[2]s src="%[1]s/app.js"></script>`, host.URL, attribute)
		tree := []builddir.File{{Path: "app.js", Data: []byte("for (let i = 0; i < 2; i++) window.result = typeof __fieldprof;")}, {Path: "index.html", Data: []byte(page)}}
		out, _, err := builddir.Files(t.Context(), tree, builddir.Options{PublicPath: host.URL + "/", NoSizes: true})
		must.Do(t, err)
		for _, f := range out {
			files[f.Path] = &fstest.MapFile{Data: f.Data}
		}
		site := Serve(t, Site{Files: files})
		Each(t, func(t *testing.T, b *Browser) {
			if got := visit(b, site.URL+"/index.html"); got.Result != `"object"` {
				t.Errorf("%q: the runtime is %s", attribute, got.Result)
			}
		})
	}
}
