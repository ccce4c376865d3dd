package texts

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// packages are what testdata/site loads: of a package all scripts, or one. They find
// the other packages that they want in the folder above.
var packages = []string{
	"angular/angular.js",
	"async/dist",
	"awilix/lib",
	"bson/lib",
	"fflate",
	"greenlet/dist",
	"hls.js/dist/hls.js",
	"isoworker",
	"javascript-stringify/dist",
	"maplibre-gl/dist/maplibre-gl.js",
	"papaparse/papaparse.js",
	"paralleljs/lib",
	"serialize-javascript",
	"tiny-worker/lib",
	"troika-worker-utils/dist",
	"workerpool",
	"zone.js/bundles/zone.umd.js",
}

// sites makes a folder with testdata/site and its packages as they are, and
// instrumented in each preset and form, and returns it with its folders' names.
func sites(t *testing.T) (root string, names []string) {
	t.Helper()
	fixtures.EnsureIn(t, ".")
	root = t.TempDir()
	must.Do(t, os.Symlink(must.Get(filepath.Abs("node_modules"))(t), filepath.Join(root, "node_modules")))
	clean := filepath.Join(root, "clean")
	must.Do(t, os.CopyFS(clean, os.DirFS("testdata/site")))
	for _, name := range packages {
		copyScripts(t, clean, filepath.Join("node_modules", name))
		copyScripts(t, clean, filepath.Join("node_modules", strings.Split(name, "/")[0], "package.json"))
	}
	for _, preset := range []transform.Preset{transform.Balanced, transform.Precise} {
		for _, form := range []transform.Form{transform.Inline, transform.Compact} {
			name := preset.String() + "-" + form.String()
			report := must.Get(builddir.Run(context.Background(), builddir.Options{
				Input: clean, Output: filepath.Join(root, name), Selection: transform.Selection{Preset: preset, Form: form}, NoSizes: true,
			}))(t)
			for _, w := range report.Warnings {
				if !strings.Contains(w.Text, "source map") { // no maps are copied
					t.Errorf("%s: %v", name, w)
				}
			}
			names = append(names, name)
		}
	}
	return root, names
}

// copyScripts copies a file, or the scripts below a folder, into a site.
func copyScripts(t *testing.T, site, from string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		scripts := []string{".js", ".mjs", ".cjs", ".json"}
		if err != nil || !d.Type().IsRegular() || !slices.Contains(scripts, filepath.Ext(path)) || strings.HasSuffix(path, ".min.js") {
			return err
		}
		text, err := os.ReadFile(path)
		must.Write(t, site, path, string(text))
		return err
	}))
}

// Packages that take functions' texts do the same instrumented as original.
func TestPackages(t *testing.T) {
	root, names := sites(t)
	t.Run("node", func(t *testing.T) {
		want := runProgram(t, filepath.Join(root, "clean"))
		checkLines(t, want, 16)
		for _, name := range names {
			compare(t, name, runProgram(t, filepath.Join(root, name)), want)
		}
	})
	t.Run("page", func(t *testing.T) {
		server := browser.Serve(t, browser.Site{Files: os.DirFS(root)})
		browser.Each(t, func(t *testing.T, b *browser.Browser) {
			names := names
			want := visit(t, b, server.URL+"/clean/index.html")
			if b.Name == "chromium" {
				checkLines(t, want, 13)
			} else {
				names = names[len(names)-2:] // patterns work alike, and some of this does not work there at all
			}
			for _, name := range names {
				compare(t, name, visit(t, b, server.URL+"/"+name+"/index.html"), want)
			}
		})
	})
}

func runProgram(t *testing.T, folder string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "program.cjs")
	cmd.Dir = folder
	cmd.WaitDelay = time.Second
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v (a program that runs for %v is killed)\n%s", filepath.Base(folder), err, patience, errors.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func visit(t *testing.T, b *browser.Browser, url string) []string {
	t.Helper()
	page := b.Open(url)
	lines := must.JSON[[]string](t, page.Wait("window.result"))
	if said := page.Said(); len(said.Errors) > 0 {
		lines = append(lines, "errors: "+strings.Join(said.Errors, "; "))
	}
	page.Close()
	return lines
}

// checkLines looks whether what is compared with is worth it.
func checkLines(t *testing.T, lines []string, least int) {
	t.Helper()
	for _, line := range lines {
		if strings.Contains(line, ": FAILS") || strings.Contains(line, ": HANGS") || strings.HasPrefix(line, "errors: ") {
			t.Errorf("as it is: %s", line)
		}
	}
	if len(lines) < least {
		t.Errorf("as it is only %d cases ran:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

func compare(t *testing.T, name string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%s:\n got %.600s\nwant %.600s", name, g, w)
		}
	}
}
