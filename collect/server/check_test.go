package server

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/internal/must"
)

// A check says what would be done, and does nothing.
func TestCheckChangesNothing(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	check := func() (said string, err error) {
		var out bytes.Buffer
		err = Check(t.Context(), &config.Config{Data: data}, &out)
		return out.String(), err
	}
	said := must.Get(check())(t)
	must.Contain(t, "a first check", said, "apps: one, with the keys in "+filepath.Join(data, "keys.yaml"), "store.sqlite, which will be made")
	if must.Exists(data) {
		t.Error("it made the folder of data")
	}
	open := func() *Server {
		return must.Get(Open(t.Context(), &config.Config{Data: data}, Options{AddKeys: true}))(t)
	}
	s := open()
	must.Contain(t, "while it runs", must.Get(check())(t), "which a collector is using")
	must.Do(t, s.Close())
	must.Do(t, os.Remove(filepath.Join(data, "lock")))
	before := filesOf(t, data)
	must.Contain(t, "after it ran", must.Get(check())(t), "store.sqlite, which is ready")
	must.Equal(t, filesOf(t, data), before)

	file := filepath.Join(data, storeFile)
	must.Do(t, os.WriteFile(file, nil, 0o600))
	_, err := check()
	must.Fail(t, err, "store "+file+": it is empty or cut short")
	_, err = Open(t.Context(), &config.Config{Data: data}, Options{AddKeys: true})
	must.Fail(t, err, "store "+file+": it is empty or cut short")
}

// filesOf are the files in a folder and below, with their contents.
func filesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must.Do(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files[path] = string(must.Get(os.ReadFile(path))(t))
		return nil
	}))
	return files
}
