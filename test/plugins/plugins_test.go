package plugins

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

func TestMain(m *testing.M) { packages.Main(m, browser.Stop) }

// The parts share a workshop.
func TestPlugins(t *testing.T) {
	w := newWorkshop(t)
	for _, suite := range []string{"esbuild", "bundlers", "copies", "watch"} {
		t.Run(suite, func(t *testing.T) {
			must.Run(t, w.folder, "node", "--test", "--test-reporter=spec", suite+".test.mjs")
		})
	}
	t.Run("types", func(t *testing.T) { typesHelp(t, w) })
	t.Run("examples", func(t *testing.T) { examplesBehave(t, w) })
	t.Run("docs", func(t *testing.T) { docsAreTrue(t, w) })
	t.Run("without a program", func(t *testing.T) { worksWithoutProgram(t, w) })
}

// workshop is a folder with the packages as they are packed, the bundlers, and the
// scripts of testdata.
type workshop struct{ folder string }

func newWorkshop(t *testing.T) workshop {
	t.Helper()
	must.Have(t, "node", "npm", "tar")
	top := filepath.Join(fixtures.Dir(), "..")
	testdata := filepath.Join(top, "test/plugins/testdata")
	fixtures.EnsureIn(t, filepath.Join(top, "test/lint"))
	fixtures.EnsureIn(t, testdata)
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	w := workshop{folder}
	tarballs, _ := filepath.Glob(filepath.Join(packages.Build(t), "*.tgz"))
	if len(tarballs) < 6 {
		t.Fatalf("packed only %q", tarballs)
	}
	for _, tarball := range tarballs {
		w.install(t, tarball)
	}
	w.link(t, filepath.Join(testdata, "node_modules"), "")
	scripts, _ := filepath.Glob(filepath.Join(testdata, "*.mjs"))
	for _, script := range scripts {
		must.Write(t, folder, filepath.Base(script), string(must.Get(os.ReadFile(script))(t)))
	}
	return w
}

// install unpacks a package as npm does.
func (w workshop) install(t *testing.T, tarball string) {
	t.Helper()
	name := packageName(filepath.Base(tarball))
	folder := filepath.Join(w.folder, "node_modules", name)
	must.Do(t, os.MkdirAll(folder, 0o755))
	must.Run(t, folder, "tar", "-xzf", tarball, "--strip-components=1")
}

// packageName returns the name of the package in fieldprof-esbuild-0.1.0.tgz.
func packageName(file string) string {
	name := file[:strings.LastIndex(strings.TrimSuffix(file, ".tgz"), "-")]
	if rest, scoped := strings.CutPrefix(name, "fieldprof-"); scoped && rest != "wasm" {
		return "@fieldprof/" + rest
	}
	return name
}

// link puts the packages of another folder beside ours.
func (w workshop) link(t *testing.T, from, scope string) {
	t.Helper()
	entries := must.Get(os.ReadDir(filepath.Join(from, scope)))(t)
	for _, entry := range entries {
		name := filepath.Join(scope, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."):
		case strings.HasPrefix(entry.Name(), "@"):
			w.link(t, from, name)
		default:
			at := filepath.Join(w.folder, "node_modules", name)
			must.Do(t, os.MkdirAll(filepath.Dir(at), 0o755))
			must.Do(t, os.Symlink(filepath.Join(from, name), at))
		}
	}
}

// example copies a project of npm/examples into a folder of the workshop.
func (w workshop) example(t *testing.T, name, to string) string {
	t.Helper()
	folder := filepath.Join(w.folder, to)
	must.Do(t, os.CopyFS(folder, os.DirFS(filepath.Join(fixtures.Dir(), "../npm/examples", name))))
	return folder
}
