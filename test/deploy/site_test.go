// Package deploy tests what docs/deploying.md promises, in real browsers: the
// choosers of a sampled output, and the recipes, by the very text of the page.
package deploy

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Browsers race with none of our code, so a short run, as under the race
// detector, leaves them out.
func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("SKIPPED: -short")
		return
	}
	browser.Main(m)
}

// profiled is where the variant is in a sampled output.
const profiled = "fieldprof/profiled/"

// site is a built directory in memory: path to content.
type site map[string]string

// write gives the folder of a site on disk.
func (s site) write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dist")
	must.WriteTree(t, dir, s)
	return dir
}

// instrument instruments a folder and returns the output's folder.
func instrument(t *testing.T, dir string, sample float64) string {
	t.Helper()
	return browser.Instrument(t, builddir.Options{Input: dir, Selection: transform.Selection{Preset: transform.Precise}, Sample: sample})
}

// watched is a folder that keeps which files were asked for.
type watched struct {
	fs.FS
	mu    sync.Mutex
	asked []string
}

func watch(dir string) *watched { return &watched{FS: os.DirFS(dir)} }

func (w *watched) Open(name string) (fs.File, error) {
	file, err := w.FS.Open(name)
	if err == nil {
		w.mu.Lock()
		w.asked = append(w.asked, name)
		w.mu.Unlock()
	}
	return file, err
}

// scripts lists the scripts that were asked for, sorted.
func (w *watched) scripts() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var scripts []string
	for _, name := range w.asked {
		if strings.HasSuffix(name, "js") {
			scripts = append(scripts, name)
		}
	}
	slices.Sort(scripts)
	return slices.Compact(scripts)
}
