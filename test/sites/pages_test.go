package sites

import (
	"bytes"
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

// variants are the ways each build is deployed; original comes first.
var variants = []string{"original", "idle", "armed"}

// pagesBehave: visitors of the copy see what visitors of the original see. Each browser visits
// it idle or armed, in turn, or with FIELDPROF_FULL=1 both.
func pagesBehave(t *testing.T, builds *builds) {
	for i, s := range sites {
		t.Run(strings.Trim(s.name+" "+s.folder, " "), func(t *testing.T) {
			build := builds.of(t, s.name, s.folder)
			if len(build.report.Warnings) > 0 {
				t.Errorf("warnings: %v", build.report.Warnings)
			}
			t.Run("scripts", func(t *testing.T) { compareScripts(t, build) })
			drive := s.drive(t)
			want := &outcomes{of: map[string]browser.Outcome{}}
			for _, v := range variants {
				t.Run(v, func(t *testing.T) {
					seen := &browser.Sightings{}
					server := browser.Serve(t, browser.Site{Files: deploy(t, build, v, s.mount), Handler: seen})
					browser.Every(t, func(t *testing.T, b *browser.Browser) {
						if v == variants[1+(i+slices.Index(browser.Names(), b.Name))%2] && os.Getenv("FIELDPROF_FULL") == "" {
							return
						}
						for _, visit := range s.visits {
							page := b.Open(server.URL + s.mount + "/" + visit.page)
							want.compare(t, b.Name+" "+visit.page, see(page, drive))
							if v == "armed" {
								expect(t, seen, b.Name, visit.realms)
							}
							page.Close() // only now: the reports of its workers end with it
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
		part := must.Get(os.ReadFile(filepath.Join(testdata(), name)))(t)
		if name != "drive.js" {
			text = append(text, "return "...)
		}
		text = append(text, part...)
	}
	return "(() => {" + string(text) + "})()"
}

// see does what a visitor does.
func see(page *browser.Page, drive string) browser.Outcome {
	got := page.Outcome(page.Eval(drive))
	got.Errors = slices.DeleteFunc(got.Errors, func(e string) bool { return strings.Contains(e, "/seen?") }) // the reports of arm.js end with its worker
	return got
}

// outcomes are the original's outcomes, by browser and page.
type outcomes struct {
	mu sync.Mutex
	of map[string]browser.Outcome
}

// compare holds an outcome to the outcome of the original, which comes first and must
// be free of errors.
func (o *outcomes) compare(t *testing.T, visit string, got browser.Outcome) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, e := range got.Errors {
		t.Errorf("%s: %s", visit, e)
	}
	want, there := o.of[visit]
	if !there {
		o.of[visit] = got
		return
	}
	got.Compare(t, visit, want)
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
	text := must.Get(os.ReadFile(filepath.Join(testdata(), "../../browser/testdata/arm.js")))(t)
	clean := files[folder+"/runtime.js"].Data
	for _, name := range []string{"runtime.js", "module.js", "checks.js", "checks.mjs"} {
		file := files[folder+"/"+name]
		file.Data = append(slices.Clone(file.Data), text...)
	}
	// Pages with a policy vouch for the runtime by its hash.
	was, is := browser.Hash(string(clean)), browser.Hash(string(files[folder+"/runtime.js"].Data))
	for p, file := range files {
		if path.Ext(p) == ".html" {
			file.Data = bytes.ReplaceAll(file.Data, []byte(was), []byte(is))
		}
	}
}

// expect waits until every realm has reported a sample.
func expect(t *testing.T, seen *browser.Sightings, browser string, realms []string) {
	t.Helper()
	for _, realm := range realms {
		must.Happen(t, "a capture at "+realm, func() bool { return seen.Kinds(browser+" "+realm) != "" })
	}
}
