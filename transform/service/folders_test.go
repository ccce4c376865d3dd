package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// into asks to write a tree.
func (c *client) into(id uint64, folder string, careful bool, files []builddir.File) answer {
	c.t.Helper()
	c.request(request{Kind: kindWrite, ID: id, Options: json.RawMessage(`{}`), Into: folder, Base: filepath.Dir(folder), Careful: careful}, files)
	got, body := c.hear()
	if got.ID != id || len(body) > 0 {
		c.t.Errorf("answer %d to request %d, with %d bytes", got.ID, id, len(body))
	}
	return got
}

// A tree that is written is the tree that builddir gives, and the answer tells
// the sizes.
func TestWrite(t *testing.T) {
	c := connect(t)
	dist := filepath.Join(t.TempDir(), "dist")
	got := c.into(1, dist, false, site())
	if got.Kind != kindWritten || len(got.Warnings) != 1 || got.Report.Instrumented == 0 {
		t.Fatalf("%+v", got)
	}
	want, _ := expected(t, site(), "")
	for i, f := range want {
		there, err := os.ReadFile(filepath.Join(dist, filepath.FromSlash(f.Path)))
		if err != nil || string(there) != string(f.Data) {
			t.Errorf("%s: %v, or other contents", f.Path, err)
		}
		if n := got.Files[i]; n.Path != f.Path || n.Size == nil || *n.Size != len(f.Data) {
			t.Errorf("%s is answered as %+v", f.Path, n)
		}
	}
	if there := must.ReadTree(t, dist); len(there) != len(want) {
		t.Errorf("%d files are wanted, and there are %q", len(want), there)
	}
}

// A rebuild touches what has changed and removes what is gone, also where another
// service wrote before.
func TestWriteAgain(t *testing.T) {
	dist := filepath.Join(t.TempDir(), "dist")
	connect(t).into(1, dist, false, site())
	c := connect(t)
	for turn := uint64(1); turn < 4; turn++ {
		before := times(t, dist)
		files := site()
		files[0].Data = append(files[0].Data, strings.Repeat("app();\n", int(turn))...)
		if turn == 3 {
			files = slices.Delete(files, 4, 5) // logo.png
		}
		c.into(turn, dist, false, files)
		after := times(t, dist)
		for name, was := range before {
			is, there := after[name]
			switch {
			case !there && name == "logo.png" && turn == 3:
			case !there:
				t.Errorf("turn %d: %s is gone", turn, name)
			case name == "fieldprof/manifest.json" && turn == 3:
				if is == was {
					t.Error("the manifest still has logo.png for ours")
				}
			case (is == was) == strings.HasPrefix(name, "app.js"):
				t.Errorf("turn %d: %s was written: %v", turn, name, is != was)
			}
		}
		if _, there := after["logo.png"]; there && turn == 3 {
			t.Error("logo.png is still there")
		}
	}
}

// A careful request writes nothing if there are warnings. An error while a tree is written
// differs from an error while it is made, and leaves no files.
func TestWriteFails(t *testing.T) {
	c := connect(t)
	folder := t.TempDir()
	dist := filepath.Join(folder, "dist")
	if got := c.into(1, dist, true, site()); got.Kind != kindWritten || len(got.Warnings) != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(dist); err == nil {
		t.Error("a careful request wrote what it warned of")
	}
	if got := c.into(2, "dist", false, site()); got.Kind != kindError || got.Writing || !strings.Contains(got.Text, `"dist"`) {
		t.Errorf("%+v", got)
	}
	if got := c.into(3, dist, false, []builddir.File{{Path: "../app.js", Data: []byte("f()")}}); got.Kind != kindError || got.Writing {
		t.Errorf("%+v", got)
	}
	// A folder is where a file is to be.
	must.Do(t, os.MkdirAll(filepath.Join(dist, "vendor.js", "x"), 0o755))
	got := c.into(4, dist, false, site())
	if got.Kind != kindError || !got.Writing || !strings.Contains(got.Text, "dist/vendor.js") {
		t.Errorf("%+v", got)
	}
	for name := range must.ReadTree(t, dist) {
		if strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is left", name)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if got := c.into(5, "/dev/null/dist", false, site()); !got.Writing {
		t.Errorf("%+v", got)
	}
}

// Few folders are remembered, however many are written to.
func TestManyFolders(t *testing.T) {
	var f folders
	for _, name := range []string{"a", "b", "c", "a", "d", "e", "a"} {
		f.take(name)
	}
	var remembered string
	for _, folder := range f.list {
		remembered += folder.path
	}
	if remembered != "cdea" {
		t.Errorf("it remembers %q", remembered)
	}
}

// times are when the files of a folder were made, by name; a file that takes
// another's place is another file.
func times(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range must.ReadTree(t, folder) {
		info := must.Get(os.Stat(filepath.Join(folder, name)))(t)
		all[name] = info.ModTime().Format("15:04:05.000000000")
	}
	return all
}
