package esbuildplugin

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/evanw/esbuild/pkg/api"
)

// disk knows what the builds of a context have written, by path, and writes what
// is not there yet: who watches a file is not woken without need.
type disk map[string]written

// written is a file as it was when it had been written.
type written struct {
	contents []byte
	size     int64
	modified time.Time
}

// hands is how many files are written at a time.
const hands = 8

// write writes outputs. Each is complete before it takes its name, and none does
// before all are; what the last build wrote and this one does not is removed.
func (d disk) write(files []api.OutputFile, base string) error {
	var stale []api.OutputFile
	now := make(map[string]bool, len(files))
	for _, f := range files {
		now[f.Path] = true
		if !d.holds(f) {
			stale = append(stale, f)
		}
	}
	temporary := make([]string, len(stale))
	errs := make([]error, len(stale))
	var group sync.WaitGroup
	turns := make(chan struct{}, hands)
	for i, f := range stale {
		turns <- struct{}{}
		group.Go(func() {
			temporary[i], errs[i] = writeBeside(f)
			<-turns
		})
	}
	group.Wait()
	for i, f := range stale {
		if errs[i] == nil && errors.Join(errs...) == nil {
			errs[i] = d.name(temporary[i], f)
		}
	}
	for i, err := range errs {
		if err != nil {
			for _, name := range temporary {
				if name != "" {
					os.Remove(name) // those that have their name are gone already
				}
			}
			return fmt.Errorf("cannot write %s: %w", shown(base, stale[i].Path), reason(err))
		}
	}
	for path := range d {
		if !now[path] {
			os.Remove(path)
			delete(d, path)
		}
	}
	return nil
}

// holds reports whether a file is there with these contents, as we left it.
func (d disk) holds(f api.OutputFile) bool {
	was, ok := d[f.Path]
	if !ok || !same(was.contents, f.Contents) {
		return false
	}
	info, err := os.Lstat(f.Path)
	return err == nil && info.Mode().IsRegular() && info.Size() == was.size && info.ModTime().Equal(was.modified)
}

// writeBeside writes a file under a name of its own, in the folder where it will
// stand.
func writeBeside(f api.OutputFile) (string, error) {
	folder := filepath.Dir(f.Path)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	mode := os.FileMode(0o666)
	if bytes.HasPrefix(f.Contents, []byte("#!")) {
		mode = 0o777 // a program
	}
	name := filepath.Join(folder, "."+rand.Text()+".tmp")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return "", err
	}
	_, err = file.Write(f.Contents)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return name, err
}

// name gives a file its name.
func (d disk) name(temporary string, f api.OutputFile) error {
	if err := os.Rename(temporary, f.Path); err != nil {
		return err
	}
	info, err := os.Lstat(f.Path)
	if err != nil {
		return err
	}
	d[f.Path] = written{f.Contents, info.Size(), info.ModTime()}
	return nil
}

// shown is a path as short as it can be.
func shown(base, path string) string {
	if relative, ok := within(base, path); ok {
		return relative
	}
	return path
}

// reason is what a file error says beside the path.
func reason(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}
