package rootfs

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A walk comes to what is in a folder whatever its name is, in order, and not out of the root.
func TestWalk(t *testing.T) {
	folder := t.TempDir()
	want := []string{".", "a", "a/b.js", "\xe9t\xe9", "\xe9t\xe9/c.js"}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // names are UTF-8 there
		want = want[:3]
	}
	for _, name := range want {
		if filepath.Ext(name) == ".js" {
			must.Do(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o755))
			must.Do(t, os.WriteFile(filepath.Join(folder, name), nil, 0o644))
		}
	}
	root := must.Get(os.OpenRoot(folder))(t)
	defer root.Close()
	var got []string
	must.Do(t, fs.WalkDir(Of(root), ".", func(p string, _ fs.DirEntry, err error) error {
		got = append(got, p)
		return err
	}))
	if !slices.Equal(got, want) {
		t.Errorf("it comes to %q, want %q", got, want)
	}
	if _, err := fs.Stat(Of(root), "../x"); err == nil {
		t.Error("it leads out of the root")
	}
}
