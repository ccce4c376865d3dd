// Package must ends a test when its set-up fails.
package must

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Do ends the test if there is an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns the value of a call, or ends the test with its error:
//
//	text := must.Get(os.ReadFile(name))(t)
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Write writes a file, and makes its folder.
func Write(t testing.TB, name, text string) {
	t.Helper()
	Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
	Do(t, os.WriteFile(name, []byte(text), 0o644))
}

// Read returns the files below a folder, by their paths with slashes.
func Read(t testing.TB, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	Do(t, filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		path, _ := filepath.Rel(folder, name)
		files[filepath.ToSlash(path)] = string(text)
		return err
	}))
	return files
}

// WriteAll writes files below a folder, by their paths.
func WriteAll(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		Write(t, filepath.Join(folder, path), text)
	}
}
