// Package golden compares results with those in txtar files, whose first section is a
// source. `go test -update` writes them again.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fieldprof/fieldprof/internal/must"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// File is a golden file. Files[0] is its source.
type File struct {
	Path string
	*txtar.Archive
}

// Read reads the golden files of a pattern, of which there must be some.
func Read(t testing.TB, pattern string) (files []File) {
	t.Helper()
	for _, path := range must.Get(filepath.Glob(pattern))(t) {
		files = append(files, File{path, must.Get(txtar.ParseFile(path))(t)})
	}
	if len(files) == 0 {
		t.Fatal("no golden files: ", pattern)
	}
	return files
}

// Each runs a test for each golden file of a pattern.
func Each(t *testing.T, pattern string, test func(*testing.T, File)) {
	t.Helper()
	for _, f := range Read(t, pattern) {
		t.Run(strings.TrimSuffix(filepath.Base(f.Path), ".txtar"), func(t *testing.T) {
			test(t, f)
			if *update {
				must.Do(t, os.WriteFile(f.Path, txtar.Format(f.Archive), 0o644))
			}
		})
	}
}

// Compare compares a result with a section, or updates it.
func (f File) Compare(t *testing.T, section int, got string) {
	t.Helper()
	want := &f.Files[section]
	if *update {
		want.Data = []byte(got)
	} else if got != string(want.Data) {
		t.Errorf("%s:\n%s\nwant:\n%s", want.Name, got, want.Data)
	}
}
