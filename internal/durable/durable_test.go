package durable

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Whatever there is can be written; what is missing is told, where it is looked at.
func TestDurable(t *testing.T) {
	folder := t.TempDir()
	must.Write(t, folder, "file", "text")
	must.Do(t, errors.Join(File(filepath.Join(folder, "file")), Folder(folder)))
	missing := filepath.Join(folder, "missing")
	if err := File(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := Folder(missing); runtime.GOOS != "windows" && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}
