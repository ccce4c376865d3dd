// Package disk writes the outputs of builds that follow each other.
//
//	var d disk.Disk
//	err := d.Write(files, base)
package disk

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
)

// File is an output by its absolute path.
type File struct {
	Path     string
	Contents []byte
}

// Disk knows what the builds of a context have written, and writes only what has
// changed, so that watchers of files are not woken needlessly. The zero Disk has
// written nothing.
type Disk struct {
	written map[string]written // by path
}

// written is the state of a file just after it was written.
type written struct {
	contents []byte
	modified time.Time
}

// hands is how many files are written at a time.
const hands = 8

// Write writes outputs. Each is complete before it takes its name, and none does
// before all are; files that the last build wrote and this one does not are
// removed. An error names files from base.
func (d *Disk) Write(files []File, base string) error {
	if d.written == nil {
		d.written = map[string]written{}
	}
	var stale []File
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
			return fmt.Errorf("cannot write %s: %w", shown(base, stale[i].Path), Reason(err))
		}
	}
	for path := range d.written {
		if !now[path] {
			os.Remove(path)
			delete(d.written, path)
		}
	}
	return nil
}

// holds reports whether a file is there with these contents: as we left it, or
// from before we came.
func (d *Disk) holds(f File) bool {
	info, err := os.Lstat(f.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(f.Contents)) {
		return false
	}
	was, known := d.written[f.Path]
	if known && info.ModTime().Equal(was.modified) {
		return Same(was.contents, f.Contents)
	}
	there, err := os.ReadFile(f.Path)
	if err != nil || !bytes.Equal(there, f.Contents) {
		return false
	}
	d.written[f.Path] = written{f.Contents, info.ModTime()}
	return true
}

// Same compares contents, which are mostly one memory.
func Same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b))
}

// writeBeside writes a file under a temporary name, in the folder that it is for. It has the
// permissions of the file whose place it takes.
func writeBeside(f File) (string, error) {
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
	if there, missing := os.Stat(f.Path); err == nil && missing == nil && there.Mode().IsRegular() {
		err = file.Chmod(there.Mode().Perm())
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return name, err
}

// name gives a file its name.
func (d *Disk) name(temporary string, f File) error {
	if err := os.Rename(temporary, f.Path); err != nil {
		return err
	}
	info, err := os.Lstat(f.Path)
	if err != nil {
		return err
	}
	d.written[f.Path] = written{f.Contents, info.ModTime()}
	return nil
}

// shown is a path as short as it can be.
func shown(base, path string) string {
	if relative, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return path
}

// Reason returns what a file error says apart from the path.
func Reason(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	if link := (*os.LinkError)(nil); errors.As(err, &link) {
		return link.Err
	}
	return err
}
