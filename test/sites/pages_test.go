package sites

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// outcome is what a visitor sees.
type outcome struct {
	result  string   // what drive.js returns, as JSON
	console []string // sorted: workers speak when they can
	errors  []string
}

// variants are the ways each build is deployed; original comes first.
var variants = []string{"original", "idle", "armed"}

// pagesBehave: visitors of the copy see what those of the original see.
func pagesBehave(t *testing.T, builds *builds) {
	for _, s := range sites {
		t.Run(strings.Trim(s.name+" "+s.folder, " "), func(t *testing.T) {
			build := builds.of(t, s.name, s.folder)
			if len(build.report.Warnings) > 0 {
				t.Errorf("warnings: %v", build.report.Warnings)
			}
			t.Run("scripts", func(t *testing.T) { compareScripts(t, build) })
			drive := s.drive(t)
			want := &outcomes{of: map[string]outcome{}}
			for _, v := range variants {
				t.Run(v, func(t *testing.T) {
					seen := &sightings{}
					server := browser.Serve(t, browser.Site{Files: deploy(t, build, v, s.mount), Handler: seen})
					browser.Each(t, func(t *testing.T, b *browser.Browser) {
						for _, visit := range s.visits {
							page := b.Open(server.URL + s.mount + "/" + visit.page)
							want.compare(t, b.Name+" "+visit.page, see(t, page, drive))
							if v == "armed" {
								seen.expect(t, b.Name, visit.realms)
							}
							page.Close() // only now: what its workers tell ends with it
						}
					})
				})
			}
		})
	}
}

// drive is the expression that does what a visitor does.
func (s *site) drive(t *testing.T) string {
	t.Helper()
	var text []byte
	for _, name := range []string{"drive.js", s.name + "/drive.js"} {
		part := must.Get(os.ReadFile(filepath.Join(testdata(), name))).OrFail(t)
		if name != "drive.js" {
			text = append(text, "return "...)
		}
		text = append(text, part...)
	}
	return "(() => {" + string(text) + "})()"
}

// see does what a visitor does.
func see(t *testing.T, page *browser.Page, drive string) outcome {
	t.Helper()
	got := outcome{result: string(page.Eval(drive))}
	said := page.Said()
	for _, e := range said.Errors {
		if !strings.Contains(e, "/seen?") { // what arm.js tells ends with its worker
			got.errors = append(got.errors, e)
		}
	}
	for _, message := range said.Console {
		got.console = append(got.console, message.Level+": "+message.Text)
	}
	slices.Sort(got.console)
	return got
}

// outcomes are those of the original, by browser and page.
type outcomes struct {
	mu sync.Mutex
	of map[string]outcome
}

// compare holds an outcome to that of the original, which comes first and must
// be free of errors.
func (o *outcomes) compare(t *testing.T, visit string, got outcome) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range got.errors {
		t.Errorf("%s: %s", visit, e)
	}
	want, there := o.of[visit]
	if !there {
		o.of[visit] = got
		return
	}
	if got.result != want.result {
		t.Errorf("%s: the visitor sees %s\nand in the original %s", visit, got.result, want.result)
	}
	if !slices.Equal(got.console, want.console) {
		t.Errorf("%s: the console shows %q\nand in the original %q", visit, got.console, want.console)
	}
}

// deploy gives the files of a variant, under the path they are served at.
func deploy(t *testing.T, b *build, variant, mount string) fstest.MapFS {
	t.Helper()
	dir := b.profiled
	if variant == "original" {
		dir = b.original
	}
	files := fstest.MapFS{}
	prefix := strings.TrimPrefix(mount, "/")
	for p, text := range must.ReadTree(t, dir) {
		files[path.Join(prefix, p)] = &fstest.MapFile{Data: []byte(text)}
	}
	if variant == "armed" {
		arm(t, files, path.Join(prefix, "fieldprof"))
	}
	return files
}

// arm makes every check capture, in whatever realm loads the runtime.
func arm(t *testing.T, files fstest.MapFS, folder string) {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(testdata(), "../../browser/testdata/arm.js"))).OrFail(t)
	clean := files[folder+"/runtime.js"].Data
	for _, name := range []string{"runtime.js", "module.js", "checks.js", "checks.mjs"} {
		file := files[folder+"/"+name]
		file.Data = append(slices.Clone(file.Data), text...)
	}
	// Pages with a policy vouch for the runtime by its hash.
	for p, file := range files {
		if path.Ext(p) == ".html" {
			file.Data = bytes.ReplaceAll(file.Data, hash(clean), hash(files[folder+"/runtime.js"].Data))
		}
	}
}

func hash(text []byte) []byte {
	sum := sha256.Sum256(text)
	return base64.StdEncoding.AppendEncode(nil, sum[:])
}

// sightings collects what arm.js tells: which realms captured samples.
type sightings struct {
	mu     sync.Mutex
	realms map[string]int // browser and path
}

func (s *sightings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/seen" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.realms == nil {
		s.realms = map[string]int{}
	}
	s.realms[browserOf(r.UserAgent())+" "+r.FormValue("realm")]++
	w.Write([]byte("seen")) // Chromium calls an answer without a body a failure
}

func browserOf(agent string) string {
	switch {
	case strings.Contains(agent, "Chrome/"):
		return "chromium"
	case strings.Contains(agent, "Firefox/"):
		return "firefox"
	}
	return "webkit"
}

// expect waits until every realm has told of a sample.
func (s *sightings) expect(t *testing.T, browser string, realms []string) {
	t.Helper()
	for _, realm := range realms {
		must.Happen(t, "a capture at "+realm, func() bool { return s.has(browser + " " + realm) })
	}
}

func (s *sightings) has(pattern string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for realm := range s.realms {
		if fits, _ := path.Match(pattern, realm); fits {
			return true
		}
	}
	return false
}
