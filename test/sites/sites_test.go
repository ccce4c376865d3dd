package sites

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestMain(m *testing.M) { browser.Main(m) }

// The parts share what bundlers wrote.
func TestSites(t *testing.T) {
	builds := newBuilds(t)
	t.Run("pages", func(t *testing.T) { pagesBehave(t, builds) })
	t.Run("offline", func(t *testing.T) { servesOffline(t, builds) })
	t.Run("node", func(t *testing.T) { programsBehave(t, builds) })
}

// site is a folder of testdata, as one of its builds is deployed.
type site struct {
	name   string
	folder string // of what it builds; "" for all of it
	mount  string // the path it is served under, "" or "/…"
	visits []visit
}

// visit is one page, and the realms whose checks must capture when it is armed,
// by the path of the script; * stands for the hash in a name.
type visit struct {
	page   string
	realms []string
}

var sites = []site{
	{"vite", "", "/app", []visit{{"index.html", []string{"/app/index.html", "/app/assets/worker-*.js"}}}},
	{"webpack", "source-map", "", []visit{{"index.html", webpackRealms("")}}},
	{"webpack", "hidden-source-map", "/some/where", []visit{{"index.html", webpackRealms("/some/where")}}},
	{"webpack", "inline-source-map", "", []visit{{"index.html", webpackRealms("")}}},
	{"webpack", "eval-source-map", "", []visit{{"index.html", []string{"/index.html"}}}},
	{"webpack", "eval", "", []visit{{"index.html", []string{"/index.html"}}}},
	{"rollup", "", "/app", []visit{
		{"index.html", []string{"/app/index.html", "/app/js/worker.mjs", "/app/js/shared.mjs"}},
		{"pages/deep.html", []string{"/app/pages/deep.html", "/app/js/worker.mjs", "/app/js/shared.mjs"}},
	}},
	{"esbuild", "", "/app", []visit{{"index.html", []string{"/app/index.html"}}}},
	{"svelte", "", "/app", []visit{{"index.html", []string{"/app/index.html", "/app/assets/worker-*.js", "/app/sw.js"}}}},
	{"scripts", "", "/app", []visit{{"index.html", []string{"/app/index.html"}}, {"strict.html", []string{"/app/strict.html"}}}},
}

func webpackRealms(mount string) []string {
	return []string{mount + "/index.html", mount + "/classic.*.js", mount + "/common.*.js"}
}

// builds are the folders of testdata, built once, as each is first needed.
type builds struct {
	dir  string
	done map[string]*build
}

// build is what a bundler wrote, with its profiled copy.
type build struct {
	original, profiled string
	report             *builddir.Report
}

func newBuilds(t *testing.T) *builds {
	t.Helper()
	fixtures.EnsureIn(t, testdata())
	return &builds{t.TempDir(), map[string]*build{}}
}

func testdata() string { return filepath.Join(fixtures.Dir(), "../test/sites/testdata") }

// of builds a site, or takes it from where it was built, and instruments one
// folder of it. The finest preset puts checks wherever there can be any.
func (b *builds) of(t *testing.T, name, folder string) *build {
	t.Helper()
	dir := filepath.Join(b.dir, name)
	if _, err := os.Stat(dir); err != nil {
		must.Run(t, testdata(), "node", "build.mjs", name, dir)
	}
	original := filepath.Join(dir, folder)
	if b.done[original] == nil {
		profiled := filepath.Join(b.dir, "profiled", name, folder)
		report := must.Get(builddir.Run(context.Background(), builddir.Options{Input: original, Output: profiled, Selection: transform.Selection{Preset: transform.Precise}}))(t)
		b.done[original] = &build{original, profiled, report}
	}
	return b.done[original]
}
